import type { MarketRow } from "../../market_summary.ts";
import type { PageAsset } from "../../page_settings.ts";
import type { TEXTS } from "../texts/built_page.ts";
import { addressOf } from "./addresses.ts";
import { baseOf, nameOf, unitOf } from "./format.ts";
import type { Language } from "./preferences.ts";

/** A row of the table: an asset, its latest price if there is one, and the change of the price. */
export type Entry = ReturnType<typeof entriesOf>[number];

/** The columns that the table can be sorted by, each with the direction after the first click. */
const COLUMNS = { name: "ascending", price: "descending", change: "descending", age: "ascending" } as const;
/** A column that sorts. */
export type Column = keyof typeof COLUMNS;
/** The name of a group: a category, the watch list, the stale prices, or the assets without a price. */
export type GroupName = keyof (typeof TEXTS)["en"]["groups"];

/** The visitor's choice of rows, from the address: `#/?category=GOLD&sort=change&order=ascending`. */
export type MarketChoice = Readonly<ReturnType<typeof parseMarketChoice>>;
/** Rows under one heading. */
export type Group = ReturnType<typeof groupsOf>[number];

const WANTED = ["USD_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "USDT_RLS", "BTC_USD"];

const GROUPS: readonly GroupName[] = ["WATCH", "FX", "COIN", "GOLD", "METAL", "CRYPTO", "INDEX", "STALE", "NONE"];

/** Reads the choice from the query of an address. Default: all groups, in catalog order. */
export function parseMarketChoice(query: URLSearchParams) {
  const category: GroupName | "" = GROUPS.find((known) => known === query.get("category")?.toUpperCase()) ?? "";
  const column = (Object.keys(COLUMNS) as Column[]).find((known) => known === query.get("sort"));
  const sent = (["ascending", "descending"] as const).find((known) => known === query.get("order"));
  const order = sent ?? (column ? COLUMNS[column] : "ascending");
  return { category, column, order, day: query.get("day") ?? "" };
}

/** The page's address for the market with this choice. */
export function marketAddress({ category, column, order, day }: MarketChoice): string {
  const isUsual = column === undefined || order === COLUMNS[column];
  return addressOf("market", undefined, {
    ...(category && { category }),
    ...(column && { sort: column }),
    ...(!isUsual && { order }),
    ...(day && { day }),
  });
}

/** The choice after a click on a column: its first direction, then the opposite direction, then catalog order. */
export function sortedBy(choice: MarketChoice, column: Column): MarketChoice {
  const first = COLUMNS[column];
  if (choice.column !== column) return { ...choice, column, order: first };
  return choice.order === first
    ? { ...choice, order: first === "ascending" ? "descending" : "ascending" }
    : { ...choice, column: undefined };
}

/** The board's assets: those in `WANTED`, filled up to five if there are fewer than two. Works before prices arrive. */
export function boardOf(assets: readonly PageAsset[], rows: ReadonlyMap<string, unknown>): readonly PageAsset[] {
  const priced = rows.size === 0 ? assets : assets.filter(({ code }) => rows.has(code));
  const wanted = WANTED.flatMap((code) => priced.find((asset) => asset.code === code) ?? []);
  if (wanted.length > 1) return wanted;
  return [...wanted, ...priced.filter((asset) => !wanted.includes(asset))].slice(0, WANTED.length);
}

/** The assets at the top: currencies, coins by weight, cryptocurrencies. The rest follows in catalog order. */
const FIRST = [
  ...["USD", "EUR", "AED", "GBP", "TRY", "CNY"],
  ...["SEKKEH", "BAHAR", "NIM_SEKKEH", "ROB_SEKKEH", "GERAMI_SEKKEH"],
  ...["BTC", "ETH", "USDT"],
];

/** The rows: first the assets in `FIRST`, then the others in catalog order. */
export function entriesOf(assets: readonly PageAsset[], rows: ReadonlyMap<string, MarketRow>, language: Language) {
  const rankOf = (asset: PageAsset): number => {
    const at = FIRST.indexOf(baseOf(asset));
    return at === -1 ? FIRST.length : at;
  };
  return assets
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((asset) => {
      const latest = rows.get(asset.code);
      return { asset, name: nameOf(asset, language), unit: unitOf(asset), latest, ratio: ratioOf(latest) };
    });
}

/** The change since the previous day with a record, as a ratio; `undefined` if it cannot be computed. */
export function ratioOf(row: MarketRow | undefined): number | undefined {
  const before = row?.before?.value;
  return row === undefined || before === undefined || before === 0 ? undefined : row.value / before - 1;
}

/** The rows of the table. If crypto is quoted in dollars, its rial price has no row. */
export function listed(entries: readonly Entry[]): readonly Entry[] {
  const inDollars = new Set(entries.filter(({ unit }) => unit === "USD").map(({ asset }) => baseOf(asset)));
  return entries.filter(
    ({ asset, unit }) => unit === "USD" || asset.category !== "CRYPTO" || !inDollars.has(baseOf(asset)),
  );
}

/** The groups that have rows. Watched assets are only in the first group, assets without a price only in the last. */
export function groupsOf(entries: readonly Entry[], watched: ReadonlySet<string>) {
  const isPriced = entries.some(({ latest }) => latest !== undefined);
  const groupOf = ({ asset, latest }: Entry): GroupName => {
    if (watched.has(asset.code)) return "WATCH";
    return isPriced && latest === undefined ? "NONE" : asset.category;
  };
  const rows = [...listed(entries), ...entries.filter(({ asset }) => watched.has(asset.code))];
  const all = GROUPS.map((name) => ({ name, entries: [...new Set(rows.filter((entry) => groupOf(entry) === name))] }));
  return all.filter((group) => group.entries.length > 0);
}

/** Returns the groups to show, and all groups for the chips, where a watched asset is also counted in its category. */
export function chosenGroups(entries: readonly Entry[], watched: ReadonlySet<string>, category: GroupName | "") {
  const groups = groupsOf(entries, watched);
  const all = [...groups.filter(({ name }) => name === "WATCH"), ...groupsOf(entries, new Set())];
  return { all, shown: category === "" ? groups : all.filter(({ name }) => name === category) };
}

/** Sorts the entries by the chosen column, if any. Equal entries keep their order; entries without a value are last. */
export function sorted(
  entries: readonly Entry[],
  { column, order }: MarketChoice,
  language: Language,
): readonly Entry[] {
  if (column === undefined) return entries;
  const sign = order === "ascending" ? 1 : -1;
  const { compare } = new Intl.Collator(language, { numeric: true });
  return entries.toSorted((one, other) => {
    if (column === "name") return sign * compare(one.name, other.name);
    // Prices in different units cannot be compared, so the prices are sorted by unit first.
    const apart = column === "price" ? UNITS.indexOf(one.unit) - UNITS.indexOf(other.unit) : 0;
    const [left, right] = [valueOf(one, column), valueOf(other, column)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return apart !== 0 ? apart : sign * (left - right);
  });
}

const UNITS: readonly string[] = ["RLS", "USD", "POINT"];

function valueOf({ latest, ratio }: Entry, column: Column): number | undefined {
  if (column === "change") return ratio;
  return latest && (column === "price" ? latest.value : -Date.parse(latest.businessTime));
}
