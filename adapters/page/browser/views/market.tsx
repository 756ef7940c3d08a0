import { useEffect, useMemo } from "preact/hooks";
import { placeOf } from "../data/addresses.ts";
import { isStale } from "../data/market.ts";
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
} from "../data/market_entries.ts";
import * as state from "../data/state.ts";
import { Icon } from "../parts/icons.tsx";
import { LazyRail } from "../parts/lazy_rail.tsx";
import { AskForKey, FailureBox, OfflineNotice } from "../parts/problems.tsx";
import { fill } from "../texts/fill.ts";
import { boardOf, Tile } from "./board.tsx";
import { MarketTable } from "./market_table.tsx";

const { settings } = state;

/** The market: a board of what people come for each day, and a row for every asset. Group and sorting are in the address. */
export function MarketView() {
  const texts = state.texts.value;
  const { rows, summary, failure } = state.market.value;
  const key = state.key.value;
  const isFree = state.isFree.value;
  const entries = useMemo(() => entriesOf(settings.assets, rows, state.language.value), [rows, state.language.value]);
  const choice = parseMarketChoice(placeOf(state.marketAddress.value).query); // also beside an asset
  const groups = groupsOf(entries, state.watched.value);
  const chosen = [...groups.filter(({ name }) => name === "WATCH"), ...groupsOf(entries, new Set())]; // alone, a group has what is watched, too
  const shown = choice.category === "" ? groups : chosen.filter(({ name }) => name === choice.category);
  const board = boardOf(settings.assets, rows).map((asset) => entries.find((entry) => entry.asset === asset)!);

  useEffect(() => {
    if (summary !== undefined && !isFree)
      state.announce(fill(texts.loaded, { count: state.format.value.number(rows.size) }));
  }, [summary]);

  if (failure !== undefined && rows.size === 0)
    return (
      <div class="market-view">
        <h1 class="visually-hidden">{texts.market}</h1>
        <FailureBox thrown={failure} retry={state.loadMarket} />
      </div>
    );
  return (
    <div class="market-view">
      <h1 class="visually-hidden">{texts.market}</h1>
      {key === undefined && <AskForKey id="ask-key" />}
      {failure !== undefined && <FailureBox thrown={failure} retry={state.loadMarket} />}
      {(state.isAwaited.value || rows.size > 0) && (
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
        {state.isOffline.value ? <OfflineNotice /> : <StaleNotice entries={listed(entries)} />}
        {choice.category === "WATCH" && shown.length === 0 && <p class="nothing">{texts.nothingWatched}</p>}
        <MarketTable groups={shown} choice={choice} />
      </div>
      <aside class="rail">{summary !== undefined && !state.isWide.value && <LazyRail code="USD_RLS" />}</aside>
    </div>
  );
}

function Chips({ groups, choice }: { readonly groups: readonly Group[]; readonly choice: MarketChoice }) {
  const texts = state.texts.value;
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
          {name === "" ? texts.all : texts.groups[name]}{" "}
          <bdi class="count">{state.format.value.number(count(name))}</bdi>
        </button>
      ))}
    </div>
  );
}

/** The time of the prices, and whether they come by themselves; where they cost a unit, a button loads them. */
function Liveness() {
  const { live, notLive, reload } = state.texts.value;
  const { summary, failure, isLoading } = state.market.value;
  const time = summary !== undefined && (
    <bdi class="n" id="market-time">
      {state.format.value.time(summary.updatedAt)}
    </bdi>
  );
  if (state.isFree.value)
    return (
      <p class="live">
        <span class={failure === undefined ? "dot" : "dot off"} /> {failure === undefined ? live : notLive} · {time}
      </p>
    );
  return (
    <p class="live">
      {time}
      <button id="market-reload" type="button" aria-disabled={isLoading} onClick={state.loadMarket}>
        {reload}
      </button>
    </p>
  );
}

function StaleNotice({ entries }: { readonly entries: readonly Entry[] }) {
  const { number } = state.format.value;
  const { staleThresholdMinutes } = settings;
  const priced = entries.flatMap(({ latest }) => latest ?? []);
  const stale = priced.filter((latest) => isStale(latest, state.now.value, staleThresholdMinutes));
  if (stale.length === 0) return null;
  const values = {
    count: number(stale.length),
    all: number(priced.length),
    minutes: number(staleThresholdMinutes),
  };
  return (
    <p class="notice stale-notice">
      <Icon name="clock" /> {fill(state.texts.value.staleCount, values)}
    </p>
  );
}
