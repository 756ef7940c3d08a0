import type { KeyHolder } from "./accounts/accounts.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "./branded_types.ts";
import type { CandleList } from "./market/candles.ts";
import type { Observation } from "./market/observation.ts";

/** A value, or a promise of a value. A port may return either. */
export type MaybePromise<T> = T | Promise<T>;

/** The wall clock: whole milliseconds since 1970-01-01T00:00:00Z, like `Date.now`. Read once for each request. */
export type Clock = () => number;

/** A clock that returns only checked times. */
export type UtcClock = () => UtcMillis;

/** Makes request ids: `req_` and 22 base62 characters, 128 random bits. */
export type RequestIds = () => string;

/** The SHA-256 digest of a text's UTF-8 bytes: 64 lower-case hex digits. */
export type Sha256 = (text: string) => MaybePromise<string>;

/** From `from` (included) to `to` (excluded). */
export interface TimeWindow {
  readonly from: UtcMillis;
  readonly to: UtcMillis;
}

/** The facts about the data of one asset that the catalog shows. */
export interface Coverage {
  /** The accepted observation with the latest business time. */
  readonly latest: Observation;
  /** Business time of the earliest accepted observation. */
  readonly availableFrom: UtcMillis;
  /** Sorted names of the providers of accepted observations. If there are more than 20: the first 20, and `OTHER`. */
  readonly providers: readonly string[];
}

/** A value, and the version of the data from which it was read. */
export interface Versioned<T> {
  /** The `version` of the requested codes at the time of reading. */
  readonly version: string;
  readonly value: T;
}

/** Candles of one asset, and the time at which its data begins. */
export interface CandleRange {
  /** Ascending by start; buckets without an observation are left out. */
  readonly candles: CandleList;
  /** Business time of the earliest accepted observation, or `undefined` if there is none. */
  readonly availableFrom: UtcMillis | undefined;
}

/**
 * Reads market records. Only accepted observations are visible. Each answer is read from one state of the data and has
 * the version of that state. Different answers to the same call therefore never have the same version. The state
 * includes every change that was made before the call.
 */
export interface Observations {
  /** The latest accepted observation of each code, in the order of `codes`, or `undefined` if there is none. */
  latest(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Observation | undefined)[]>>;

  /** The coverage of each code, in the order of `codes`, or `undefined` for a code without an accepted observation. */
  coverage(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Coverage | undefined)[]>>;

  /** The last accepted observation in each span [edge, next edge). `edges` ascend. Empty spans are left out. */
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): MaybePromise<Versioned<readonly Observation[]>>;

  /** The candles of width `widthMs` in a window. Both ends of the window are multiples of `widthMs`. */
  candles(code: AssetCode, window: TimeWindow, widthMs: number): MaybePromise<Versioned<CandleRange>>;

  /**
   * Identifies the state of these assets' data, or of all data, with letters, digits and dots. Two states never have
   * the same version, even after a restart or in two stores. Changes to other assets do not change the version.
   *
   * Every cached answer needs this call. To save time, a store that several instances share may therefore answer from
   * memory. On PostgreSQL, the version, and therefore a cached answer, may be up to 1 second old. Changes by this
   * process are always included.
   */
  version(codes?: readonly AssetCode[]): MaybePromise<string>;
}

/** The number of records of an append, by outcome. */
export interface AppendOutcome {
  /** New records. */
  readonly accepted: number;
  /** Records that replaced an earlier record. */
  readonly replaced: number;
  /** Records that were not stored because an equal record exists. Insert times are not compared. */
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
   * Stores a batch as one import. If `append` throws, nothing is stored. Resolves when the batch is as durable as the
   * store promises; later reads include it. Batches are stored in the order of the calls. Reads `batch`
   * before it returns.
   *
   * An observation replaces the stored one with the same code and business time. If only their insert times differ,
   * neither data nor version changes. If a batch has several observations with the same code and business time, only
   * the last is stored. If the last equals the stored record, all of them count as unchanged. Otherwise all count as
   * replaced, except that the first counts as accepted if no record was stored before.
   *
   * `PENDING` observations are stored apart, one for each code, business time and source, and change no version. If a
   * pending observation equals the accepted observation at its time, it counts as unchanged, unless its message begins
   * with `confirm: `. An observation with another status removes the pending one of the same code, time and source.
   * Throws `RangeError` for an invalid observation, or more than `maxBatch`.
   *
   * @param source Where the records come from, such as `key:4kT9xQ2a`, `mirror` or `import`: 1 to 64 printable ASCII
   *   characters. Default: `embedder`, the program around the store.
   */
  append(batch: readonly Observation[], source?: string): MaybePromise<AppendOutcome>;

  /**
   * All stored observations. Sorted by asset (in the order of their first observations), status (in the order of
   * `QUALITY_STATUSES`), business time, and, if pending, source.
   */
  records(): Iterable<Observation> | AsyncIterable<Observation>;
}

/** Finds keys and their accounts. */
export interface Accounts {
  /**
   * The holder of the key with this public id, even if it is expired, revoked or restricted. A store that several
   * instances share may answer from memory; the answer may then be as old as a result of `Observations.version`.
   */
  find(id: KeyId): MaybePromise<KeyHolder | undefined>;
}

/** Counts units. */
export interface QuotaLedger {
  /**
   * Takes one unit for `account` on `day`, unless `limit` units are already used. Atomic: no unit is granted twice.
   * If `limit` is Infinity, the unit is always granted, and counts against a limit that is set later.
   *
   * @param key The caller's key, for ledgers that record the days on which a key was used.
   */
  take(account: AccountId, day: CalendarDate, limit: number, key?: KeyId): MaybePromise<QuotaTaken>;
  /** Gives one unit back. Returns the day's count, which never falls below 0. */
  giveBack(account: AccountId, day: CalendarDate): MaybePromise<number>;
  /** The units used by `account` on `day`. */
  used(account: AccountId, day: CalendarDate): MaybePromise<number>;
}

/** Resolves to an answer, or to the result of `late` if the answer takes too long. */
export type TimeLimit = <T>(answer: Promise<T>, late: () => T) => Promise<T>;

/** Whether a unit was granted, and the day's count after the call. */
export interface QuotaTaken {
  readonly granted: boolean;
  readonly used: number;
}

/** Thrown by a port that is temporarily unable to work, e.g. because the disk is full. The answer is 503. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** Whole seconds after which a client should try again. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 5, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
