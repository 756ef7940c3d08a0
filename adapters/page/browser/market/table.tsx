import { useMemo, useState } from "preact/hooks";
import { addressOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { Icon } from "../ui/icon.tsx";
import { isStale } from "./known_market.ts";
import {
  type Column,
  type Entry,
  type Group,
  type MarketChoice,
  marketAddress,
  sorted,
  sortedBy,
} from "./market_entries.ts";
import { Change, Difference, Price, Sparkline, scaleOf, UnitSign } from "./price_numbers.tsx";

/** The table of prices: in groups, or sorted. */
export function MarketTable({ groups, choice }: { readonly groups: readonly Group[]; readonly choice: MarketChoice }) {
  const { market, texts } = usePage();
  const { rows, hold } = useRestingOrder(
    groups.flatMap(({ entries }) => entries),
    choice,
  );
  const drawRow = (entry: Entry) => <MarketRow key={entry.asset.code} entry={entry} />;
  const head = (column: Column, look: string = column) => (
    <th scope="col" role="columnheader" class={look} aria-sort={choice.column === column ? choice.order : undefined}>
      <button
        id={`sort-${column}`}
        type="button"
        onClick={() => (location.hash = marketAddress(sortedBy(choice, column)))}
      >
        {texts.columns[column]}
      </button>
    </th>
  );
  return (
    <table
      class={market.summary === undefined ? "market without-prices" : "market"}
      role="table"
      aria-label={texts.table}
      aria-busy={market.isLoading}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
    >
      <thead role="rowgroup">
        <tr role="row">
          <td role="cell" class="star" />
          {head("name", "asset")}
          <td role="cell" class="ticker" />
          {head("price")}
          <td role="cell" class="change" />
          {head("change", "difference")}
          <th scope="col" role="columnheader" class="range">
            {texts.range}
          </th>
          <th scope="col" role="columnheader" class="month">
            {texts.month}
          </th>
          {head("age")}
        </tr>
      </thead>
      {choice.column === undefined ? (
        groups.map((group) => (
          <tbody key={group.name} role="rowgroup">
            <tr role="row" class="group">
              <th role="rowheader" colSpan={9} scope="rowgroup">
                <GroupLine group={group} />
              </th>
            </tr>
            {group.entries.map(drawRow)}
          </tbody>
        ))
      ) : (
        <tbody role="rowgroup">{rows.map(drawRow)}</tbody>
      )}
    </table>
  );
}

/** The rows as they are sorted. While they are held, as the pointer is in the table, they keep their order, whatever prices come. */
function useRestingOrder(entries: readonly Entry[], choice: MarketChoice) {
  const [isHeld, hold] = useState(false);
  const rows = sorted(entries, choice, usePage().preferences.language);
  const codes = useMemo(
    () => rows.map(({ asset }) => asset.code),
    [marketAddress(choice), rows.length, isHeld || rows],
  );
  return {
    rows: isHeld
      ? rows.toSorted((one, other) => codes.indexOf(one.asset.code) - codes.indexOf(other.asset.code))
      : rows,
    hold,
  };
}

/** The name of a group, and what its rows need not repeat: their unit. */
function GroupLine({ group: { name, entries } }: { readonly group: Group }) {
  const {
    preferences: { language },
    format,
    texts,
  } = usePage();
  const units = [...new Set(entries.map(({ unit }) => format.unitName(unit)))].join(language === "fa" ? "، " : ", ");
  return (
    <>
      <strong>{texts.groups[name]}</strong>{" "}
      <span class="small">{name === "WATCH" ? texts.watchNote : `${units} · ${format.number(entries.length)}`}</span>
    </>
  );
}

/** One row of the table. The roles are written out, as browsers drop those of rows that are laid out as a grid, which they are on a phone. */
function MarketRow({ entry }: { readonly entry: Entry }) {
  const { format, settings, now, place, market, isAwaited, watched, watch, texts } = usePage();
  const { asset, name, unit, latest } = entry;
  const isWatched = watched.has(asset.code);
  const isShown = place.view === "asset" && place.id === asset.code; // beside the market, where there is room for both
  const stale = latest !== undefined && isStale(latest, now, settings.staleThresholdMinutes);
  const fresh = stale ? undefined : latest; // what is old has no change
  const bar = isAwaited && latest === undefined && <span class="bar" />;
  return (
    <tr role="row" class={stale ? "stale" : undefined}>
      <td role="cell" class="star">
        <button
          type="button"
          id={`star-${asset.code}`}
          aria-pressed={isWatched}
          aria-label={fill(texts.watch, { name })}
          onClick={() => watch(asset.code)}
        >
          <Icon name="star" filled={isWatched} />
        </button>
      </td>
      <th scope="row" role="rowheader" class="asset">
        <a id={`row-${asset.code}`} href={addressOf("asset", asset.code)} aria-current={isShown ? "true" : undefined}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td role="cell" class="ticker">
        <code dir="ltr" title={asset.code}>
          {asset.baseCode}
        </code>
      </td>
      <td role="cell" class="price">
        {bar ||
          (latest === undefined ? (
            <span class="none">{market.summary === undefined ? "—" : texts.noPrice}</span>
          ) : (
            <>
              <UnitSign unit={unit} />
              <Price value={latest.value} unit={unit} />
              <span class="visually-hidden"> {format.unitName(unit)}</span>
            </>
          ))}
      </td>
      <td role="cell" class="change">
        {bar || (latest !== undefined && <Change latest={fresh} />)}
      </td>
      <td role="cell" class="small difference">
        {latest !== undefined && <Difference latest={fresh} unit={unit} />}
      </td>
      <td role="cell" class="range">
        <DayRange latest={fresh} unit={unit} />
      </td>
      <td role="cell" class="month">
        <Sparkline entry={entry} width={76} height={20} />
      </td>
      <td role="cell" class="small age">
        {bar ||
          (latest !== undefined && (
            <>
              {stale && (
                <>
                  <Icon name="clock" />
                  <span class="visually-hidden">{texts.stale} </span>
                </>
              )}
              <time dateTime={latest.businessTime} title={format.dateTime(latest.businessTime)}>
                {format.shortAge(Date.parse(latest.businessTime), now)}
              </time>
            </>
          ))}
      </td>
    </tr>
  );
}

/** Where in the day's range the price stands: the lowest on the left in both languages, as on the axis of a chart. */
function DayRange({ latest, unit }: Pick<Entry, "latest" | "unit">) {
  const { format, texts } = usePage();
  if (latest?.day == null || latest.day.high === latest.day.low) return null;
  const { low, high } = latest.day;
  const text = `${texts.today}: ${format.priceNumber(low, unit)} – ${format.priceNumber(high, unit)}`;
  return (
    <svg role="img" aria-label={text} viewBox="-2 0 86 12" width="86" height="12">
      <title>{text}</title>
      <path class="rail-line" d="M0 6H82" />
      <path class="rail-mark" d={`M${scaleOf([low, high], 0, 82)(latest.value)} 2v8`} />
    </svg>
  );
}
