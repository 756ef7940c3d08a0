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
import type { DayUsage, Store, StoreChange, StoredQuota, StoreInfo } from "./store.ts";

/** The engine of the store that a setting names. Nothing is opened until a method is called. */
export interface Engine {
  /** The name for users, without secrets, such as `/srv/market/data` or `postgres://market@db.example/market`. */
  readonly name: string;
  /** The data directory, if the data is in files. */
  readonly directory?: string;
  /** Throws if there is no store and `init` is not true. If `init` is `undefined`, the command has no such option. */
  demand?(init: boolean | undefined): Promise<void>;
  /** Opens the store for a server. */
  open(options?: OpenOptions): Promise<Store>;
  /** Access to the store for a command that changes data. Servers may be running. */
  reach(): Promise<StoreAccess>;
  /** Access to the store for a command that only reads. Throws a `StoreError` if there is no store. */
  read(): Promise<StoreReader>;
  /** Checks all data for damage, and changes nothing. */
  verify(): Promise<Verification>;
  /** The status of the server that has the store open, if any. Absent for a store that several servers share. */
  status?(): Promise<unknown>;
  /** Calls `OpenOptions.mirrorAgain` of the server, or returns `undefined` if there is no server. */
  mirrorAgain?(...asked: Parameters<MirrorAgain>): Promise<boolean | undefined>;
  /** Removes superseded records from the files. Absent for an engine without files. */
  compact?(): Promise<Compaction>;
}

/** How a server opens a store. */
export interface OpenOptions {
  /** The server's own status, a JSON value, for engines with `status`. */
  readonly describe?: () => unknown;
  readonly mirrorAgain?: MirrorAgain;
  /** Called for each change. In a store that several processes share, also called for changes by commands. */
  readonly onChange?: (change: StoreChange) => void;
}

/** Tells the mirror to request days of an asset again. False: no mirror. `RangeError`: the asset is not mirrored. */
export type MirrorAgain = (
  code: AssetCode,
  days: { readonly from: number; readonly to: number },
) => MaybePromise<boolean>;

/** An open store, for a command that changes it. Arguments and results are JSON. Calls can be repeated. */
export interface StoreAccess {
  append(batch: readonly Observation[], source?: string): Promise<AppendOutcome>;
  book(): Promise<AccountBook>;
  /** Makes all changes, or none if one is invalid. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  readonly imports: ImportAccess;
  close(): Promise<void>;
  // The remaining members exist only for a directory of files.
  /** The used units on the open quota days, without reserved units that were not used. */
  usage?(): Promise<readonly DayUsage[]>;
  info?(): Promise<OwnerInfo>;
  /** The status of the process that has the store open, a JSON value; `undefined` if that process reports none. */
  status?(): Promise<unknown>;
  mirrorAgain?(...asked: Parameters<MirrorAgain>): Promise<boolean>;
  /** Removes superseded records from the files. The store remains in use. */
  compact?(): Promise<Compaction>;
}

/** A process that has a store open, and that store. */
export interface OwnerInfo extends Pick<StoreInfo, "storeId" | "version" | "damages"> {
  readonly pid: number;
  /** How often the directory was opened. */
  readonly generation: number;
}

/** The outcome of a compaction. */
export interface Compaction {
  readonly records: number;
  readonly bytes: number;
  readonly freed: number;
}

/** A store for a command that reads it. Each part of the store is read when it is first used. */
export interface StoreReader {
  book(): MaybePromise<AccountBook>;
  readonly usage: StoredQuota["usage"];
  market(): Promise<MarketReader>;
  close(): Promise<void>;
}

/** All records, one after the other. */
export type Records = Iterable<Observation> | AsyncIterable<Observation>;

/** Which assets come first, and whether all other assets follow. */
export interface AssetOrder {
  readonly first: readonly AssetCode[];
  readonly others: boolean;
}

/** The observations of a store, for a command that reads. */
export interface MarketReader {
  readonly storeId: string;
  readonly observations: Observations & {
    /** All records, by asset, status and business time. `order`: the order of assets; default: by first appearance. */
    records(order?: AssetOrder): Records;
  };
  /** Unreadable places, as JSON objects with place and reason. The rest is in `observations`. */
  readonly damages: readonly object[];
  /** Bytes on disk by part of the store, in display order. */
  bytes(): MaybePromise<Readonly<Record<string, number>>>;
}

/** The result of checking all data. */
export interface Verification {
  /** The command's exit code. 0: no fault; 1: an incomplete write; 2: damage, the rest is served; 3: unreadable. */
  readonly state: 0 | 1 | 2 | 3;
  /** The complete result for programs, with `state`. */
  readonly report: object;
  /** The result as a table, with a row for each checked part. */
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Descriptions of the damaged places. */
  readonly places: readonly string[];
  /** A summary with advice. */
  readonly verdict: string;
}
