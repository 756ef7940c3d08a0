import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import { type Failure, failure } from "../http/errors.ts";
import { err, ok, type Result } from "../result.ts";
import { dayNumber } from "../time/dates.ts";
import type { Zone } from "../time/zone.ts";

/** The maximum number of days from the first to the last day of a history. Source: contract, Limits. */
export const MAX_RANGE_DAYS = 31;

/** The maximum number of days in one history, both ends included. */
export const REQUEST_DAYS = MAX_RANGE_DAYS + 1;

/** The days from `from` to `to`, both included. */
export interface DateRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Makes a range from two dates. The dates must be in order and at most `maxDays` apart. */
export function dateRange(from: CalendarDate, to: CalendarDate, maxDays = MAX_RANGE_DAYS): Result<DateRange, Failure> {
  const distance = dayNumber(to) - dayNumber(from);
  if (distance >= 0 && distance <= maxDays) return ok({ from, to });
  const fault =
    distance < 0
      ? `The range runs backwards: ${to} is before ${from}`
      : `The two days are ${distance} days apart; at most ${maxDays} are allowed`;
  return err(failure("INVALID_DATE_RANGE", fault));
}

/** The times in a time zone at which each day of a range begins, followed by the time at which the last day ends. */
export function dayEdges(range: DateRange, zone: Zone): UtcMillis[] {
  const first = dayNumber(range.from);
  return Array.from({ length: dayNumber(range.to) - first + 2 }, (_, i) => zone.startOfDay(first + i));
}
