import { ok } from "../../../core/internal.ts";
import { shellWord } from "../store_options.ts";
import { nameKey } from "./clean_text.ts";
import { unread } from "./needs.ts";
import type { Need, Reading } from "./needs.ts";
import { COLUMNS } from "./record_columns.ts";
import type { Column } from "./record_columns.ts";

/** What the caller says of the columns of a file. */
export interface ColumnOptions {
  /** Names of columns in the file, by the import format's name or, in wide tables, by the asset code. */
  readonly map: ReadonlyMap<string, string>;
  /** The asset of all records of a file without a code column. */
  readonly code: string | undefined;
  /** Whether each asset has a column of its own. */
  readonly wide: boolean;
  /** Whether a text is the code of an asset. */
  readonly isCode: (text: string) => boolean;
}

/** Which cell of a row is what. */
export interface ColumnPlan {
  readonly names: readonly string[];
  /** The column of the import format that each cell belongs to; `undefined` for cells that are not read, and values of wide tables. */
  readonly columns: readonly (Column | undefined)[];
  /** In wide tables, the asset of each cell that is a value. */
  readonly codes: readonly (string | undefined)[];
  /** With `code` given: the cell that could name an asset as well, and must then be the same in all rows. */
  readonly label: number | undefined;
  /** Names that are not part of the import format, each once. */
  readonly ignored: readonly string[];
  /** Columns that were found by another name than the import format's: the format's name, and the file's. */
  readonly renamed: readonly (readonly [column: Column, name: string])[];
  /** What the header leaves open. The rest is as if the options of these needs were given, as far as they can be guessed. */
  readonly needs: readonly Need[];
}

/** Other names under which these columns are found, if no column has their own name and only one has any of these. */
const SYNONYMS: Readonly<Partial<Record<Column, readonly string[]>>> = {
  code: ["symbol", "asset", "نماد"],
  value: ["price", "قیمت"],
  businessTime: ["date", "time", "datetime", "timestamp", "تاریخ", "زمان"],
};

/** Names of columns that may be meant. They are only suggested: of a candle's four prices, others may be wanted. */
const SUGGESTED: Readonly<Partial<Record<Column, readonly string[]>>> = {
  value: ["close", "پایانی", "last", "آخرین", "sell", "فروش", "buy", "خرید"],
  businessTime: ["end", "start", "day", "روز"],
};

/** Finds the columns of a table by the names in its header. What these leave open is part of the plan. */
export function planColumns(names: readonly string[], options: ColumnOptions): Reading<ColumnPlan> {
  const keys = names.map(nameKey);
  const columns: (Column | undefined)[] = names.map(() => undefined);
  const renamed: [Column, string][] = [];
  const needs: Need[] = [];
  const { code, wide, isCode, map } = options;
  const isLong = !wide && code === undefined;
  for (const column of COLUMNS) {
    if (wide && (column === "code" || column === "value")) continue;
    const found = findColumn(column, { names, keys, map, takesSynonyms: column !== "code" || isLong });
    if (!found.ok) return found;
    const { at, need } = found.value;
    if (need) needs.push(need);
    if (at !== undefined) {
      if (column === "code" && code !== undefined) return unread(`its header has ${column}: leave out --code`);
      if (columns[at] !== undefined) return unread(`its column "${names[at]!}" cannot be both ${columns[at]} and ${column}`);
      columns[at] = column;
      if (nameKey(column) !== keys[at]) renamed.push([column, names[at]!]);
    } else if (column === "code" ? isLong : column === "businessTime" || column === "value") {
      const guess = keys.indexOf((SUGGESTED[column] ?? []).find((key) => keys.includes(key)) ?? "");
      needs.push(lack(column, names, names[guess]));
      if (guess !== -1) columns[guess] ??= column;
    }
  }
  const isShort = !columns.includes("code") || !columns.includes("value");
  if (isLong && isShort && columns.includes("businessTime") && names.some((name) => isCode(codeOf(name)))) return withWide(planColumns(names, { ...options, wide: true }), names);
  const codes = wide ? assetColumns(names, columns, { map, isCode }) : ok(names.map(() => undefined));
  if (!codes.ok) return codes;
  if (wide) needs.push(...assetNeeds(names, codes.value));
  const isIgnored = (name: string, at: number): boolean => name !== "" && columns[at] === undefined && codes.value[at] === undefined;
  const label = code === undefined ? -1 : keys.findIndex((key) => SYNONYMS.code?.includes(key));
  return ok({ names, columns, codes: codes.value, label: label === -1 ? undefined : label, renamed, ignored: [...new Set(names.filter(isIgnored))], needs });
}

/** The header of a file as messages quote it. */
export function headerInWords(names: readonly string[]): string {
  const text = names.join(",");
  return text.length <= 100 ? `"${text}"` : `"${text.slice(0, 100)}…"`;
}

interface Search {
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly map: ColumnOptions["map"];
  readonly takesSynonyms: boolean;
}

/** The place of a column: mapped, or by its own name, or by a synonym. */
function findColumn(column: Column, { names, keys, map, takesSynonyms }: Search): Reading<{ readonly at: number | undefined; readonly need?: Need }> {
  const mapped = map.get(column);
  if (mapped !== undefined) {
    const place = placeOf(mapped, names, keys);
    return place.ok ? ok({ at: place.value }) : place;
  }
  const own = places(keys, nameKey(column));
  const others = takesSynonyms && own.length === 0 ? (SYNONYMS[column] ?? []).flatMap((synonym) => places(keys, synonym)) : own;
  const free = others.filter((at) => ![...map.values()].some((name) => nameKey(name) === keys[at]));
  const [at] = free;
  if (at === undefined || free.length === 1) return ok({ at });
  const listed = free.map((other) => `"${names[other]!}"`).join(" and ");
  return ok({ at, need: { option: mapping(column, names[at]!), reason: `its columns ${listed} could each be ${column}` } });
}

/** The place of the column that `--map` names: the first, where several have that very name. */
function placeOf(name: string, names: readonly string[], keys: readonly string[]): Reading<number> {
  const exact = names.indexOf(name);
  const found = exact === -1 ? places(keys, nameKey(name)) : [exact];
  if (found.length === 1) return ok(found[0]!);
  return unread(found.length > 1 ? `its header has "${name}" twice` : `its header has no "${name}", which --map names: it is ${headerInWords(names)}`);
}

function assetColumns(
  names: readonly string[],
  columns: readonly (Column | undefined)[],
  { map, isCode }: Pick<ColumnOptions, "map" | "isCode">,
): Reading<readonly (string | undefined)[]> {
  const keys = names.map(nameKey);
  const codes: (string | undefined)[] = names.map((name, at) => (columns[at] === undefined && isCode(codeOf(name)) && !map.has(codeOf(name)) ? codeOf(name) : undefined));
  for (const [code, name] of map) {
    if (COLUMNS.some((column) => column === code)) continue;
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    codes[at.value] = code;
  }
  return ok(codes);
}

/** What a header without asset columns, or with two of the same asset, leaves open. */
function assetNeeds(names: readonly string[], codes: readonly (string | undefined)[]): readonly Need[] {
  if (codes.every((code) => code === undefined)) return [{ option: "--map CODE=NAME", reason: `no column of its header is an asset: it is ${headerInWords(names)}` }];
  return codes.flatMap((code, at) => {
    const isTwice = code !== undefined && codes.indexOf(code) === at && codes.lastIndexOf(code) !== at;
    return isTwice ? [{ option: mapping(code, names[at]!), reason: `its header has two columns of ${code}` }] : [];
  });
}

/** A plan of a table in which each asset has a column, which the caller has not said. */
function withWide(plan: Reading<ColumnPlan>, names: readonly string[]): Reading<ColumnPlan> {
  const need = { option: "--wide", reason: `each asset has a column: its header is ${headerInWords(names)}` };
  return plan.ok ? ok({ ...plan.value, needs: [need, ...plan.value.needs] }) : plan;
}

function lack(column: Column, names: readonly string[], guess = "NAME"): Need {
  const reason = `its header lacks ${column}: it is ${headerInWords(names)}`;
  if (column === "code") return { option: "--code CODE", reason };
  const isCandle = nameKey(guess) === "start" && names.some((name) => nameKey(name) === "close");
  return { option: mapping(column, guess), reason: isCandle ? `${reason}; this dates the close at the start of its candle` : reason };
}

function mapping(column: string, name: string): string {
  return `--map ${shellWord(`${column}=${name}`)}`;
}

function codeOf(name: string): string {
  return name.trim().toUpperCase();
}

function places(keys: readonly string[], key: string): number[] {
  return keys.flatMap((other, at) => (other === key ? [at] : []));
}
