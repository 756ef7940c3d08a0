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

/** Everything that the server and the command line need from a store, whatever its engine. */
export interface Store {
  readonly observations: Observations & ObservationWriter;
  readonly accounts: StoredAccounts;
  readonly quota: QuotaLedger;
  /** Limits how long requests take, for a store that answers over a network. Absent: the store answers at once. */
  readonly timeLimit?: TimeLimit;
  /** Absent: the store has no imports, and cannot be filled by a mirror. */
  readonly imports?: ImportAccess;
  info(): MaybePromise<StoreInfo>;
  /** Resolves once this process can no longer use the store. The process should then exit with `exitCode`. */
  readonly failed: Promise<StoreError>;
  /** Reports current problems. */
  readonly watcher: StoreWatcher;
  /** Metrics of this engine, e.g. of the disk. */
  metrics(): MaybePromise<readonly Family[]>;
  /** Problems that the operator should fix, each described in a sentence or two. */
  readonly warnings: readonly string[];
  /** Where a mirror keeps its state. Absent if a mirror cannot fill this store. */
  mirrorState?(upstream: string): MirrorStateStore;
  /** Finishes running calls and releases the store. May be called again. */
  close(): Promise<void>;
}

/** The state of a mirror that must survive a restart, especially the units that the mirror has spent. */
export interface MirrorStateStore {
  /** The last saved JSON value, or `undefined` if there is none. */
  load(): MaybePromise<unknown>;
  /** Replaces the saved JSON value. Resolves when it is safe from a crash; the mirror sends its request only then. */
  save(state: object): MaybePromise<void>;
}

/** Plans, accounts and keys, including methods for tools. */
export interface StoredAccounts extends Accounts, AccountKeeper {
  book(): MaybePromise<AccountBook>;
}

/** Counters of units, with methods for tools. */
export interface StoredQuota extends QuotaLedger {
  /** Used units by quota day, newest first. */
  usage(query?: UsageQuery): AsyncIterable<DayUsage>;
}

/** How many quota days are kept, for invoices and in case a clock is set back. */
export const KEPT_DAYS = 400;

/** Which quota days to read, both ends included. Default: all that are kept. */
export interface UsageQuery {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Whether to read only the stored counters, without asking the running server. Default: false. */
  readonly asRecorded?: boolean;
}

/** Whether a query includes a quota day. */
export function isAskedFor(day: CalendarDate, { from = day, to = day }: UsageQuery): boolean {
  return from <= day && day <= to;
}

/** Used units of a quota day. */
export interface DayUsage {
  readonly day: CalendarDate;
  readonly accounts: readonly AccountUsage[];
  /** Present if some counters were unreadable. Units may then be missing. */
  readonly damaged?: true;
}

/** The name and the limit of a plan on a quota day. */
export type DayPlan = Pick<Plan, "name" | "dailyUnits">;

/** The units that count against the limit of the day. */
export function countedUnits({ units, withheld = 0 }: Pick<AccountUsage, "units" | "withheld">): number {
  return units + withheld;
}

/** An account's used units on a quota day. */
export interface AccountUsage {
  readonly account: AccountId;
  readonly units: number;
  /** Units that were not served, but count as used since a restore or repair. Absent: none. */
  readonly withheld?: number;
  readonly keys: readonly KeyId[];
  /** The plan when units were last reserved. Absent if the ledger does not store plans. */
  readonly plan?: DayPlan;
}

/** Who has changed a store: the user and the process. */
export interface ChangedBy {
  readonly user: string;
  readonly program: string;
  readonly pid: number;
}

/** A change that was made to a store. */
export interface StoreChange extends ChangedBy {
  /** Identifies the change, because several servers may report it. */
  readonly number?: number;
  /** Completes a sentence that begins with the user, such as `revoked key 4kT9xQ2a`. */
  readonly what: string;
  readonly import?: number;
  /** Number of records that were stored, removed or restored. */
  readonly records?: number;
}

/** Facts about an open store. */
export interface StoreInfo {
  readonly storeId: string;
  readonly version: string;
  /** Number of records of any status; an estimate if counting would read them all. */
  readonly records: number;
  readonly pending: number;
  readonly damages: number;
  /** When the last complete backup was taken, if known. */
  readonly lastBackup?: UtcMillis | undefined;
  /** Free bytes on the disk of the data, if known. */
  readonly diskFreeBytes?: number | undefined;
}

/** Watches a store. */
export interface StoreWatcher extends Watcher {
  /** Whether units can be counted. Otherwise no request with a key is served. Default: true without troubles. */
  canServe?(): boolean;
}
