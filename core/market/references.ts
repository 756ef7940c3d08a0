import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import { DAY_MS } from "../time/durations.ts";

/** A market day of an asset. */
export interface AssetDay {
  readonly code: AssetCode;
  /** Its first moment, and the first one after it. */
  readonly from: UtcMillis;
  readonly to: UtcMillis;
}

/** An accepted value, in the quote unit of its asset. */
export interface ReferenceValue {
  readonly businessTime: UtcMillis;
  readonly value: number;
}

/**
 * The accepted values around a market day. A record *stood* at a moment if it was stored before it; also where a feed has
 * replaced it since then. One that a person has imported or accepted counts as if it had always stood.
 */
export interface DayReferences {
  /** The last one before the day, the last one of the day, and the first one after it, that stood. */
  readonly earlier?: ReferenceValue | undefined;
  readonly same?: ReferenceValue | undefined;
  readonly later?: ReferenceValue | undefined;
  /** The last one before the end of the day, and the first one after it, whenever they were stored. */
  readonly last?: ReferenceValue | undefined;
  readonly next?: ReferenceValue | undefined;
  /** The last one of the day that a person has imported or accepted. */
  readonly decided?: ReferenceValue | undefined;
}

/** What new values of a feed are compared with. */
export interface ReferenceAccess {
  /**
   * Finds the values around market days, in the order asked.
   *
   * @param since The moment at which they stood.
   * @param source Only records of this source count as `earlier`, also those that another source has replaced; `null` for all.
   */
  references(
    days: readonly AssetDay[],
    since: UtcMillis,
    source: string | null,
  ): MaybePromise<readonly DayReferences[]>;
  /** How many values of a source are pending. */
  countPending(source: string): MaybePromise<number>;
}

/** How far back records of one source are looked for. */
export const SOURCE_DAYS_MS = 31 * DAY_MS;
