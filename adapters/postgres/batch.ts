import { MINUTE_MS } from "../../core/internal.ts";
import { QUALITY_STATUSES } from "../../core/mod.ts";
import type { Observation, ObservationKey } from "../../core/mod.ts";
import { element, toStored } from "./text.ts";

/** The width of a bucket of the roll-up. */
export const BUCKET_MS = 15 * MINUTE_MS;

/** Rows to be written, their columns as arrays of SQL. Nothing of the caller's objects is needed later. */
export interface Batch {
  /** The codes, each once, in the order in which they come. */
  readonly codes: readonly string[];
  /** For each row the place of its code in `codes`. */
  readonly places: readonly number[];
  readonly businessTimes: string;
  /** The other columns, in the order of `ROW_COLUMNS`. */
  readonly columns: readonly string[];
  /** The buckets of the roll-up in which the rows lie. */
  readonly buckets: Buckets;
  /** How many rows there are, and of how many records they are made. */
  readonly length: number;
  readonly records: number;
}

/** Buckets of the roll-up, each once. */
export interface Buckets {
  /** For each the place of its code. */
  readonly places: readonly number[];
  readonly starts: string;
}

/** Columns of a row besides its key, with their types: `copies` is how many records of the batch had this key. */
export const ROW_COLUMNS = [
  ["value", "float8"], ["source_time", "bigint"], ["insert_time", "bigint"], ["provider", "text"], ["quality", "smallint"], ["message", "text"], ["copies", "integer"],
] as const;

/** Of records with one key, the last. */
export function batchOf(observations: readonly Observation[]): Batch {
  const { rows, copies } = lastOfEachKey(observations);
  const { codes, places } = codesOf(rows);
  const texts = new Map<string, string>();

  // A batch has few different names and messages.
  function textOf(text: string | null): string {
    if (text === null) return "NULL";
    let written = texts.get(text);
    if (written === undefined) texts.set(text, (written = element(toStored(text))));
    return written;
  }

  const columns = [
    rows.map(({ value }) => value),
    rows.map(({ sourceTime }) => sourceTime ?? "NULL"),
    rows.map(({ insertTime }) => insertTime),
    rows.map(({ provider }) => textOf(provider)),
    rows.map(({ qualityStatus }) => QUALITY_STATUSES.indexOf(qualityStatus)),
    rows.map(({ qualityMessage }) => textOf(qualityMessage)),
    copies,
  ];
  return { ...keysOf(rows, codes, places), columns: columns.map(arrayOf), length: rows.length, records: observations.length };
}

/** Keys, each once. */
export type KeyBatch = Omit<Batch, "columns" | "length" | "records">;

/** Keys to be removed. */
export function keyBatch(keys: readonly ObservationKey[]): KeyBatch {
  const { rows } = lastOfEachKey(keys);
  const { codes, places } = codesOf(rows);
  return keysOf(rows, codes, places);
}

function keysOf(rows: readonly ObservationKey[], codes: readonly string[], places: readonly number[]): KeyBatch {
  return { codes, places, businessTimes: arrayOf(rows.map(({ businessTime }) => businessTime)), buckets: bucketsOf(rows, places) };
}

function lastOfEachKey<Row extends ObservationKey>(all: readonly Row[]): { readonly rows: readonly Row[]; readonly copies: readonly number[] } {
  if (areAscending(all)) return { rows: all, copies: all.map(() => 1) };
  const found = new Map<string, { row: Row; copies: number }>();
  for (const row of all) {
    const key = `${row.businessTime} ${row.code}`;
    const known = found.get(key);
    if (known) {
      known.row = row;
      known.copies++;
    } else found.set(key, { row, copies: 1 });
  }
  const values = [...found.values()];
  return { rows: values.map(({ row }) => row), copies: values.map(({ copies }) => copies) };
}

/** Whether the times of each asset ascend, as they mostly do: no key occurs twice then. */
export function areAscending(keys: readonly ObservationKey[]): boolean {
  const last = new Map<string, number>();
  for (const { code, businessTime } of keys) {
    if (businessTime <= (last.get(code) ?? -Infinity)) return false;
    last.set(code, businessTime);
  }
  return true;
}

function codesOf(rows: readonly ObservationKey[]): { readonly codes: readonly string[]; readonly places: readonly number[] } {
  const known = new Map<string, number>();
  const places = rows.map(({ code }) => {
    let place = known.get(code);
    if (place === undefined) known.set(code, (place = known.size));
    return place;
  });
  return { codes: [...known.keys()].map(toStored), places };
}

function bucketsOf(rows: readonly ObservationKey[], places: readonly number[]): Buckets {
  const found = new Map<number, Set<number>>();
  let last: Set<number> | undefined;
  let lastPlace = -1;
  rows.forEach(({ businessTime }, i) => {
    const place = places[i]!;
    if (place !== lastPlace) {
      last = found.get(place);
      if (!last) found.set(place, (last = new Set()));
      lastPlace = place;
    }
    last!.add(Math.floor(businessTime / BUCKET_MS) * BUCKET_MS);
  });
  const pairs = [...found].flatMap(([place, starts]) => [...starts].map((start) => [place, start] as const));
  return { places: pairs.map(([place]) => place), starts: arrayOf(pairs.map(([, start]) => start)) };
}

/** Elements as an array of SQL. */
export function arrayOf(elements: readonly (string | number)[]): string {
  return `{${elements.join(",")}}`;
}
