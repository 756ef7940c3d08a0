import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { nameKey } from "./clean_text.ts";
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
}

/** Other names under which these columns are found, if no column has their own name and only one has any of these. */
const SYNONYMS: Readonly<Partial<Record<Column, readonly string[]>>> = {
  code: ["symbol", "asset", "نماد"],
  value: ["price", "قیمت", "latestvalue"],
  businessTime: ["date", "time", "datetime", "timestamp", "تاریخ", "زمان"],
};

const SUGGESTED: Readonly<Partial<Record<Column, readonly string[]>>> = { value: ["close", "last", "sell"], businessTime: ["start", "day"] };

/** Finds the columns of a table by the names in its header; the failure says what it lacks, and which option helps. */
export function planColumns(names: readonly string[], options: ColumnOptions): Result<ColumnPlan, string> {
  const keys = names.map(nameKey);
  const columns: (Column | undefined)[] = names.map(() => undefined);
  const renamed: [Column, string][] = [];
  const missing: Column[] = [];
  const { code, wide, isCode, map } = options;
  const isLong = !wide && code === undefined;
  for (const column of COLUMNS) {
    if (wide && (column === "code" || column === "value")) continue;
    const found = findColumn(column, { names, keys, map, takesSynonyms: column !== "code" || isLong });
    if (!found.ok) return found;
    const at = found.value;
    if (at !== undefined) {
      if (column === "code" && code !== undefined) return err(`its header has ${column}: leave out --code`);
      if (columns[at] !== undefined) return err(`its column "${names[at]!}" cannot be both ${columns[at]} and ${column}`);
      columns[at] = column;
      if (nameKey(column) !== keys[at]) renamed.push([column, names[at]!]);
    } else if (column === "businessTime" || column === "value" || (column === "code" && isLong)) {
      missing.push(column);
    }
  }
  if (missing.length > 0) return err(lackInWords(missing, names, names.filter((name) => isCode(codeOf(name))).length));
  const codes = wide ? assetColumns(names, columns, { map, isCode }) : ok(names.map(() => undefined));
  if (!codes.ok) return codes;
  const isIgnored = (name: string, at: number): boolean => name !== "" && columns[at] === undefined && codes.value[at] === undefined;
  const label = code === undefined ? -1 : keys.findIndex((key) => SYNONYMS.code?.includes(key));
  return ok({ names, columns, codes: codes.value, label: label === -1 ? undefined : label, renamed, ignored: [...new Set(names.filter(isIgnored))] });
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
function findColumn(column: Column, { names, keys, map, takesSynonyms }: Search): Result<number | undefined, string> {
  const mapped = map.get(column);
  if (mapped !== undefined) return placeOf(mapped, names, keys);
  const own = places(keys, nameKey(column));
  if (own.length > 1) return err(`its header has ${column} twice`);
  if (own.length === 1) return ok(own[0]);
  const others = takesSynonyms ? (SYNONYMS[column] ?? []).flatMap((synonym) => places(keys, synonym)) : [];
  const free = others.filter((at) => ![...map.values()].some((name) => nameKey(name) === keys[at]));
  if (free.length > 1) return err(`its columns ${free.map((at) => `"${names[at]!}"`).join(" and ")} could each be ${column}: say which, e.g. --map ${column}=${names[free[0]!]!}`);
  return ok(free[0]);
}

/** The place of the column that `--map` names. */
function placeOf(name: string, names: readonly string[], keys: readonly string[]): Result<number, string> {
  const exact = names.indexOf(name);
  const found = exact === -1 ? places(keys, nameKey(name)) : [exact];
  if (found.length === 1) return ok(found[0]!);
  return err(found.length > 1 ? `its header has "${name}" twice` : `its header has no "${name}", which --map names: it is ${headerInWords(names)}`);
}

function assetColumns(
  names: readonly string[],
  columns: readonly (Column | undefined)[],
  { map, isCode }: Pick<ColumnOptions, "map" | "isCode">,
): Result<readonly (string | undefined)[], string> {
  const keys = names.map(nameKey);
  const codes: (string | undefined)[] = names.map((name, at) => (columns[at] === undefined && isCode(codeOf(name)) ? codeOf(name) : undefined));
  for (const [code, name] of map) {
    if (COLUMNS.some((column) => column === code)) continue;
    const at = placeOf(name, names, keys);
    if (!at.ok) return at;
    codes[at.value] = code;
  }
  const found = codes.filter((code) => code !== undefined);
  const twice = found.find((code, at) => found.indexOf(code) !== at);
  if (twice !== undefined) return err(`its header has two columns of ${twice}: name one with --map ${twice}=NAME`);
  return found.length > 0 ? ok(codes) : err(`no column of its header is an asset: name them, e.g. --map USD_RLS=NAME: it is ${headerInWords(names)}`);
}

function lackInWords(missing: readonly Column[], names: readonly string[], assets: number): string {
  const advice =
    assets > 0 && !missing.includes("businessTime") ? "; if each asset has a column, say --wide"
    : missing.length === 1 && missing[0] === "code" ? "; if all records are of one asset, say --code CODE; or name the column with --map code=NAME"
    : `; name columns with --map, e.g. --map ${missing.map((column) => `${column}=${suggestedName(column, names)}`).join(",")}`;
  const isCandle = advice.includes("businessTime=start") && names.some((name) => nameKey(name) === "close");
  const caution = isCandle ? "; this dates the close at the start of its candle" : "";
  return `its header lacks ${missing.join(", ")}: it is ${headerInWords(names)}${advice}${caution}`;
}

/** A column that may be meant. It is only suggested: of a candle's four prices, others may be wanted. */
function suggestedName(column: Column, names: readonly string[]): string {
  return names.find((name) => SUGGESTED[column]?.includes(nameKey(name))) ?? "NAME";
}

function codeOf(name: string): string {
  return name.trim().toUpperCase();
}

function places(keys: readonly string[], key: string): number[] {
  return keys.flatMap((other, at) => (other === key ? [at] : []));
}
