import { useEffect, useMemo, useRef } from "preact/hooks";
import { usePage } from "../context.ts";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { failureOf } from "../failures.ts";
import { KeyForm } from "../header/key_panel.tsx";
import { placeOf } from "../places.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { Board, boardOf } from "./board.tsx";
import { WATCH, entriesOf, groupsOf, listed, marketAddress, parseMarketChoice, sorted, sortedBy } from "./entries.ts";
import type { Entry, Group, MarketChoice } from "./entries.ts";
import { isStale } from "./known.ts";
import { MARKET, groupName } from "./messages.ts";
import { MarketTable } from "./table.tsx";

/** The market: a board of what people come for each day, and a row for every asset. Group and sorting are in the address. */
export function MarketView() {
  const { key, settings, preferences: { language }, market, known, watched, live, format, announce, go, ...page } = usePage();
  const texts = MARKET[language];
  const entries = useMemo(() => entriesOf(settings.assets, market.rows, language), [market.rows, language]);
  const choice = parseMarketChoice(placeOf(page.marketAddress).query); // also beside an asset
  const groups = groupsOf(entries, watched);
  const shown = groups.filter(({ name }) => choice.category === "" || name === choice.category);
  const isAwaited = key !== undefined && market.summary === undefined && market.failure === undefined;
  const order = useRestingOrder(choice, shown.flatMap((group) => group.entries));
  const board = boardOf(settings.assets, market.rows).map((asset) => entries.find((entry) => entry.asset === asset)!);

  useEffect(() => {
    if (market.summary !== undefined && !live.isFree) announce(texts.loaded(format.number(market.rows.size)));
  }, [market.summary]);

  return (
    <div class="market-view">
      <h1 class="visually-hidden">{texts.title}</h1>
      {key === undefined && <AskForKey />}
      {market.failure !== undefined && !isOffline(market.failure, market.summary) && <FailureBox thrown={market.failure} retry={() => void known.load()} />}
      {(isAwaited || market.rows.size > 0) && <Board entries={board} />}
      <div class="market-bar">
        <Chips groups={groups} chosen={choice.category} choose={(category) => go(marketAddress({ ...choice, category }))} />
        <Liveness />
      </div>
      <div class="sheet" {...order.hold}>
        <Notices entries={listed(entries)} />
        {choice.category === WATCH && shown.length === 0 && <p class="nothing">{texts.nothingWatched}</p>}
        <MarketTable groups={shown} sorted={order.entries} choice={choice} isAwaited={isAwaited} sort={(column) => go(marketAddress(sortedBy(choice, column)))} />
      </div>
      <aside class="rail"><LazyRail isWanted={market.summary !== undefined} /></aside>
    </div>
  );
}

/** The sorted rows, `undefined` where they are not sorted. While the pointer is in the table they keep their order, whatever prices come. */
function useRestingOrder(choice: MarketChoice, entries: readonly Entry[]) {
  const { language } = usePage().preferences;
  const isHeld = useRef(false);
  const held = useRef<{ readonly of: string; readonly codes: readonly string[] }>({ of: "", codes: [] });
  const of = `${marketAddress(choice)} ${entries.length}`;
  let rows = choice.column === undefined ? undefined : sorted(entries, choice, language);
  if (rows !== undefined && isHeld.current && held.current.of === of) {
    const { codes } = held.current;
    rows = rows.toSorted((one, other) => codes.indexOf(one.asset.code) - codes.indexOf(other.asset.code));
  }
  held.current = { of, codes: rows?.map(({ asset }) => asset.code) ?? [] };
  return { entries: rows, hold: { onPointerEnter: () => (isHeld.current = true), onPointerLeave: () => (isHeld.current = false) } };
}

/** The groups with the number of their rows. */
function Chips({ groups, chosen, choose }: { readonly groups: readonly Group[]; readonly chosen: string; choose(category: string): void }) {
  const { preferences: { language }, format } = usePage();
  const texts = MARKET[language];
  const count = (name: string): number => groups.reduce((sum, group) => sum + (name === "" || name === group.name ? group.entries.length : 0), 0);
  return (
    <div class="chips">
      {["", WATCH, ...groups.map(({ name }) => name).filter((name) => name !== WATCH)].map((name) => (
        <button key={name} id={`group-${name || "ALL"}`} type="button" aria-pressed={chosen === name} onClick={() => choose(name)}>
          {name === WATCH && <span aria-hidden="true">★ </span>}{name === "" ? texts.all : groupName(name, language)} <bdi class="count">{format.number(count(name))}</bdi>
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
  const at = market.summary !== undefined && <bdi class="n" id="market-time">{format.time(market.summary.updatedAt)}</bdi>;
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
  const { market, format, now, settings: { staleThresholdMinutes }, preferences } = usePage();
  const texts = MARKET[preferences.language];
  const priced = entries.flatMap(({ latest }) => latest ?? []);
  const stale = priced.filter((latest) => isStale(latest, now, staleThresholdMinutes)).length;
  return (
    <>
      {isOffline(market.failure, market.summary) && (
        <p class="notice offline" role="status"><span class="dot off" /> {texts.offline(format.time(market.summary!.updatedAt))} <span class="small">{texts.offlineNext}</span></p>
      )}
      {stale > 0 && (
        <p class="notice stale-notice"><Icon name="clock" /> {texts.staleCount(format.number(stale), format.number(priced.length), format.number(staleThresholdMinutes))}</p>
      )}
    </>
  );
}

/** Whether the last prices still stand while the server cannot be reached. */
function isOffline(failure: unknown, summary: unknown): boolean {
  return failure !== undefined && summary !== undefined && !failureOf(failure).status;
}

function AskForKey() {
  const texts = MARKET[usePage().preferences.language];
  return (
    <section class="ask-key">
      <span class="ask-icon"><Icon name="lock" /></span>
      <div>
        <h2>{texts.askTitle}</h2>
        <p>{texts.askText} <KeyLink /></p>
        <KeyForm id="ask-key" />
      </div>
    </section>
  );
}
