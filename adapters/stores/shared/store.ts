import type {
  AccountBook,
  AccountId,
  AccountKeeper,
  Accounts,
  CalendarDate,
  KeyId,
  MaybePromise,
  Observations,
  ObservationWriter,
  Plan,
  QuotaLedger,
  TimeLimit,
  UtcMillis,
} from "../../../core/mod.ts";
import type { ImportAccess } from "./imports.ts";
import type { Family } from "./metric_types.ts";
import type { StoreError } from "./store_error.ts";
import type { Watcher } from "./store_troubles.ts";

/** Everything that the standalone server and the command line work with, whatever engine keeps it. */
export interface Store {
  readonly observations: Observations & ObservationWriter;
  readonly accounts: StoredAccounts;
  readonly quota: QuotaLedger;
  /** Limits the time of requests, for a store behind a network. Absent: it answers at once. */
  readonly timeLimit?: TimeLimit;
  /** Absent: it keeps no imports. A mirror needs them. */
  readonly imports?: ImportAccess;
  info(): MaybePromise<StoreInfo>;
  /** Settles when this process can never work with the store again: it should end with the error's `exitCode`. A store that only cannot be reached just now has not failed. */
  readonly failed: Promise<StoreError>;
  /** What keeps the store from its work just now. */
  readonly watcher: StoreWatcher;
  /** Metrics of this engine alone, such as those of its disk. */
  metrics(): MaybePromise<readonly Family[]>;
  /** What the owner of the data should know and change, each a sentence or two for people. */
  readonly warnings: readonly string[];
  /** Where a mirror that fills this store keeps its state. Absent: this engine has no place for it, and takes no mirror. */
  mirrorState?(upstream: string): MirrorStateStore;
  /** Finishes what was begun and releases what the store holds. May be called again. */
  close(): Promise<void>;
}

/** Where a mirror keeps what it must not forget, most of all the units that it has spent. */
export interface MirrorStateStore {
  /** What `save` was given last, a JSON value; `undefined` if there is nothing. */
  load(): MaybePromise<unknown>;
  /** Stores a JSON value in place of the last one. Returns when it outlives a crash: only then is the request made that it counts. */
  save(state: object): MaybePromise<void>;
}

/** Plans, accounts and keys, as tools also read and change them. */
export interface StoredAccounts extends Accounts, AccountKeeper {
  /** All plans, accounts and keys. */
  book(): MaybePromise<AccountBook>;
}

/** Counters of units, as tools also read them. */
export interface StoredQuota extends QuotaLedger {
  /** What was used, the newest quota day first. */
  usage(query?: UsageQuery): AsyncIterable<DayUsage>;
}

/** How many quota days are kept, those with the highest dates: enough for an invoice, and for a clock that is set back. */
export const KEPT_DAYS = 400;

/** Which quota days are asked for, both ends included. Default: all that are kept. */
export interface UsageQuery {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Whether what is recorded is enough, so that no process is asked for newer counters in its memory. Default: false. */
  readonly asRecorded?: boolean;
}

/** Whether a quota day is asked for. */
export function isAskedFor(day: CalendarDate, { from = day, to = day }: UsageQuery): boolean {
  return from <= day && day <= to;
}

/** What was used on a quota day. */
export interface DayUsage {
  readonly day: CalendarDate;
  /** Each account that has asked for a unit. */
  readonly accounts: readonly AccountUsage[];
  /** Present where a part of what was recorded could not be read, so that something may be missing. */
  readonly damaged?: true;
}

/** The name and the limit of a plan on a quota day. */
export type DayPlan = Pick<Plan, "name" | "dailyUnits">;

/** All units of a day that count against the limit. */
export function countedUnits({ units, withheld = 0 }: Pick<AccountUsage, "units" | "withheld">): number {
  return units + withheld;
}

/** What an account used on a quota day. */
export interface AccountUsage {
  readonly account: AccountId;
  /** Units that were served. */
  readonly units: number;
  /** Units that a restore or a repair counts as used beside them, though nobody was served for them. Absent: none. */
  readonly withheld?: number;
  /** The keys with which it has asked for units. */
  readonly keys: readonly KeyId[];
  /** The plan as it was when units were last reserved. Absent where the ledger has not noted it. */
  readonly plan?: DayPlan;
}

/** Who has changed a store: the user and the program of a process, as that says itself. */
export interface ChangedBy {
  readonly user: string;
  readonly program: string;
  readonly pid: number;
}

/** A change of a store that was made. */
export interface StoreChange extends ChangedBy {
  /** Which one it is, where several servers tell of the same. */
  readonly number?: number;
  /** E.g. `revoked key 4kT9xQ2a`, as the end of a sentence that begins with who. */
  readonly what: string;
  /** The number of the import. */
  readonly import?: number;
  /** How many records were stored, taken out or brought back. */
  readonly records?: number;
}

/** Facts about an open store. */
export interface StoreInfo {
  readonly storeId: string;
  /** Version of all observations. */
  readonly version: string;
  /** Number of records of every status; where counting would read them all, what the engine estimates. */
  readonly records: number;
  /** Number of records that wait for a decision: those that are `PENDING`. */
  readonly pending: number;
  /** Number of places in the data that could not be read. */
  readonly damages: number;
  /** When the last backup was taken that lacks nothing, where the engine knows it. */
  readonly lastBackup?: UtcMillis | undefined;
  /** Bytes left on the disk of the data, where the engine knows them. */
  readonly diskFreeBytes?: number | undefined;
}

/** Watches a store. */
export interface StoreWatcher extends Watcher {
  /** Whether units can be counted, without which no request with a key is served. Absent: each request finds out. */
  canServe?(): boolean;
}

/** A ledger of its own, beside a store: units are then counted there alone. */
export interface QuotaStore extends QuotaLedger {
  /** What keeps it from counting just now. */
  readonly watcher: Watcher;
  /** Absent: whoever made it has nothing to release. */
  close?(): Promise<void>;
}
