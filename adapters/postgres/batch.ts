import { MINUTE_MS } from "../../core/internal.ts";
import { QUALITY_STATUSES } from "../../core/mod.ts";
import type { Observation, ObservationKey } from "../../core/mod.ts";
import { arrayOf, numberColumn, textColumn } from "./batch_columns.ts";
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
  /** Of the same columns, the value of all rows as text, or `null` for none; `undefined` where they differ. */
  readonly constants: readonly (string | null | undefined)[];
  /** For each asset the earliest and the latest business time, in the order of `codes`. */
  readonly spans: Spans;
  /** How many accepted rows of each asset come from each provider that is known. */
  readonly providers: ProviderCounts;
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

/** Spans of time, both ends included. */
export interface Spans {
  readonly firsts: string;
  readonly lasts: string;
}

/** Numbers of rows, by asset and provider. */
export interface ProviderCounts {
  /** For each number the place of its code. */
  readonly places: readonly number[];
  readonly names: string;
  readonly counts: string;
}

/** Columns of a row besides its key, with their types: `copies` is how many records of the batch had this key. */
export const ROW_COLUMNS = [
  ["value", "float8"], ["source_time", "bigint"], ["insert_time", "bigint"], ["provider", "text"], ["quality", "smallint"], ["message", "text"], ["copies", "integer"],
] as const;

/** Of records with one key, the last. */
export function batchOf(observations: readonly Observation[]): Batch {
  const { rows, copies } = lastOfEachKey(observations);
  const { codes, places } = codesOf(rows);
  const columns = [
    numberColumn(rows.map(({ value }) => value)),
    numberColumn(rows.map(({ sourceTime }) => sourceTime)),
    numberColumn(rows.map(({ insertTime }) => insertTime)),
    textColumn(rows.map(({ provider }) => provider)),
    numberColumn(rows.map(({ qualityStatus }) => QUALITY_STATUSES.indexOf(qualityStatus))),
    textColumn(rows.map(({ qualityMessage }) => qualityMessage)),
    numberColumn(copies),
  ];
  return {
    ...keysOf(rows, codes, places),
    columns: columns.map(({ array }) => array),
    constants: columns.map(({ constant }) => constant),
    spans: spansOf(rows, places, codes.length),
    providers: providersOf(rows, places),
    length: rows.length,
    records: observations.length,
  };
}

/** Keys, each once. */
export type KeyBatch = Pick<Batch, "codes" | "places" | "businessTimes" | "buckets">;

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
  const found: Set<number>[] = [];
  const last: number[] = [];
  rows.forEach(({ businessTime }, i) => {
    const place = places[i]!;
    const start = Math.floor(businessTime / BUCKET_MS) * BUCKET_MS;
    // The next row of an asset mostly lies in the same bucket.
    if (start === last[place]) return;
    last[place] = start;
    (found[place] ??= new Set()).add(start);
  });
  return { places: found.flatMap((starts, place) => Array.from(starts, () => place)), starts: arrayOf(found.flatMap((starts) => [...starts])) };
}

function spansOf(rows: readonly ObservationKey[], places: readonly number[], codes: number): Spans {
  const firsts = new Array<number>(codes).fill(Infinity);
  const lasts = new Array<number>(codes).fill(-Infinity);
  rows.forEach(({ businessTime }, i) => {
    const place = places[i]!;
    if (businessTime < firsts[place]!) firsts[place] = businessTime;
    if (businessTime > lasts[place]!) lasts[place] = businessTime;
  });
  return { firsts: arrayOf(firsts), lasts: arrayOf(lasts) };
}

function providersOf(rows: readonly Observation[], places: readonly number[]): ProviderCounts {
  const found = new Map<string, { readonly place: number; readonly name: string; count: number }[]>();
  rows.forEach(({ provider, qualityStatus }, i) => {
    if (provider === null || qualityStatus !== "ACCEPTED") return;
    let ofAssets = found.get(provider);
    if (!ofAssets) found.set(provider, (ofAssets = []));
    const place = places[i]!;
    const known = (ofAssets[place] ??= { place, name: element(toStored(provider)), count: 0 });
    known.count++;
  });
  const all = [...found.values()].flatMap((ofAssets) => Object.values(ofAssets));
  return { places: all.map(({ place }) => place), names: arrayOf(all.map(({ name }) => name)), counts: arrayOf(all.map(({ count }) => count)) };
}
