import { MAX_DISTANCE } from "./archive.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/** How the units of a day are spent. */
export interface Budget {
  /** The most units that are spent on one day. */
  readonly unitsADay: number;
  /** Time from one refresh of the latest values to the next. */
  readonly intervalMs: number;
  /** Units that history leaves alone, for refreshes that have to be repeated. */
  readonly inHand: number;
  /** Time between two requests for history. */
  readonly pauseMs: number;
}

/** The share of the units that goes into refreshes. */
const REFRESH_SHARE = 0.8;
const MIN_INTERVAL_MS = 1_000;
const MAX_PAUSE_MS = 2_000;

/**
 * Four fifths of the units refresh the latest values, a fiftieth stays in hand, the rest fills the archive. For 50 units:
 * a refresh every 36 minutes (40 units), 1 in hand, 9 for the archive.
 *
 * @throws RangeError if `unitsADay` is not a whole number above zero.
 */
export function budgetOf(unitsADay: number): Budget {
  if (!Number.isSafeInteger(unitsADay) || unitsADay < 1) {
    throw new RangeError(`Cannot plan as the units of a day must be a whole number above zero: received "${unitsADay}"`);
  }
  const refreshes = Math.max(1, Math.floor(unitsADay * REFRESH_SHARE));
  const intervalMs = Math.max(MIN_INTERVAL_MS, Math.ceil(DAY_MS / refreshes));
  // Of fewer than three units, none is left for history if one stays in hand.
  const inHand = unitsADay < 3 ? 0 : Math.max(1, Math.floor(unitsADay / 50));
  return { unitsADay, intervalMs, inHand, pauseMs: Math.min(MAX_PAUSE_MS, Math.ceil(intervalMs / 100)) };
}

const DAYS_OF_A_YEAR = 365;

/** About how many days it takes to fill a year of history of so many assets; `undefined` where no units are planned for history. */
export function daysForAYear({ unitsADay, intervalMs, inHand }: Budget, assets: number): number | undefined {
  const forHistory = unitsADay - Math.round(DAY_MS / intervalMs) - inHand;
  return forHistory > 0 ? Math.ceil((assets * DAYS_OF_A_YEAR) / (MAX_DISTANCE + 1) / forHistory) : undefined;
}

/** The time between two refreshes from which on the values in between count as missed. */
export function gapAfterMs({ intervalMs }: Budget): number {
  return Math.max(90 * MINUTE_MS, 2.5 * intervalMs);
}

/** How many refreshes a day still needs, if the next one is due at `due`. */
export function refreshesUntil(end: number, due: number, { intervalMs }: Budget): number {
  return due >= end ? 0 : Math.ceil((end - due) / intervalMs);
}
