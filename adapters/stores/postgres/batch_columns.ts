import { keyOf, MINUTE_MS } from "../../../core/internal.ts";
import { type Observation, type ObservationKey, QUALITY_STATUSES } from "../../../core/mod.ts";
import { textArray, toStored } from "./escape_text.ts";

/** The width of a roll-up bucket. */
export const BUCKET_MS = 15 * MINUTE_MS;

/** The columns of a record except its asset, with their types. */
export const ROW_COLUMNS = [
  ["business_time", "bigint"],
  ["value", "float8"],
  ["source_time", "bigint"],
  ["insert_time", "bigint"],
  ["quality", "smallint"],
  ["provider", "text"],
  ["message", "text"],
] as const;

/** Records as columns, in the order of `ROW_COLUMNS`; each is an SQL array. */
export function columnsOf(rows: readonly Observation[]): readonly string[] {
  return [
    arrayOf(rows.map(({ businessTime }) => businessTime)),
    arrayOf(rows.map(({ value }) => value)),
    arrayOf(rows.map(({ sourceTime }) => sourceTime ?? "NULL")),
    arrayOf(rows.map(({ insertTime }) => insertTime)),
    arrayOf(rows.map(({ qualityStatus }) => QUALITY_STATUSES.indexOf(qualityStatus))),
    textArray(rows.map(({ provider }) => (provider === null ? null : toStored(provider)))),
    textArray(rows.map(({ qualityMessage }) => toStored(qualityMessage))),
  ];
}

/** The distinct codes of rows in order of appearance, as they are stored. */
export function codesOf(rows: readonly Pick<ObservationKey, "code">[]): readonly string[] {
  return [...new Set(rows.map(({ code }) => code))].map(toStored);
}

/** Elements as an SQL array. */
export function arrayOf(elements: readonly (string | number)[]): string {
  return `{${elements.join(",")}}`;
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

/** The last row of each key, and an SQL array with the number of rows of each key. */
export function lastOfEachKey<Row extends ObservationKey>(
  rows: readonly Row[],
): { readonly last: readonly Row[]; readonly copies: string } {
  const found = new Map<string, { row: Row; copies: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    found.set(key, { row, copies: (found.get(key)?.copies ?? 0) + 1 });
  }
  const all = [...found.values()];
  return { last: all.map(({ row }) => row), copies: arrayOf(all.map(({ copies }) => copies)) };
}
