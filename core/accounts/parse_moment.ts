import type { UtcMillis } from "../branded_types.ts";
import { isPrintable, parseTimestamp } from "../time/timestamps.ts";

/** A time: a `Date`, a text in ISO 8601 with `Z` or an offset, or milliseconds from a clock. */
export type Moment = Date | string | UtcMillis;

/** Reads a time. Throws `RangeError` for anything else, and outside the years 0 to 9999. The message names `what`. */
export function readMoment(what: string, moment: Moment): UtcMillis {
  let millis: number | undefined;
  if (moment instanceof Date) millis = moment.getTime();
  else millis = typeof moment === "string" ? parseTimestamp(moment.trim())?.millis : moment;
  // Callers in plain JavaScript may pass anything.
  if (typeof millis === "number" && Number.isInteger(millis) && isPrintable(millis)) return millis as UtcMillis;
  throw new RangeError(
    `Cannot set ${what} because it must be a Date, or a time such as 2027-01-31T12:00:00Z: received "${String(moment).slice(0, 64)}"`,
  );
}
