import type { KeyHolder } from "./accounts/accounts.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "./branded_types.ts";
import type { CandleList } from "./market/candles.ts";
import type { Observation } from "./market/observation.ts";

/** A value, or a promise of one. Only ports may be asynchronous; the rules of the core are not. */
export type MaybePromise<T> = T | Promise<T>;

/** The wall clock: whole milliseconds since 1970-01-01T00:00:00Z, like `Date.now`. Read once for each request. */
export type Clock = () => number;

/** A clock whose times are already checked. */
export type UtcClock = () => UtcMillis;

/** Makes request ids: `req_` and 22 base62 characters, 128 random bits. */
export type RequestIds = () => string;

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export type Sha256 = (text: string) => MaybePromise<string>;

/** From `from` (included) to `to` (excluded). */
export interface TimeWindow {
  readonly from: UtcMillis;
  readonly to: UtcMillis;
}

/** The data of one asset in the catalog. */
export interface Coverage {
  /** The accepted observation with the latest business time. */
  readonly latest: Observation;
  /** Business time of the earliest accepted observation. */
  readonly availableFrom: UtcMillis;
  /** Sorted names of the providers of accepted observations; if there are more than 20, the first 20 and `OTHER`. */
  readonly providers: readonly string[];
}

/** A value, and the version of the state that it was read from. */
export interface Versioned<T> {
  /** The `version` of the requested codes at the time of reading. */
  readonly version: string;
  readonly value: T;
}

/** Candles of one asset, and the start of its data. */
export interface CandleRange {
  /** Ascending by start; buckets without an observation are left out. */
  readonly candles: CandleList;
  /** Business time of the earliest accepted observation; `undefined` if there is none. */
  readonly availableFrom: UtcMillis | undefined;
}

/**
 * Reads market records. Only accepted observations are visible. Each answer is read from one state of the data and
 * names its version, so two different answers never have the same version. The state is current when the read begins,
 * or later.
 */
export interface Observations {
  /** The latest accepted observation of each code, in the order of `codes`; `undefined` if there is none. */
  latest(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Observation | undefined)[]>>;

  /** The coverage of each code, in the order of `codes`; `undefined` without an accepted observation. */
  coverage(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Coverage | undefined)[]>>;

  /** The last accepted observation in each span [edge, next edge) of ascending `edges`; empty spans are left out. */
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): MaybePromise<Versioned<readonly Observation[]>>;

  /** The candles of width `widthMs` in a window whose ends are multiples of `widthMs`. */
  candles(code: AssetCode, window: TimeWindow, widthMs: number): MaybePromise<Versioned<CandleRange>>;

  /**
   * Identifies the state of these assets' data, or of all data, with letters, digits and dots. Two states never have
   * the same version, even after a restart or in two stores. Records of other assets do not change it.
   *
   * It is read for each cached answer, so a store that follows other instances may answer from memory, at most 1 second
   * old on PostgreSQL. Cached answers can be as old. Changes made by this process are always included.
   */
  version(codes?: readonly AssetCode[]): MaybePromise<string>;
}

/** The number of records of an append, by outcome. */
export interface AppendOutcome {
  /** New records. */
  readonly accepted: number;
  /** Records that replaced an earlier one. */
  readonly replaced: number;
  /** Records that were not stored because an equal one exists; insert times may differ. */
  readonly unchanged: number;
  /** `PENDING` records that were not stored because their source has too many pending values. Absent: none. */
  readonly kept?: number;
}

/** Identifies one observation. */
export interface ObservationKey {
  readonly code: AssetCode;
  readonly businessTime: UtcMillis;
}

/** Writes market records. */
export interface ObservationWriter {
  /** The maximum size of a batch. Absent: no limit. */
  readonly maxBatch?: number;

  /**
   * Stores a batch as one import, or nothing if it throws. Resolves when the batch is as durable as the store promises;
   * later reads include it. Appends take effect in the order of the calls. The batch is read before `append` returns.
   *
   * An observation replaces an earlier one of the same code and business time. If only the insert time differs, nothing
   * changes, and neither does the version. If a batch has several of the same code and business time, the last one is
   * stored: all count as unchanged, or all as replaced, except for a first one that is new.
   *
   * `PENDING` observations are stored apart, by code, business time and source, and change no version. One that equals
   * the accepted value at its time counts as unchanged, unless its message begins with `confirm: `. An observation of
   * another status removes the pending one from the same source at its time.
   *
   * @param source Where the records come from, e.g. `key:4kT9xQ2a`, `mirror` or `import`: 1 to 64 printable ASCII
   *   characters. Default: `embedder`, the program around the store.
   * @throws RangeError for an invalid observation, and for more than `maxBatch`.
   */
  append(batch: readonly Observation[], source?: string): MaybePromise<AppendOutcome>;

  /**
   * All stored observations: by asset in the order of their first observations, then by status in the order of
   * `QUALITY_STATUSES`, then ascending by business time, and pending ones by source.
   */
  records(): Iterable<Observation> | AsyncIterable<Observation>;
}

/** Finds keys and their accounts. */
export interface Accounts {
  /**
   * The holder of the key with this public id, even if it is expired, revoked or restricted. A store that follows other
   * instances may answer from memory, as old as `Observations.version`.
   */
  find(id: KeyId): MaybePromise<KeyHolder | undefined>;
}

/** Counts units. */
export interface QuotaLedger {
  /**
   * Takes one unit for `account` on `day`, unless `limit` units are used. Atomic, so two callers never get the same
   * unit. Without a limit, which is Infinity, the unit is granted, and counts against a limit that the account gets
   * later.
   *
   * @param key The caller's key, for ledgers that record on which days a key was used.
   */
  take(account: AccountId, day: CalendarDate, limit: number, key?: KeyId): MaybePromise<QuotaTaken>;
  /** Gives one unit back. Returns the day's count, which never falls below 0. */
  giveBack(account: AccountId, day: CalendarDate): MaybePromise<number>;
  /** The units used by `account` on `day`. */
  used(account: AccountId, day: CalendarDate): MaybePromise<number>;
}

/** Resolves to an answer, or to the result of `late` if the answer takes too long. */
export type TimeLimit = <T>(answer: Promise<T>, late: () => T) => Promise<T>;

/** Whether a unit was granted, and the day's count after that. */
export interface QuotaTaken {
  readonly granted: boolean;
  readonly used: number;
}

/** Thrown by a port that cannot work now, e.g. because the disk is full. The answer is 503. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** Whole seconds after which a client should try again. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 5, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
