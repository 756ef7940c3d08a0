import type { UtcMillis } from "../branded_types.ts";
import { isTime, parseTimestamp } from "../time/timestamps.ts";

/** A time: a `Date`, a text in ISO 8601 with `Z` or an offset, or milliseconds from a clock. */
export type Moment = Date | string | UtcMillis;

/** Reads a time. Throws `RangeError` for anything else, and outside the years 0 to 9999. The message names `what`. */
export function readMoment(what: string, moment: Moment): UtcMillis {
  const time = moment instanceof Date ? moment.getTime() : moment;
  const millis = typeof time === "string" ? parseTimestamp(time.trim())?.millis : time;
  // Callers in plain JavaScript may pass anything.
  if (isTime(millis)) return millis;
  throw new RangeError(
    `Cannot set ${what} because it must be a Date, or a time such as 2027-01-31T12:00:00Z: received "${String(moment).slice(0, 64)}"`,
  );
}
