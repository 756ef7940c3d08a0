import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import { type Failure, failure } from "../http/errors.ts";
import { err, ok, type Result } from "../result.ts";
import { dayNumber } from "../time/dates.ts";
import type { Zone } from "../time/zone.ts";

/** Most days from the first to the last day of a history. Source: contract, Limits. */
export const MAX_RANGE_DAYS = 31;

/** Days that one request for a history can have: both ends are included. */
export const REQUEST_DAYS = MAX_RANGE_DAYS + 1;

/** Days from `from` to `to`, both included. */
export interface DateRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** Makes a range of two dates, which must be in order and at most so many days apart. */
export function dateRange(from: CalendarDate, to: CalendarDate, maxDays = MAX_RANGE_DAYS): Result<DateRange, Failure> {
  const distance = dayNumber(to) - dayNumber(from);
  if (distance < 0) return err(failure("INVALID_DATE_RANGE", `The range runs backwards: ${to} is before ${from}`));
  if (distance > maxDays)
    return err(
      failure("INVALID_DATE_RANGE", `The two days are ${distance} days apart; at most ${maxDays} are allowed`),
    );
  return ok({ from, to });
}

/** The moments at which the days of a range begin in a time zone, and the moment at which the last day ends. */
export function dayEdges(range: DateRange, zone: Zone): UtcMillis[] {
  const first = dayNumber(range.from);
  return Array.from({ length: dayNumber(range.to) - first + 2 }, (_, i) => zone.startOfDay(first + i));
}
