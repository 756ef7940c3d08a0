import { keyOf, MINUTE_MS } from "../../../core/internal.ts";
import { type AssetCode, type Observation, type ObservationKey, QUALITY_STATUSES } from "../../../core/mod.ts";
import type { Element } from "./escape_text.ts";

/** The width of a roll-up bucket. */
export const BUCKET_MS = 15 * MINUTE_MS;

/** The columns of a record except its asset: name, type and value. */
export const ROW_COLUMNS: readonly (readonly [name: string, type: string, valueOf: (row: Observation) => Element])[] = [
  ["business_time", "bigint", (row) => row.businessTime],
  ["value", "float8", (row) => row.value],
  ["source_time", "bigint", (row) => row.sourceTime],
  ["insert_time", "bigint", (row) => row.insertTime],
  ["quality", "smallint", (row) => QUALITY_STATUSES.indexOf(row.qualityStatus)],
  ["provider", "text", (row) => row.provider],
  ["message", "text", (row) => row.qualityMessage],
];

/** The values of records by column, in the order of `ROW_COLUMNS`. */
export function columnsOf(rows: readonly Observation[]): readonly (readonly Element[])[] {
  return ROW_COLUMNS.map(([, , valueOf]) => rows.map(valueOf));
}

/** The distinct codes of rows in order of appearance. */
export function codesOf(rows: readonly Pick<ObservationKey, "code">[]): readonly AssetCode[] {
  return [...new Set(rows.map(({ code }) => code))];
}

/** Splits rows into parts in which no key occurs twice. The parts are stored one after the other. */
export function withoutRepetition<Row extends ObservationKey>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const times = new Map<string, number>();
  const parts: Row[][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const nth = times.get(key) ?? 0;
    times.set(key, nth + 1);
    (parts[nth] ??= []).push(row);
  }
  return parts;
}

/** The last row of each key, and the number of rows of each key. */
export function lastOfEachKey<Row extends ObservationKey>(
  rows: readonly Row[],
): { readonly last: readonly Row[]; readonly copies: readonly number[] } {
  const found = new Map<string, { row: Row; copies: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    found.set(key, { row, copies: (found.get(key)?.copies ?? 0) + 1 });
  }
  const all = [...found.values()];
  return { last: all.map(({ row }) => row), copies: all.map(({ copies }) => copies) };
}
