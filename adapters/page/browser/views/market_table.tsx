import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import { baseOf } from "../data/format.ts";
import { scaleOf } from "../data/lines.ts";
import {
  type Column,
  type Entry,
  type Group,
  type MarketChoice,
  marketAddress,
  sorted,
  sortedBy,
} from "../data/market_entries.ts";
import { format, isAwaited, language, market, place, texts, toggleWatched, watched, yesterday } from "../data/state.ts";
import { icon } from "../parts/icons.tsx";
import { Age, Change, Difference, Price, padsOf, Sparkline, UnitSign, useStale } from "../parts/numbers.tsx";
import { fill } from "../texts/fill.ts";

/** The texts and cells of the table that are different for a past day. */
export interface PastCells {
  readonly day: string;
  readonly heads: Readonly<Record<"change" | "range" | "age" | "none", string>>;
  /** Shown in place of a price. */
  none(entry: Entry): ComponentChildren;
  range(entry: Entry): ComponentChildren;
  age(entry: Entry): ComponentChildren;
}

type MarketTableProps = Readonly<{ groups: readonly Group[]; choice: MarketChoice; past?: PastCells }>;

/** The table of the current prices, or of those of a past day, in groups or sorted. */
export function MarketTable({ groups, choice, past }: MarketTableProps) {
  const { columns, range, month, table } = texts.value;
  const heads = { ...columns, range, ...past?.heads };
  const entries = groups.flatMap((group) => group.entries);
  const { rows, hold } = useRestingOrder(entries, choice);
  const usual = usualDay(entries);
  const since =
    past || usual === yesterday.value ? heads.change : fill(texts.value.sinceDay, { day: format.value.date(usual) });
  const rowsOf = (shown: readonly Entry[]) => {
    const pads = [priceText, differenceText].map((write) => padsOf(shown.map(write)));
    return shown.map((entry) => (
      <MarketRow key={entry.asset.code} entry={entry} usual={usual} pads={pads} past={past} />
    ));
  };
  const head = (column: Column, look: string = column) => (
    <th scope="col" role="columnheader" class={look} aria-sort={choice.column === column ? choice.order : undefined}>
      <button id={`sort-${column}`} onClick={() => (location.hash = marketAddress(sortedBy(choice, column)))}>
        {column === "change" ? since : heads[column]}
      </button>
    </th>
  );
  return (
    <table
      class={market.value.summary === undefined ? "market without-prices" : "market"}
      role="table"
      aria-label={table}
      aria-busy={market.value.isLoading}
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
            {heads.range}
          </th>
          <th scope="col" role="columnheader" class="month">
            {month}
          </th>
          {head("age")}
        </tr>
      </thead>
      {choice.column !== undefined && <tbody role="rowgroup">{rowsOf(rows)}</tbody>}
      {choice.column === undefined &&
        groups.map((group) => (
          <tbody key={group.name} role="rowgroup">
            <tr role="row" class="group">
              <th role="rowheader" colSpan={9} scope="rowgroup">
                <GroupLine group={group} none={past?.heads.none} />
              </th>
            </tr>
            {rowsOf(group.entries)}
          </tbody>
        ))}
    </table>
  );
}

const priceText = ({ latest, unit }: Entry): string => (latest ? format.value.priceNumber(latest.value, unit) : "");
const differenceText = ({ latest, unit }: Entry): string =>
  latest?.before ? format.value.difference(latest.value - latest.before.value, unit) : "";

/** The day that most changes are relative to; yesterday if there are no changes. */
function usualDay(entries: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { latest } of entries)
    if (latest?.before) counts.set(latest.before.date, (counts.get(latest.before.date) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? yesterday.value;
}

/** The sorted rows. While the pointer is in the table, new prices do not change the order of the rows. */
function useRestingOrder(entries: readonly Entry[], choice: MarketChoice) {
  const [isHeld, hold] = useState(false);
  const rows = sorted(entries, choice, language.value);
  const codes = useMemo(
    () => rows.map(({ asset }) => asset.code),
    [marketAddress(choice), rows.length, isHeld || rows],
  );
  const placeOf = ({ asset }: Entry): number => codes.indexOf(asset.code);
  return { rows: isHeld ? rows.toSorted((one, other) => placeOf(one) - placeOf(other)) : rows, hold };
}

/** The heading of a group, with the unit if all rows have the same unit. */
function GroupLine({ group: { name, entries }, none }: { readonly group: Group; readonly none: string | undefined }) {
  const { unitName, number, comma } = format.value;
  const units = [...new Set(entries.map(({ unit }) => unitName(unit)))].join(comma);
  const note = name === "WATCH" ? texts.value.watchNote : `${units} · ${number(entries.length)}`;
  return (
    <>
      <strong>{(name === "NONE" && none) || texts.value.groups[name]}</strong> <span class="small">{note}</span>
    </>
  );
}

type Pad = ReturnType<typeof padsOf>;
type RowProps = Readonly<{ entry: Entry; usual: string; pads: readonly Pad[]; past: PastCells | undefined }>;

/**
 * One row of the table, with explicit roles, because browsers drop roles in a grid layout, as on a phone. `usual` is the
 * day that most changes are relative to; `pads` align the decimal points of the prices and of the differences.
 */
function MarketRow({ entry, usual, pads: [padPrice, padDifference], past }: RowProps) {
  const { asset, name, unit, latest } = entry;
  const { view, id } = place.value;
  const isWatched = watched.value.has(asset.code);
  const isShown = view === "asset" && id === asset.code; // on a wide screen, the asset opens beside the market
  const stale = useStale(past === undefined ? latest : undefined);
  const fresh = stale ? undefined : latest; // no change is shown for a stale price
  const bar = isAwaited.value && latest === undefined && <span class="bar" />;
  const noPrice = market.value.summary === undefined ? "—" : texts.value.noPrice;
  return (
    <tr role="row" class={stale ? "stale" : undefined}>
      <td role="cell" class="star">
        <button
          id={`star-${asset.code}`}
          aria-pressed={isWatched}
          aria-label={fill(texts.value.watch, { name })}
          onClick={() => toggleWatched(asset.code)}
        >
          {icon("star", isWatched)}
        </button>
      </td>
      <th scope="row" role="rowheader" class="asset">
        <a
          id={`row-${asset.code}`}
          href={addressOf("asset", asset.code, past && { day: past.day })}
          aria-current={isShown ? "true" : undefined}
        >
          <bdi>{name}</bdi>
        </a>
      </th>
      <td role="cell" class="ticker">
        <code dir="ltr" title={asset.code}>
          {baseOf(asset)}
        </code>
      </td>
      <td role="cell" class="price">
        {bar}
        {latest && (
          <>
            <UnitSign unit={unit} />
            <Price value={latest.value} unit={unit} pad={padPrice!(priceText(entry))} />
            <span class="visually-hidden"> {format.value.unitName(unit)}</span>
          </>
        )}
        {!latest && !bar && (past?.none(entry) ?? <span class="none">{noPrice}</span>)}
      </td>
      <td role="cell" class="change">
        {bar || (latest && <Change latest={fresh} usual={usual} />)}
      </td>
      <td role="cell" class="small difference">
        {latest && <Difference latest={fresh} unit={unit} pad={padDifference!(differenceText(entry))} />}
      </td>
      <td role="cell" class="range">
        {past === undefined ? <DayRange latest={fresh} unit={unit} /> : past.range(entry)}
      </td>
      <td role="cell" class="month">
        <Sparkline entry={entry} width={76} height={20} />
      </td>
      <td role="cell" class="small age">
        {stale && (
          <>
            {icon("clock")}
            <span class="visually-hidden">{texts.value.groups.STALE} </span>
          </>
        )}
        {bar ||
          past?.age(entry) ||
          (latest && (
            <time dateTime={latest.businessTime} title={format.value.dateTime(latest.businessTime)}>
              <Age latest={latest} isShort />
            </time>
          ))}
      </td>
    </tr>
  );
}

/** The position of the price in the day's range. The lowest price is on the left in both languages, as on an axis. */
function DayRange({ latest, unit }: Pick<Entry, "latest" | "unit">) {
  const { priceNumber } = format.value;
  if (latest?.day == null || latest.day.high === latest.day.low) return null;
  const { low, high } = latest.day;
  const label = `${texts.value.today}: ${priceNumber(low, unit)} – ${priceNumber(high, unit)}`;
  return (
    <svg role="img" aria-label={label} viewBox="-2 0 86 12" width="86" height="12">
      <title>{label}</title>
      <path class="rail-line" d="M0 6H82" />
      <path class="rail-mark" d={`M${scaleOf([low, high], 0, 82)(latest.value)} 2v8`} />
    </svg>
  );
}
