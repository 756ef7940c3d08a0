import type { UtcMillis } from "../branded_types.ts";

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds of a UTC day. */
export const DAY_MS = 86_400_000;

/** Milliseconds since a time; 0 if the time is in the future. */
export function millisSince(time: UtcMillis, now: UtcMillis): number {
  return Math.max(0, now - time);
}
