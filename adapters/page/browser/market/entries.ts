import type { MarketRow } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";
import { unitOf } from "../format.ts";
import type { PriceUnit } from "../format.ts";
import type { Language } from "../preferences.ts";
import { nameOf } from "../titles.ts";

/** An asset with its latest price, if it has one: a row of the table. */
export interface Entry {
  readonly asset: PageAsset;
  /** In the language of the page. */
  readonly name: string;
  readonly unit: PriceUnit;
  readonly latest: MarketRow | undefined;
  /** The change against the day before, as a ratio; `undefined` where there is no such day, or its value is 0. */
  readonly ratio: number | undefined;
}

/** The columns that sort. */
export const COLUMNS = ["name", "price", "change", "age"] as const;
/** A column that sorts. */
export type Column = (typeof COLUMNS)[number];

/** How the table is sorted; `undefined`: as in the catalog, in groups. */
export interface Sorting {
  readonly column: Column;
  readonly direction: "ascending" | "descending";
}

/** Rows under one heading. */
export interface Group {
  /** A category of the catalog, `WATCH` or `NONE`. */
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** The name of the group of watched assets, and of those without a price. */
export const WATCH = "WATCH";
/** See `WATCH`. */
export const NONE = "NONE";
const ORDER = ["FX", "COIN", "GOLD", "METAL", "CRYPTO", "INDEX"];

/** The rows in the order of the catalog. */
export function entriesOf(assets: readonly PageAsset[], rows: ReadonlyMap<string, MarketRow>, language: Language): readonly Entry[] {
  return assets.map((asset) => {
    const row = rows.get(asset.code);
    return { asset, name: nameOf(asset, language), unit: unitOf(asset), latest: row, ratio: ratioOf(row) };
  });
}

/** The change of a row against the day before, as a ratio. */
export function ratioOf(row: MarketRow | undefined): number | undefined {
  const before = row?.before?.value;
  return row === undefined || before === undefined || before === 0 ? undefined : row.value / before - 1;
}

/** The rows of the table: crypto in rial is no second row beside crypto in dollars, as search, converter and the asset itself have it. */
export function listed(entries: readonly Entry[]): readonly Entry[] {
  const inDollars = new Set(entries.filter(({ unit }) => unit === "USD").map(({ asset }) => asset.baseCode));
  return entries.filter(({ asset, unit }) => asset.category !== "CRYPTO" || unit === "USD" || !inDollars.has(asset.baseCode));
}

/**
 * The groups of the table: what is watched first, which then stands in no other group, and what has no price last, where anything has
 * one. Groups without a row are left out.
 */
export function groupsOf(entries: readonly Entry[], watched: ReadonlySet<string>): readonly Group[] {
  const isWatched = ({ asset }: Entry): boolean => watched.has(asset.code);
  const rows = listed(entries).filter((entry) => !isWatched(entry));
  const isUnpriced = ({ latest }: Entry): boolean => latest === undefined && entries.some((entry) => entry.latest !== undefined);
  const groups = ORDER.map((name) => ({ name, entries: rows.filter((entry) => entry.asset.category === name && !isUnpriced(entry)) }));
  return [{ name: WATCH, entries: entries.filter(isWatched) }, ...groups, { name: NONE, entries: rows.filter(isUnpriced) }].filter((group) => group.entries.length > 0);
}

/** How a column is sorted first. */
export const FIRST_DIRECTION: Readonly<Record<Column, Sorting["direction"]>> = { name: "ascending", price: "descending", change: "descending", age: "ascending" };

/** The sorting after a click on a column: its first direction, then the other, then the order of the catalog. */
export function nextSorting(sorting: Sorting | undefined, column: Column): Sorting | undefined {
  if (sorting?.column !== column) return { column, direction: FIRST_DIRECTION[column] };
  if (sorting.direction !== FIRST_DIRECTION[column]) return undefined;
  return { column, direction: sorting.direction === "ascending" ? "descending" : "ascending" };
}

/** The entries sorted; equal ones stay in the order of the catalog, and those without a value come last, also where nothing else sorts. */
export function sorted(entries: readonly Entry[], sorting: Sorting | undefined, language: Language): readonly Entry[] {
  if (sorting === undefined) return entries.toSorted((one, other) => Number(one.latest === undefined) - Number(other.latest === undefined));
  const { column, direction } = sorting;
  const sign = direction === "ascending" ? 1 : -1;
  if (column === "name") {
    const { compare } = new Intl.Collator(language, { numeric: true });
    return entries.toSorted((one, other) => sign * compare(one.name, other.name));
  }
  return entries.toSorted((one, other) => {
    // Values in different units say nothing against each other, so each unit stays together.
    const apart = column === "price" ? UNITS.indexOf(one.unit) - UNITS.indexOf(other.unit) : 0;
    const [left, right] = [valueOf(one, column), valueOf(other, column)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return apart !== 0 ? apart : sign * (left - right);
  });
}

const UNITS: readonly PriceUnit[] = ["RLS", "USD", "POINT"];

function valueOf({ latest, ratio }: Entry, column: Exclude<Column, "name">): number | undefined {
  if (column === "change") return ratio;
  if (latest === undefined) return undefined;
  return column === "price" ? latest.value : -Date.parse(latest.businessTime);
}
