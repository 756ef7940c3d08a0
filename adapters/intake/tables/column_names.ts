import { ok } from "../../../core/internal.ts";
import { nameKey, quoted } from "./clean_text.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import type { Column } from "./record_columns.ts";

/** Synonyms for the columns of the import format, used if a file has no column of the original name. */
const SYNONYMS: Readonly<Partial<Record<Column, readonly string[]>>> = {
  code: "symbol asset نماد دارایی ticker pair market".split(" "),
  value: (
    "فی قیمتواحد نرخواحد قیمتهرواحد قیمتهرعدد قیمتهرگرم " +
    "unitprice priceperunit pricepergram price rate قیمت نرخ latestvalue"
  ).split(" "),
  businessTime: "unix ts date time datetime timestamp تاریخ زمان".split(" "),
};

/** Further names of the column `code`, used if the file has none of its synonyms. */
const OTHER_NAMES_OF_CODE = ["name", "نام", "key", "coin", "ارز", "currency"];
export const NAMES_OF_CODE: readonly string[] = [...(SYNONYMS.code ?? []), ...OTHER_NAMES_OF_CODE];

/** A column whose name contains one of these parts is suggested to the caller. The most likely part comes first. */
const SUGGESTED: Readonly<Partial<Record<Column, readonly string[]>>> = {
  value: "close پایانی last latest sell فروش price قیمت rate نرخ buy خرید ask bid".split(" "),
  businessTime: ["updated", "end", "start", "day", "date", "تاریخ", "time", "زمان", "روز"],
};
export const CHANGES = /change|تغییر/;
/** Names of columns with other times, such as the time of the all-time high. */
const OTHER_TIMES = /change|تغییر|^at[hl]|created|genesis|expir/;
/** Names of columns with other numbers than unit prices: times, totals, counts, weights, codes of items. */
export const OTHER_THAN_PRICES =
  /^is|prev|yesterday|updated|time|date|change|دیروز|قبل|تاریخ|زمان|تغییر|total|amount|sum$|subtotal|weight|count|quantity|qty|volume|turnover|^(?:item|product)?(?:code|id|no)$|^(?:row|index|#)$|(?<!شاخص)کل$|جمع|مجموع|تعداد|مقدار|وزن|^گرم$|حجم|کد|شناسه|ردیف|شماره/;
/** Names of columns with quantities or weights, whose prices may be totals. */
export const QUANTITIES = /amount|weight|count|quantity|qty|تعداد|مقدار|وزن|^گرم$/;
const PRICES = /open|high|low|close|last|buy|sell|bid|ask|price|rate|قیمت|نرخ|خرید|فروش|پایانی/;
const CLOSES = ["close", "last", "پایانی", "قیمتپایانی"];
/** The number after a repeated name, as in `price #2`. */
export const NUMBERED = / #\d+$/;

/** Numbers repeated names: `price`, `price #2`. */
export function numbered(names: readonly string[]): readonly string[] {
  return names.map((name, at) =>
    name === "" || names.indexOf(name) === at
      ? name
      : `${name} #${names.slice(0, at).filter((other) => other === name).length + 1}`,
  );
}

interface Search {
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly map: ReadonlyMap<string, string>;
  readonly takesSynonyms: boolean;
}

/** Finds the place of a column: by an answer, by its own name, or by a synonym. */
export function findColumn(
  column: Column,
  { names, keys, map, takesSynonyms }: Search,
): ReadResult<{ readonly at: number | undefined; readonly question?: OpenQuestion }> {
  const mapped = map.get(column) ?? (column === "value" ? map.get("close") : undefined);
  if (mapped !== undefined) {
    const place = placeOf(mapped, names, keys);
    return place.ok ? ok({ at: place.value }) : place;
  }
  const own = places(keys, nameKey(column));
  let first = (SYNONYMS[column] ?? []).flatMap((synonym) => places(keys, synonym));
  if (column === "code" && first.length === 0) first = OTHER_NAMES_OF_CODE.flatMap((name) => places(keys, name));
  // Beside a close, a column `value` may be the total value of all trades.
  const closes = own.length > 0 && first.length === 0 ? CLOSES.flatMap((key) => places(keys, key)) : [];
  // A close is the price if there is no other price.
  const isAlone = column === "value" && !keys.some((key) => key !== "close" && PRICES.test(key));
  if (isAlone && first.length === 0 && own.length === 0) return ok({ at: places(keys, "close")[0] });
  let others = takesSynonyms && own.length === 0 ? first : own;
  if (column === "value") others = [...first, ...closes, ...own];
  const mappedKeys = [...map.values()].map(nameKey);
  const free = others.filter((at) => !mappedKeys.includes(keys[at]!) && !mappedKeys.includes(nameKey(names[at]!)));
  const [at] = free;
  if (at === undefined || free.length === 1) return ok({ at });
  // If two tables are side by side, each has a column of dates.
  const isTwice = free.some((other) => other !== at && NUMBERED.test(names[other]!));
  if (isTwice && column === "businessTime")
    return unread(`its header has "${names[at]!}" twice: save each of its tables in a separate file`);
  const listed = free.map((other) => `"${names[other]!}"`).join(" and ");
  return ok({
    at,
    question: { ...mapping(column, names[at]!), reason: `its columns ${listed} could each be ${column}` },
  });
}

/** Replaces column numbers in answers by names. */
export function withNames(map: ReadonlyMap<string, string>, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...map].map(([column, name]) => [column, names.includes(name) ? name : names[+name - 1] || name]));
}

/** Finds the column that the user's answer names. The answer may omit its unit. Unnamed columns have numbers. */
export function placeOf(name: string, names: readonly string[], keys: readonly string[]): ReadResult<number> {
  const [found = []] = [names, names.map(nameKey), keys]
    .map((all, at) => places(all, at === 0 ? name : nameKey(name)))
    .filter(({ length }) => length > 0);
  if (found.length === 1) return ok(found[0]!);
  if (names[+name - 1] === "") return ok(+name - 1);
  return unread(
    found.length > 1
      ? `its header has "${name}" twice`
      : `its header has no "${name}": it is ${quoted(names.join(","))}`,
  );
}

/** The question about a missing column. */
export function lack(column: Column, names: readonly string[], guess?: string): OpenQuestion {
  const reason = `its header lacks ${column}: it is ${quoted(names.join(","))}`;
  if (guess === undefined) return { set: {}, missing: column, reason };
  const isCandle = nameKey(guess) === "start" && names.some((name) => nameKey(name) === "close");
  const warning = isCandle ? "; each close would then be stored at the start of its candle" : "";
  return { ...mapping(column, guess), reason: reason + warning };
}

/** The place of a suggested column; -1 for none. */
export function suggested(column: Column, given: readonly string[]): number {
  const other = column === "value" ? OTHER_THAN_PRICES : OTHER_TIMES;
  const keys = given.map((key) => (other.test(key) ? "" : key));
  const exact = SUGGESTED[column]?.find((wanted) => keys.includes(wanted));
  if (exact !== undefined) return keys.indexOf(exact);
  const part = SUGGESTED[column]?.find((wanted) => keys.some((key) => key.includes(wanted)));
  return part === undefined ? -1 : keys.findIndex((key) => key.includes(part));
}

/** The answer that names a column of the file, without invisible marks of direction. */
export function mapping(column: string, name: string): Pick<OpenQuestion, "set"> {
  return { set: { columns: { [column]: name.replace(/\p{Bidi_Control}/gu, "") } } };
}

function places(keys: readonly string[], key: string): number[] {
  return keys.flatMap((other, at) => (other === key ? [at] : []));
}
