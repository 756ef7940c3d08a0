import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import { DAY_MS } from "../time/durations.ts";
import type { Observation } from "./observation.ts";

/** The observations of an asset at a business time, and the nearest ones before and after that time. */
export interface Neighbours {
  /** The accepted or rejected observation at that time. */
  readonly at: Observation | undefined;
  /** The pending observations at that time, each from a different source. Absent: none. */
  readonly pending?: readonly (Observation & { readonly source: string })[];
  /** The nearest accepted observation before that time. */
  readonly before: Observation | undefined;
  /** The nearest accepted observation after that time. */
  readonly after: Observation | undefined;
}

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
 * The accepted values around a market day. For `earlier`, `same` and `later`, values that feeds stored since a given
 * time are ignored, and the values that they replaced are used instead. A value that a person imported or accepted is
 * never ignored.
 */
export interface DayReferences {
  /** The last value before the day, the last on the day, and the first after the day, without the ignored values. */
  readonly earlier?: ReferenceValue | undefined;
  readonly same?: ReferenceValue | undefined;
  readonly later?: ReferenceValue | undefined;
  /** `last` is the last value before the day ends, `next` the first value after the day. These two ignore no value. */
  readonly last?: ReferenceValue | undefined;
  readonly next?: ReferenceValue | undefined;
  /** The last value on the day that a person has imported or accepted. */
  readonly decided?: ReferenceValue | undefined;
}

/** Reads the values with which a feed's new values are compared. */
export interface ReferenceAccess {
  /**
   * The values around each of these market days, in the order of `days`.
   *
   * @param since `earlier`, `same` and `later` ignore records that a feed stored at this time or later.
   * @param source Restricts `earlier`, `same` and `later` to records of this source that were stored at most a day
   *   after their business time, including replaced records. `null`: records of all sources.
   */
  references(
    days: readonly AssetDay[],
    since: UtcMillis,
    source: string | null,
  ): MaybePromise<readonly DayReferences[]>;
  /** The number of pending values of a source. */
  countPending(source: string): MaybePromise<number>;
}

/** If a `source` is given, a record counts as `earlier` only if it is at most this long before the day. */
export const SOURCE_DAYS_MS = 31 * DAY_MS;
/** A source's own values count as references only if they were stored at most this long after their business time. */
export const OWN_DELAY_MS = DAY_MS;
