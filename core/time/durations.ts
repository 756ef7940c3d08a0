import type { UtcMillis } from "../branded_types.ts";

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds since a time; 0 for one ahead of the clock, which is then behind. */
export function millisSince(time: UtcMillis, now: UtcMillis): number {
  return Math.max(0, now - time);
}

/** Milliseconds of a day of 24 hours, as every UTC day is. */
export const DAY_MS = 86_400_000;
