import { useEffect, useMemo } from "preact/hooks";
import { addressOf, placeOf } from "../data/addresses.ts";
import { dayBefore } from "../data/format.ts";
import { isStale } from "../data/market.ts";
import {
  boardOf,
  chosenGroups,
  type Entry,
  entriesOf,
  type Group,
  type GroupName,
  listed,
  type MarketChoice,
  marketAddress,
  parseMarketChoice,
} from "../data/market_entries.ts";
import * as state from "../data/state.ts";
import { icon } from "../parts/icons.tsx";
import { afterwards, FailureBox, OfflineNotice } from "../parts/lazy_parts.tsx";
import { MarketMenu } from "../parts/menu.tsx";
import { AskForKey } from "../parts/problems.tsx";
import { fill } from "../texts/fill.ts";
import { Tile } from "./board.tsx";
import { MarketTable } from "./market_table.tsx";

const { settings } = state;

/** The converter for an asset, and the implied dollar rates. */
export const LazyRail = afterwards<{ readonly code: string; readonly day?: string }>(() =>
  import("./convert.tsx").then(({ Rail }) => Rail),
);

/** The market: a board of the most wanted assets, and a table of all assets. Group and sorting are in the address. */
export function MarketView() {
  const texts = state.texts.value;
  const { rows, summary, failure } = state.market.value;
  const key = state.key.value;
  const isFree = state.isFree.value;
  const entries = useMemo(() => entriesOf(settings.assets, rows, state.language.value), [rows, state.language.value]);
  const choice = parseMarketChoice(placeOf(state.marketAddress.value).query); // also beside an asset
  const old = choice.category === "STALE" ? staleOf(entries) : [];
  const usual = choice.category === "STALE" ? "" : choice.category; // if nothing is stale, all prices are shown
  const { all, shown: chosen } = chosenGroups(entries, state.watched.value, usual);
  const shown: readonly Group[] = old.length > 0 ? [{ name: "STALE", entries: old }] : chosen;
  const board = boardOf(settings.assets, rows).map((asset) => entries.find((entry) => entry.asset === asset)!);

  useEffect(() => {
    if (summary !== undefined && !isFree)
      state.announce(fill(texts.loaded, { count: state.format.value.number(rows.size) }));
  }, [summary]);

  const top = (
    <>
      <h1 class="visually-hidden">{texts.market}</h1>
      {key === undefined && <AskForKey id="ask-key" />}
      {failure !== undefined && <FailureBox thrown={failure} retry={state.loadMarket} />}
    </>
  );
  if (failure !== undefined && rows.size === 0) return <div class="market-view">{top}</div>;
  return (
    <div class="market-view">
      {top}
      {(state.isAwaited.value || rows.size > 0) && (
        <>
          <div class="board">
            {board.map((entry, at) => (
              <Tile key={entry.asset.code} entry={entry} isHero={at === 0} />
            ))}
          </div>
          <aside class="rail">{summary !== undefined && !state.isWide.value && <LazyRail code="USD_RLS" />}</aside>
        </>
      )}
      <div class="market-bar">
        <Chips groups={all} choice={choice} />
        {summary !== undefined && (
          <MarketMenu
            entries={shown.flatMap((group) => group.entries)}
            when={state.format.value.dateTime(summary.updatedAt)}
          />
        )}
        {key !== undefined && <Liveness />}
      </div>
      <div class="sheet">
        {state.isOffline.value ? <OfflineNotice /> : <StaleNotice entries={entries} choice={choice} />}
        {choice.category === "WATCH" && shown.length === 0 && <p class="nothing">{texts.nothingWatched}</p>}
        <MarketTable groups={shown} choice={choice} />
      </div>
    </div>
  );
}

/** A button for each group, with the number of rows in the group. */
export function Chips({ groups, choice }: { readonly groups: readonly Group[]; readonly choice: MarketChoice }) {
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

/** The time of the prices. If loading is free, a note says whether they are live; if not, a button reloads them. */
function Liveness() {
  const { live, notLive, reload, pastDay } = state.texts.value;
  const { summary, failure, isLoading } = state.market.value;
  const time = summary !== undefined && (
    <bdi class="n" id="market-time">
      {state.format.value.time(summary.updatedAt)}
    </bdi>
  );
  if (!state.isFree.value)
    return (
      <p class="live">
        {time}
        <button id="market-reload" aria-disabled={isLoading} onClick={state.loadMarket}>
          {reload}
        </button>
      </p>
    );
  const isLive = failure === undefined;
  return (
    <p class="live">
      <span class={isLive ? "dot" : "dot off"} /> {isLive ? live : notLive} · {time}
      {settings.isPublic && summary !== undefined && (
        <a href={addressOf("market", undefined, { day: dayBefore(summary.to) })} title={pastDay} aria-label={pastDay}>
          {icon("calendar")}
        </a>
      )}
    </p>
  );
}

function staleOf(entries: readonly Entry[]): Entry[] {
  const [now, minutes] = [state.now.value, settings.staleThresholdMinutes];
  return listed(entries).filter(({ latest }) => latest && isStale(latest, now, minutes));
}

/** How many prices are stale, and a link that shows only these, or afterwards all prices again. */
function StaleNotice({ entries, choice }: { readonly entries: readonly Entry[]; readonly choice: MarketChoice }) {
  const { number } = state.format.value;
  const { staleCount, onlyThese, all } = state.texts.value;
  const { length } = staleOf(entries);
  if (length === 0) return null;
  const priced = listed(entries).filter(({ latest }) => latest).length;
  const values = { count: number(length), all: number(priced), minutes: number(settings.staleThresholdMinutes) };
  const isOnly = choice.category === "STALE";
  return (
    <p class="notice stale-notice">
      {icon("clock")} {fill(staleCount, values)}
      <a href={marketAddress({ ...choice, category: isOnly ? "" : "STALE" })}>{isOnly ? all : onlyThese}</a>
    </p>
  );
}
