import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import { DAY_MS } from "../time/durations.ts";

/** A market day of an asset. */
export interface AssetDay {
  readonly code: AssetCode;
  /** Included; `to` is excluded. */
  readonly from: UtcMillis;
  readonly to: UtcMillis;
}

/** An accepted value, in the quote unit of its asset. */
export interface ReferenceValue {
  readonly businessTime: UtcMillis;
  readonly value: number;
}

/**
 * The accepted values around a market day. `earlier`, `same` and `later` count records that were stored before a given
 * time, even if a feed has replaced them since, and all records that a person has imported or accepted.
 */
export interface DayReferences {
  /** The last such value before the day, the last one of the day, and the first one after it. */
  readonly earlier?: ReferenceValue | undefined;
  readonly same?: ReferenceValue | undefined;
  readonly later?: ReferenceValue | undefined;
  /** The last value before the end of the day, and the first one after it, whenever they were stored. */
  readonly last?: ReferenceValue | undefined;
  readonly next?: ReferenceValue | undefined;
  /** The last value of the day that a person has imported or accepted. */
  readonly decided?: ReferenceValue | undefined;
}

/** The values with which new values of a feed are compared. */
export interface ReferenceAccess {
  /**
   * The values around each of these market days, in their order.
   *
   * @param since `earlier`, `same` and `later` count records that were stored before this time.
   * @param source `earlier` counts only records of this source, even replaced ones; `null` for all sources.
   */
  references(
    days: readonly AssetDay[],
    since: UtcMillis,
    source: string | null,
  ): MaybePromise<readonly DayReferences[]>;
  /** The number of pending values of a source. */
  countPending(source: string): MaybePromise<number>;
}

/** The age up to which earlier records of one source are considered. */
export const SOURCE_DAYS_MS = 31 * DAY_MS;
