import type { AccountBook, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "./imports.ts";
import type { DayUsage } from "./store.ts";

/** Everything that a store holds, as it was at one moment. */
export interface StoreContent {
  /** Every record, also those not accepted, in the order of `ObservationWriter.records`. */
  records(): Iterable<StoredRecord> | AsyncIterable<StoredRecord>;
  readonly book: AccountBook;
  /** The counters of the kept days, the newest day first; never fewer units than were used. */
  readonly usage: readonly DayUsage[];
  /** The imports that are remembered, the first one first. */
  readonly imports: readonly Import[];
  /** What an import has replaced or taken away, as it was before; its undo needs it. */
  before(imported: Import): Iterable<ReplacedRecord> | AsyncIterable<ReplacedRecord>;
}

/** A record that an import has replaced, or a pending one that it has taken away. */
export interface ReplacedRecord extends StoredRecord {
  readonly isTaken?: boolean;
}

/** How a store is made of the content of another one. */
export interface MakeOptions {
  readonly now: UtcMillis;
  /** Called now and then with the number of records that are written. */
  progress(records: number): void;
}

/** What was copied. */
export interface CopyCounts {
  readonly records: number;
  readonly accounts: number;
  readonly keys: number;
  /** Quota days with counters. */
  readonly days: number;
  readonly imports: number;
}

/** A place whose store can be copied, or where one can be made of another one. */
export interface Copying {
  /** Calls `use` with the content of the store, and changes nothing. Servers go on meanwhile. Throws a `StoreError` for data that is damaged. */
  withContent<T>(use: (content: StoreContent) => Promise<T>): Promise<T>;
  /** Makes a store of a content: all of it or, when this rejects, none. Throws a `StoreError` where there is one already. */
  make(content: StoreContent, options: MakeOptions): Promise<CopyCounts>;
}

/** Items in batches. */
export async function* inBatches<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
