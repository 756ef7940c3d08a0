import type { CalendarDate, UtcMillis } from "../branded_types.ts";
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

/** The times in a time zone at which each day of a range begins, followed by the time at which the last day ends. */
export function dayEdges(range: DateRange, zone: Zone): UtcMillis[] {
  const first = dayNumber(range.from);
  return Array.from({ length: dayNumber(range.to) - first + 2 }, (_, i) => zone.startOfDay(first + i));
}
