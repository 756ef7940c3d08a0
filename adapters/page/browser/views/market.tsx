import { useEffect, useMemo } from "preact/hooks";
import { addressOf, placeOf } from "../data/addresses.ts";
import { isStale } from "../data/market.ts";
import { boardOf, type Entry, entriesOf, groupsOf, listed, parseMarketChoice } from "../data/market_entries.ts";
import * as state from "../data/state.ts";
import { Icon } from "../parts/icons.tsx";
import { LazyRail } from "../parts/lazy_parts.tsx";
import { MarketMenu } from "../parts/menu.tsx";
import { AskForKey, FailureBox, OfflineNotice } from "../parts/problems.tsx";
import { fill } from "../texts/fill.ts";
import { Tile } from "./board.tsx";
import { Chips } from "./market_chips.tsx";
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
        {summary !== undefined && (
          <MarketMenu
            entries={shown.flatMap((group) => group.entries)}
            when={state.format.value.dateTime(summary.updatedAt)}
          />
        )}
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

/** The time of the prices, and whether they come by themselves; where they cost a unit, a button loads them. */
function Liveness() {
  const { live, notLive, reload, pastDay } = state.texts.value;
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
        {settings.isPublic && summary !== undefined && (
          <a href={addressOf("market", undefined, { day: dayBefore(summary.to) })} title={pastDay} aria-label={pastDay}>
            <Icon name="calendar" />
          </a>
        )}
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

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
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
