// Days of a history: which are asked for, in which requests, and as a file.

import { csvRecord, dateOfDayNumber, dayNumber, parseDate } from "../../../../core/internal.ts";
import type { AssetValue, CalendarDate } from "../../../../core/mod.ts";

/** Days that one request of the API can answer: `to` may lie 31 days after `from`, and both count. */
const DAYS_OF_REQUEST = 32;

/** Days from `from` to `to`, both included. */
export type DayRange = Readonly<Record<"from" | "to", CalendarDate>>;

/** As many days up to the last one as one request answers. */
export function latestDays(last: CalendarDate): DayRange {
  return { from: dateOfDayNumber(dayNumber(last) - DAYS_OF_REQUEST + 1), to: last };
}

/** The requests that a range needs, ascending. Each costs one unit. */
export function requestsOf({ from, to }: DayRange): DayRange[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return Array.from({ length: Math.ceil((last - first + 1) / DAYS_OF_REQUEST) }, (_, index) => {
    const start = first + index * DAYS_OF_REQUEST;
    return { from: dateOfDayNumber(start), to: dateOfDayNumber(Math.min(last, start + DAYS_OF_REQUEST - 1)) };
  });
}

/** Reads two texts as days up to the last one, after which nothing could be asked for; `undefined` if they are no days, or run backwards. */
export function parseDays(fromText: string | null, toText: string | null, last: CalendarDate): DayRange | undefined {
  const [from, to] = [parseDate(fromText ?? ""), parseDate(toText ?? "")];
  return from === undefined || to === undefined || from > to || from > last
    ? undefined
    : { from, to: to < last ? to : last };
}

const COLUMNS = ["code", "value", "businessTime", "quoteUnit", "labelEn", "labelFa"] as const;

/** Records as CSV (RFC 4180) with all that the API tells of them, for `mazaneh import`, too: values in the quote unit and times in UTC, whatever the page shows. */
export function recordsCsv(records: readonly Pick<AssetValue<string>, (typeof COLUMNS)[number]>[]): string {
  return [COLUMNS, ...records.map((record) => COLUMNS.map((column) => record[column]))]
    .map((cells) => `${csvRecord(cells)}\r\n`)
    .join("");
}
