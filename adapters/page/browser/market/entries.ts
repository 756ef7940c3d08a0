import { ALIASES, fold } from "../../../../core/internal.ts";
import type { MarketRow, MarketSummary } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";
import { unitOf } from "../format.ts";
import type { PriceUnit } from "../format.ts";
import type { Language } from "../preferences.ts";
import { nameOf } from "../titles.ts";
import { matcher } from "./search.ts";

/** An asset with its latest price, if it has one: a row of the table. */
export interface Entry {
  readonly asset: PageAsset;
  /** In the language of the page. */
  readonly name: string;
  readonly unit: PriceUnit;
  readonly latest: MarketRow | undefined;
  /** The change against the day before, as a ratio; `undefined` where there is no such day, or its value is 0. */
  readonly ratio: number | undefined;
  /** What a search looks at: both labels, the code and other names, folded. */
  readonly searched: string;
}

/** What a visitor has narrowed the table to. Empty texts match all. */
export interface Filter {
  readonly query: string;
  readonly category: string;
  readonly unit: string;
}

/** The columns that sort. */
export const COLUMNS = ["name", "price", "change", "age"] as const;
/** A column that sorts. */
export type Column = (typeof COLUMNS)[number];

/** How the table is sorted; `undefined`: as in the catalog. */
export interface Sorting {
  readonly column: Column;
  readonly direction: "ascending" | "descending";
}

/** The rows of the table in the order of the catalog. */
export function entriesOf(assets: readonly PageAsset[], summary: MarketSummary | undefined, language: Language): readonly Entry[] {
  const latest = new Map(summary?.assets.map((row) => [row.code, row]));
  return assets.map((asset) => {
    const row = latest.get(asset.code);
    const before = row?.before?.value;
    return {
      asset,
      name: nameOf(asset, language),
      unit: unitOf(asset),
      latest: row,
      ratio: row === undefined || before === undefined || before === 0 ? undefined : row.value / before - 1,
      searched: fold(`${asset.labelEn} ${asset.labelFa} ${asset.code} ${ALIASES[asset.baseCode] ?? ""}`),
    };
  });
}

/** Makes the test of a filter. */
export function filterOf({ query, category, unit }: Filter): (entry: Entry) => boolean {
  const matches = matcher(query);
  return (entry) => (category === "" || entry.asset.category === category) && (unit === "" || entry.unit === unit) && matches(entry.searched);
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
