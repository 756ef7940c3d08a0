import type { KeyHolder } from "./accounts/accounts.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "./branded_types.ts";
import type { CandleList } from "./market/candles.ts";
import type { Observation } from "./market/observation.ts";

/** A port may answer with a value or with a promise. Only ports may be asynchronous: the rules of the core are not. */
export type MaybePromise<T> = T | Promise<T>;

/** The wall clock: whole milliseconds since 1970-01-01T00:00:00Z, as `Date.now` has them. Read once for each request. */
export type Clock = () => number;

/** A clock whose times need no check. */
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

/** What the catalog says of one asset's data. */
export interface Coverage {
  /** The accepted observation with the latest business time. */
  readonly latest: Observation;
  /** Business time of the earliest accepted observation. */
  readonly availableFrom: UtcMillis;
  /** Names of the providers of accepted observations, each once, as `listedProviders` gives them: the order in which they came does not matter. */
  readonly providers: readonly string[];
}

/** What was read, and the version of the state that all of it was read from. */
export interface Versioned<T> {
  /** What `version` said of the codes that were asked for, when this was read. */
  readonly version: string;
  readonly value: T;
}

/** Candles of one asset, and where its data begins. */
export interface CandleRange {
  /** Ascending by start; buckets without an observation are left out. */
  readonly candles: CandleList;
  /** Business time of the earliest accepted observation of all; `undefined` where there is none. */
  readonly availableFrom: UtcMillis | undefined;
}

/**
 * Market records, read side: only accepted observations are ever seen through it. Each answer is read from one state of
 * the data, and names it, so that no record that comes in meanwhile puts two answers under one version. That state is
 * current when the read begins or later; only `version` may be older.
 */
export interface Observations {
  /** The latest accepted observation of each code, in the order asked; `undefined` where there is none. */
  latest(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Observation | undefined)[]>>;

  /** What is known of each code, in the order asked; `undefined` where there is no accepted observation. */
  coverage(codes: readonly AssetCode[]): MaybePromise<Versioned<readonly (Coverage | undefined)[]>>;

  /**
   * The last accepted observation of each span between two neighbouring `edges`, ascending;
   * spans without one are left out. `edges` ascend; each span includes its start and excludes its end.
   */
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): MaybePromise<Versioned<readonly Observation[]>>;

  /** The candles of `widthMs` whose observations lie in `window`, whose ends are multiples of `widthMs`. */
  candles(code: AssetCode, window: TimeWindow, widthMs: number): MaybePromise<Versioned<CandleRange>>;

  /**
   * Names the state of these assets' data, or of all data: never the same for two states, also after a restart and
   * for two stores. Whoever reads the same state of the same data gets the same text; records of other assets do not
   * change it. Letters, digits and dots. It is asked for each cached answer, so a store that follows other instances
   * may answer from memory. It states how old that can be: on PostgreSQL at most 1 second. A cached answer can be as
   * old as its version. What this process has written itself is never missing.
   */
  version(codes?: readonly AssetCode[]): MaybePromise<string>;
}

/** What became of the records of an append. */
export interface AppendOutcome {
  /** How many were new. */
  readonly accepted: number;
  /** How many took the place of an earlier one. */
  readonly replaced: number;
  /** How many were there already, equal in all but their insert time: they were not stored again. */
  readonly unchanged: number;
  /** How many `PENDING` ones were not stored, as their source has as many pending values as the store keeps of one. Absent: none. */
  readonly kept?: number;
}

/** Names one observation. */
export interface ObservationKey {
  readonly code: AssetCode;
  readonly businessTime: UtcMillis;
}

/** Market records, write side. */
export interface ObservationWriter {
  /** Most observations of one `append`. Absent: no limit. */
  readonly maxBatch?: number;

  /**
   * Stores a batch, in order, as one import: all of it or, when this throws, none; `RangeError` for a batch with an
   * observation that no store may take, or one that is larger than this store takes. An observation for a (code,
   * business time) already there takes the earlier one's place; one that differs from it in nothing but the insert time
   * changes nothing, not even a version. Of several for one (code, business time) in a batch the last is stored, and
   * decides whether anything changes: all of them count as unchanged, or all as replaced, the first one as accepted
   * where there was none before.
   *
   * `PENDING` observations are stored apart, by code, business time and source. They never touch the one that is
   * accepted or rejected at their time, and change no version. One with the value that is accepted there is not stored
   * and counts as unchanged, unless its message begins with `confirm: `. An observation of another status takes away what is pending of its own source at its time.
   *
   * Appends of one writer take effect in the order of the calls, also when nobody waited for the one before. The batch is read before `append` returns: what the caller changes after that is not stored. Returns when
   * the batch is as safe as the store promises; from then on each read sees it.
   *
   * @param source Who says so, e.g. `key:4kT9xQ2a`, `mirror` or `import`: 1 to 64 printable ASCII characters. Default:
   *   `embedder`, the program around the store.
   */
  append(batch: readonly Observation[], source?: string): MaybePromise<AppendOutcome>;

  /**
   * Every stored observation, also those not accepted: by asset in the order in which the assets got their first one,
   * then by status in the order of `QUALITY_STATUSES`, then ascending by business time, pending ones then by source.
   */
  records(): Iterable<Observation> | AsyncIterable<Observation>;
}

/** Keys and the accounts behind them, read side. */
export interface Accounts {
  /**
   * The key with this public id and its account, also when expired, revoked or restricted. A store that follows other
   * instances may answer from memory, within the bound of `Observations.version`.
   */
  find(id: KeyId): MaybePromise<KeyHolder | undefined>;
}

/** Counts units. `used` in the answers is the day's count after the call. */
export interface QuotaLedger {
  /**
   * Takes one unit for `account` on `day` unless `limit` are used; atomic, so no two callers get the last one.
   * `limit` is Infinity for a plan without one: the unit is granted, and counts once the account gets a limit.
   *
   * @param key The key that asks, for ledgers that note on which days a key was used; others need not take it.
   */
  take(account: AccountId, day: CalendarDate, limit: number, key?: KeyId): MaybePromise<QuotaTaken>;
  /** Gives back one unit taken before; where none is used, the count stays 0. */
  giveBack(account: AccountId, day: CalendarDate): MaybePromise<number>;
  /** Units used by `account` on `day`; 0 for one that has taken none. */
  used(account: AccountId, day: CalendarDate): MaybePromise<number>;
}

/** Resolves to an answer, or to what `late` makes where it has not come in time. */
export type TimeLimit = <T>(answer: Promise<T>, late: () => T) => Promise<T>;

/** Whether a unit was granted, and the day's count after that. */
export interface QuotaTaken {
  readonly granted: boolean;
  readonly used: number;
}

/** Thrown by a port that cannot do its work just now, e.g. a disk that takes no more: answered with 503. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** Whole seconds after which another try makes sense. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 5, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
