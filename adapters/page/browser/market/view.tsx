import { useEffect, useMemo } from "preact/hooks";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { failureOf } from "../failures.ts";
import { placeOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { AskForKey, FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { isStale } from "./known_market.ts";
import {
  type Entry,
  entriesOf,
  type Group,
  type GroupName,
  groupsOf,
  listed,
  type MarketChoice,
  marketAddress,
  parseMarketChoice,
} from "./market_entries.ts";
import { boardOf, Tile } from "./price_tiles.tsx";
import { MarketTable } from "./table.tsx";

/** The market: a board of what people come for each day, and a row for every asset. Group and sorting are in the address. */
export function MarketView() {
  const {
    key,
    settings,
    preferences: { language },
    market,
    isAwaited,
    known,
    watched,
    live,
    format,
    announce,
    texts,
    ...page
  } = usePage();
  const entries = useMemo(() => entriesOf(settings.assets, market.rows, language), [market.rows, language]);
  const choice = parseMarketChoice(placeOf(page.marketAddress).query); // also beside an asset
  const groups = groupsOf(entries, watched);
  const chosen = [...groups.filter(({ name }) => name === "WATCH"), ...groupsOf(entries, new Set())]; // alone, a group has what is watched, too
  const shown = choice.category === "" ? groups : chosen.filter(({ name }) => name === choice.category);
  // The last prices still stand while the server cannot be reached.
  const isOffline = market.failure !== undefined && market.summary !== undefined && !failureOf(market.failure).status;
  const board = boardOf(settings.assets, market.rows).map((asset) => entries.find((entry) => entry.asset === asset)!);

  useEffect(() => {
    if (market.summary !== undefined && !live.isFree)
      announce(fill(texts.loaded, { count: format.number(market.rows.size) }));
  }, [market.summary]);

  return (
    <div class="market-view">
      <h1 class="visually-hidden">{texts.market}</h1>
      {key === undefined && <AskForKey id="ask-key" />}
      {market.failure !== undefined && !isOffline && (
        <FailureBox thrown={market.failure} retry={() => void known.load()} />
      )}
      {(isAwaited || market.rows.size > 0) && (
        <div class="board">
          {board.map((entry, at) => (
            <Tile key={entry.asset.code} entry={entry} isHero={at === 0} />
          ))}
        </div>
      )}
      <div class="market-bar">
        <Chips groups={chosen} choice={choice} />
        {key !== undefined && <Liveness />}
      </div>
      <div class="sheet">
        {isOffline && (
          <p class="notice offline" role="status">
            <span class="dot off" /> {fill(texts.offline, { time: format.time(market.summary!.updatedAt) })}{" "}
            <span class="small">{texts.offlineNext}</span>
          </p>
        )}
        <StaleNotice entries={listed(entries)} />
        {choice.category === "WATCH" && shown.length === 0 && <p class="nothing">{texts.nothingWatched}</p>}
        <MarketTable groups={shown} choice={choice} />
      </div>
      <aside class="rail">{market.summary !== undefined && <LazyRail />}</aside>
    </div>
  );
}

function Chips({ groups, choice }: { readonly groups: readonly Group[]; readonly choice: MarketChoice }) {
  const { format, texts } = usePage();
  const count = (wanted: string): number =>
    new Set(groups.flatMap(({ name, entries }) => (wanted === "" || wanted === name ? entries : []))).size;
  const show = (category: MarketChoice["category"]): void =>
    void (location.hash = marketAddress({ ...choice, category }));
  const names = new Set<GroupName | "">(["", "WATCH", ...groups.map(({ name }) => name)]);
  return (
    <div class="chips">
      {[...names].map((name) => (
        <button
          key={name}
          id={`group-${name || "ALL"}`}
          type="button"
          aria-pressed={choice.category === name}
          onClick={() => show(name)}
        >
          {name === "WATCH" && <span aria-hidden="true">★ </span>}
          {name === "" ? texts.all : texts.groups[name]} <bdi class="count">{format.number(count(name))}</bdi>
        </button>
      ))}
    </div>
  );
}

/** Whether prices come by themselves: they do where that is free; elsewhere it says what it costs, and is off until it is switched on. */
function Liveness() {
  const { live, market, known, format, texts } = usePage();
  const at = market.summary !== undefined && (
    <bdi class="n" id="market-time">
      {format.time(market.summary.updatedAt)}
    </bdi>
  );
  if (live.isFree)
    return (
      <p class="live">
        <span class={market.failure === undefined ? "dot" : "dot off"} />{" "}
        {market.failure === undefined ? texts.live : texts.notLive} · {at}
      </p>
    );
  return (
    <p class="live">
      {at}
      <label class="check">
        <input id="market-live" type="checkbox" checked={live.isOn} onChange={() => live.set(!live.isOn)} />
        {texts.liveSwitch}
      </label>
      <button id="market-reload" type="button" aria-disabled={market.isLoading} onClick={() => void known.load()}>
        {texts.reload}
      </button>
    </p>
  );
}

function StaleNotice({ entries }: { readonly entries: readonly Entry[] }) {
  const {
    format,
    now,
    settings: { staleThresholdMinutes },
    texts,
  } = usePage();
  const priced = entries.flatMap(({ latest }) => latest ?? []);
  const stale = priced.filter((latest) => isStale(latest, now, staleThresholdMinutes)).length;
  if (stale === 0) return null;
  const [count, all, minutes] = [stale, priced.length, staleThresholdMinutes].map((value) => format.number(value)) as [
    string,
    string,
    string,
  ];
  return (
    <p class="notice stale-notice">
      <Icon name="clock" /> {fill(texts.staleCount, { count, all, minutes })}
    </p>
  );
}
