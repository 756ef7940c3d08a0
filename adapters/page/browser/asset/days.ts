// The days of a history: which are asked for first, what a range of them costs, and what is wrong with one.
import type { CalendarDate } from "../../../../core/mod.ts";
import { dateOfDayNumber, dayNumber, parseDate } from "../../../../core/internal.ts";

/** Days that one request of the API can answer: `to` may lie 31 days after `from`, and both count. */
export const DAYS_OF_REQUEST = 32;

/** Days from `from` to `to`, both included. */
export interface DayRange {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** What is wrong with a range: a missing or impossible date, the wrong order, or days without any record. */
export type RangeFault = "incomplete" | "backwards" | "outside";

/** The last month up to a day, which one request answers; not before the first record, so that it is the request of a form that is cut to the records. */
export function latestDays(last: CalendarDate, first?: CalendarDate): DayRange {
  const from = dateOfDayNumber(dayNumber(last) - DAYS_OF_REQUEST + 1);
  return { from: first !== undefined && from < first ? first : from, to: last };
}

/** How many days a range has. */
export function daysIn({ from, to }: DayRange): number {
  return dayNumber(to) - dayNumber(from) + 1;
}

/** The requests that a range needs, ascending. Each costs one unit. */
export function requestsOf({ from, to }: DayRange): DayRange[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const count = Math.max(0, Math.ceil((last - first + 1) / DAYS_OF_REQUEST));
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * DAYS_OF_REQUEST;
    return { from: dateOfDayNumber(start), to: dateOfDayNumber(Math.min(last, start + DAYS_OF_REQUEST - 1)) };
  });
}

/** Reads two texts as days within those of the records, or says what is wrong with them. What sticks out is cut off, as it would cost units for nothing. */
export function parseDays(fromText: string, toText: string, records: DayRange): DayRange | RangeFault {
  const [from, to] = [parseDate(fromText), parseDate(toText)];
  if (from === undefined || to === undefined) return "incomplete";
  if (from > to) return "backwards";
  if (to < records.from || from > records.to) return "outside";
  return { from: from < records.from ? records.from : from, to: to > records.to ? records.to : to };
}
