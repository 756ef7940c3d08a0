import type { AccountBook, UtcMillis } from "../../../core/mod.ts";
import type { Import, StoredRecord } from "./imports.ts";
import type { DayUsage } from "./store.ts";

/** Everything in a store at one moment. */
export interface StoreContent {
  /** Records of every status, in the order of `ObservationWriter.records`. */
  records(): Iterable<StoredRecord> | AsyncIterable<StoredRecord>;
  readonly book: AccountBook;
  /** Counters of the kept days, newest day first. The counters never have fewer units than were used. */
  readonly usage: readonly DayUsage[];
  readonly imports: readonly Import[];
  /** The records that an import has replaced or taken away, for its undo. */
  before(imported: Import): Iterable<ReplacedRecord> | AsyncIterable<ReplacedRecord>;
}

/** A record that an import has replaced. With `isTaken`, a pending record that the import has taken away. */
export interface ReplacedRecord extends StoredRecord {
  readonly isTaken?: boolean;
}

/** How a store is made from the content of another. */
export interface MakeOptions {
  readonly now: UtcMillis;
  /** Called from time to time with the number of records written so far. */
  progress(records: number): void;
}

/** Numbers of copied items. */
export interface CopyCounts {
  readonly records: number;
  readonly accounts: number;
  readonly keys: number;
  readonly days: number;
  readonly imports: number;
}

/** Counts the items of a content. The number of its records is known already. */
export function countsOf({ book, usage, imports }: StoreContent, records: number): CopyCounts {
  const { accounts, keys } = book;
  return { records, accounts: accounts.length, keys: keys.length, days: usage.length, imports: imports.length };
}

/** A place whose store can be copied, or where a copy can be made. */
export interface Copying {
  /** Calls `use` with the content of the store. Servers may be running. Throws a `StoreError` for damaged data. */
  withContent<T>(use: (content: StoreContent) => Promise<T>): Promise<T>;
  /** Makes a complete store from a content, or none if that fails. Throws a `StoreError` if there is one already. */
  make(content: StoreContent, options: MakeOptions): Promise<CopyCounts>;
}

/** Items in batches. Items of a list are not awaited, because a promise for each item takes time. */
export async function* inBatches<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  const batch: T[] = [];
  if (Symbol.asyncIterator in items)
    for await (const item of items) {
      if (batch.push(item) === size) yield batch.splice(0);
    }
  else
    for (const item of items) {
      if (batch.push(item) === size) yield batch.splice(0);
    }
  if (batch.length > 0) yield batch;
}
