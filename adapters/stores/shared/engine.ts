import type {
  AccountBook,
  AccountChange,
  AppendOutcome,
  AssetCode,
  MaybePromise,
  Observation,
  Observations,
} from "../../../core/mod.ts";
import type { ImportAccess } from "./imports.ts";
import type { DayUsage, Store, StoreChange, StoredQuota } from "./store.ts";

/** An engine that keeps the data of an installation, at the place that a setting names. Nothing is opened before it is asked for. */
export interface Engine {
  /** The place, for people, without secrets: `/srv/market/data`, `postgres://market@db.example/market`. */
  readonly name: string;
  /** The directory, where the data is in files. */
  readonly directory?: string;
  /** Throws a failure unless there is a store. With `init`, a missing one is made ready for, and named; without a value, the command can make none. Absent: nothing is checked. */
  demand?(init: boolean | undefined): Promise<void>;
  /** Opens the store for a server. */
  open(options?: OpenOptions): Promise<Store>;
  /** The store for a command that changes it, also while servers run. */
  reach(): Promise<StoreAccess>;
  /** The store for a command that only reads. Throws a `StoreError` where there is none. */
  read(): Promise<StoreReader>;
  /** Checks all data for damage, and changes nothing. */
  verify(): Promise<Verification>;
  /** What the server that holds the store says of itself; `undefined` if there is none. Absent for an engine that no server holds. */
  status?(): Promise<unknown>;
  /** The same for its mirror, as `OpenOptions.mirrorAgain`. */
  mirrorAgain?(...asked: Parameters<MirrorAgain>): Promise<boolean | undefined>;
  /** Takes superseded records out of the files. Absent for an engine without files. */
  compact?(): Promise<Compaction>;
}

/** How a server opens a store. */
export interface OpenOptions {
  /** What the server says of itself, a JSON value, for engines with `status`. Default: nothing. */
  readonly describe?: () => unknown;
  /** Has the mirror of the server ask again for days of an asset; tells whether there is a mirror. Default: there is none. */
  readonly mirrorAgain?: MirrorAgain;
  /** Called with each change; where many processes share an engine, with those by commands. Default: not called. */
  readonly onChange?: (change: StoreChange) => void;
}

/** Asks a mirror for days of an asset again, first and last as day numbers. Throws `RangeError` for a code that it does not have. */
export type MirrorAgain = (
  code: AssetCode,
  days: { readonly from: number; readonly to: number },
) => MaybePromise<boolean>;

/**
 * A store, for a command that changes it, wherever it is open. Arguments and results are JSON values, and each method may be called
 * again when its answer was lost.
 */
export interface StoreAccess {
  append(batch: readonly Observation[], source?: string): Promise<AppendOutcome>;
  book(): Promise<AccountBook>;
  /** Makes all changes at once, or none when one of them does not fit. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  readonly imports: ImportAccess;
  close(): Promise<void>;
  // What only a process is asked that has a directory of files.
  /** What was used on the quota days that are open: also of a day's reservations, only what was really used. */
  usage?(): Promise<readonly DayUsage[]>;
  info?(): Promise<OwnerInfo>;
  /** What the process says of itself: a JSON value; `undefined` if it says nothing. */
  status?(): Promise<unknown>;
  /** Has the mirror of that process ask again for days of an asset; tells whether there is a mirror. */
  mirrorAgain?(...asked: Parameters<MirrorAgain>): Promise<boolean>;
  /** Takes out of the files what was replaced or removed since. The store is read and written meanwhile. */
  compact?(): Promise<Compaction>;
}

/** Facts about a process that has a store open, and about that store. */
export interface OwnerInfo {
  readonly storeId: string;
  readonly pid: number;
  /** How often the directory was opened. */
  readonly generation: number;
  /** Version of all observations. */
  readonly version: string;
  /** Number of places in the log of observations that could not be read. */
  readonly damages: number;
}

/** The outcome of a compaction. */
export interface Compaction {
  /** How many records the log holds. */
  readonly records: number;
  /** Bytes of the log's files afterwards. */
  readonly bytes: number;
  /** How many bytes fewer those are than before. */
  readonly freed: number;
}

/** A store, for a command that reads. Each part is read when it is asked for. */
export interface StoreReader {
  book(): MaybePromise<AccountBook>;
  readonly usage: StoredQuota["usage"];
  market(): Promise<MarketReader>;
  close(): Promise<void>;
}

/** All records, one after the other. */
export type Records = Iterable<Observation> | AsyncIterable<Observation>;

/** Which assets come first, and whether all others come after them. */
export interface AssetOrder {
  readonly first: readonly AssetCode[];
  readonly others: boolean;
}

/** The observations of a store, for a command that reads. */
export interface MarketReader {
  readonly storeId: string;
  readonly observations: Observations & {
    /** All records: by asset, in the order of their first appearance or in the one that is wanted, then by status, then by business time. */
    records(order?: AssetOrder): Records;
  };
  /** Places in the data that could not be read, as JSON objects that say where and why; the rest is in `observations`. */
  readonly damages: readonly object[];
  /** Incomplete writes: a crash left them, or another process is writing just now. */
  readonly torn: readonly object[];
  /** Bytes on the disk by part of the store, in the order in which they are shown. */
  bytes(): MaybePromise<Readonly<Record<string, number>>>;
}

/** What a check of all data has found. */
export interface Verification {
  /** The exit code of a command: 0 nothing, 1 an incomplete write, 2 damage that leaves the rest to be served, 3 nothing can be read. */
  readonly state: 0 | 1 | 2 | 3;
  /** All of it, for machines; has `state`, too. */
  readonly report: object;
  /** One row for each part that was checked. */
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Each place that is damaged, as a sentence or a part of one. */
  readonly places: readonly string[];
  /** What that means, and what to do. */
  readonly verdict: string;
}
