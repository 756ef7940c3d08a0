import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { failureOf } from "../failures.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { Board, boardOf } from "./board.tsx";
import { marketAddress, parseMarketChoice } from "./choice.ts";
import type { MarketChoice } from "./choice.ts";
import { WATCH, entriesOf, groupsOf, listed, nextSorting, sorted } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { isStale } from "./known.ts";
import { MARKET, groupName } from "./messages.ts";
import { MarketTable } from "./table.tsx";
import { readWatched, toggleWatched } from "./watch.ts";

/** The market: a board of what people come for each day, and a row for every asset. Group and sorting are in the address. */
export function MarketView() {
  const { key, settings, place, preferences: { language }, market, known, format, announce, go } = usePage();
  const texts = MARKET[language];
  const [watched, setWatched] = useState(() => readWatched(() => localStorage));
  const entries = useMemo(() => entriesOf(settings.assets, market.rows, language), [market.rows, language]);
  const choice = parseMarketChoice(place.query, settings.assets);
  const groups = groupsOf(entries, watched);
  const shown = groups.filter(({ name }) => choice.category === "" || name === choice.category);
  const isAwaited = key !== undefined && market.summary === undefined && market.failure === undefined;
  const order = useRestingOrder(choice, shown.flatMap((group) => group.entries), language);

  useEffect(() => {
    if (market.loadedAt !== undefined && market.failure === undefined) announce(market.isUnchanged ? texts.unchanged : texts.loaded(format.number(market.rows.size)));
  }, [market.loadedAt]);

  return (
    <div class="market-view">
      <h1 class="visually-hidden">{texts.title}</h1>
      {key === undefined && <AskForKey />}
      {market.failure !== undefined && !isOffline(market.failure, market.summary) && <FailureBox thrown={market.failure} retry={() => void known.load()} />}
      {market.summary?.assets.length === 0 && <p class="ask">{texts.empty} <code dir="ltr">mazaneh import FILE</code></p>}
      {(isAwaited || market.rows.size > 0) && <Board entries={boardOf(entries, isAwaited)} />}
      <div class="market-bar">
        <Chips groups={groups} chosen={choice.category} choose={(category) => go(marketAddress({ ...choice, category }))} />
        <Liveness />
      </div>
      <div class="sheet" {...order.hold}>
        <Notices entries={listed(entries)} />
        {choice.category === WATCH && shown.length === 0 && <p class="nothing">{texts.nothingWatched}</p>}
        <MarketTable
          groups={shown} sorted={order.entries} sorting={choice.sorting} watched={watched} isAwaited={isAwaited} isBusy={market.isLoading}
          toggleWatch={(code) => setWatched(toggleWatched(() => localStorage, watched, code))}
          sort={(column) => go(marketAddress({ ...choice, sorting: nextSorting(choice.sorting, column) }))}
        />
      </div>
      <aside class="rail"><LazyRail isWanted={market.summary !== undefined} /></aside>
    </div>
  );
}

/** The sorted rows, `undefined` where they are not sorted. While the pointer is in the table they keep their order, whatever prices come. */
function useRestingOrder({ sorting }: MarketChoice, entries: readonly Entry[], language: "en" | "fa") {
  const isHeld = useRef(false);
  const held = useRef<{ readonly sorting: string; readonly codes: readonly string[] }>({ sorting: "", codes: [] });
  const hold = { onPointerEnter: () => (isHeld.current = true), onPointerLeave: () => (isHeld.current = false) };
  if (sorting === undefined) return { entries: undefined, hold };
  const name = `${sorting.column} ${sorting.direction} ${entries.length}`;
  const byCode = new Map(entries.map((entry) => [entry.asset.code, entry]));
  const isKept = isHeld.current && held.current.sorting === name && held.current.codes.every((code) => byCode.has(code));
  const rows = isKept ? held.current.codes.map((code) => byCode.get(code)!) : sorted(entries, sorting, language);
  held.current = { sorting: name, codes: rows.map(({ asset }) => asset.code) };
  return { entries: rows, hold };
}

/** The groups with the number of their rows. */
function Chips({ groups, chosen, choose }: { readonly groups: ReturnType<typeof groupsOf>; readonly chosen: string; choose(category: string): void }) {
  const { preferences: { language }, format } = usePage();
  const texts = MARKET[language];
  const all = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const watch = groups.find(({ name }) => name === WATCH)?.entries.length ?? 0;
  const chips: readonly (readonly [name: string, text: string, count: number])[] = [
    ["", texts.all, all], [WATCH, texts.groups.WATCH, watch],
    ...groups.filter(({ name }) => name !== WATCH).map(({ name, entries }) => [name, groupName(name, language), entries.length] as const),
  ];
  return (
    <div class="chips">
      {chips.map(([name, text, count]) => (
        <button key={name} id={`group-${name || "ALL"}`} type="button" aria-pressed={chosen === name} onClick={() => choose(name)}>
          {name === WATCH && <span aria-hidden="true">★ </span>}{text} <bdi class="count">{format.number(count)}</bdi>
        </button>
      ))}
    </div>
  );
}

/** Whether prices come by themselves: they do where that is free; elsewhere it says what it costs, and is off until it is switched on. */
function Liveness() {
  const { key, live, market, known, format, preferences } = usePage();
  const texts = MARKET[preferences.language];
  if (key === undefined) return null;
  const at = market.loadedAt !== undefined && <bdi class="n" id="market-time">{format.time(market.loadedAt)}</bdi>;
  if (live.isFree) return <p class="live"><span class={market.failure === undefined ? "dot" : "dot off"} /> {texts.live} · {at}</p>;
  return (
    <p class="live">
      {at}
      <label class="check"><input id="market-live" type="checkbox" checked={live.isOn} onChange={() => live.set(!live.isOn)} />{texts.liveSwitch}</label>
      <button id="market-reload" type="button" aria-disabled={market.isLoading} onClick={() => void known.load()}>{texts.reload}</button>
    </p>
  );
}

/** What is to be said of the prices as a whole: that there is no connection, how many are old. */
function Notices({ entries }: { readonly entries: readonly Entry[] }) {
  const { market, format, now, settings, preferences } = usePage();
  const texts = MARKET[preferences.language];
  const { staleThresholdMinutes } = settings;
  const priced = entries.filter(({ latest }) => latest !== undefined);
  const stale = priced.filter(({ latest }) => isStale(latest!, now, staleThresholdMinutes)).length;
  return (
    <>
      {isOffline(market.failure, market.summary) && (
        <p class="notice offline" role="status"><span class="dot off" /> {texts.offline(format.time(market.loadedAt!))} <span class="small">{texts.offlineNext}</span></p>
      )}
      {stale > 0 && (
        <p class="notice stale-notice"><Icon name="clock" /> {texts.staleCount(format.number(stale), format.number(priced.length), format.number(staleThresholdMinutes))}</p>
      )}
    </>
  );
}

/** Whether the last prices still stand while the server cannot be reached. */
function isOffline(failure: unknown, summary: unknown): boolean {
  return failure !== undefined && summary !== undefined && failureOf(failure).status === undefined;
}

function AskForKey() {
  const { preferences } = usePage();
  const texts = MARKET[preferences.language];
  return (
    <div class="ask">
      <strong>{texts.askTitle}</strong>
      <p>{texts.askText}</p>
      <p class="acts"><button type="button" class="primary" onClick={openKeyPanel}>{texts.askAct}</button> <KeyLink /></p>
    </div>
  );
}
