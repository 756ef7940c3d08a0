import type { CalendarDate } from "../branded_types.ts";
import { dateOfDayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

const SHAPE = /^(1[345]\d\d)[-/](\d\d?)[-/](\d\d?)$/;

/**
 * The Gregorian day of a Jalali date (the calendar of Iran) in the years 1300 to 1599. The digits may be Western,
 * Persian or Arabic-Indic. Returns `undefined` for any other text. The runtime's calendar data defines the leap years.
 */
export function gregorianOf(text: string): CalendarDate | undefined {
  // In Unicode, both rows of ten digits begin at a multiple of 16.
  const western = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const [year, month, day] = (SHAPE.exec(western) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  // A year begins between 19 and 22 March. Each of its first six months has 31 days, the next five have 30.
  const earliest = Date.UTC(year + 621, 2, 18 + day) / DAY_MS + (month - 1) * 30 + Math.min(month - 1, 6);
  const days = [earliest, earliest + 1, earliest + 2, earliest + 3];
  const found = days.find((one) => jalaliParts(one) === `${month}/${day}`);
  return found === undefined ? undefined : dateOfDayNumber(found);
}

/** The end of a message about a date that is invalid or has no data: the Gregorian day of a Jalali date, or empty. */
export function jalaliHint(text: string): string {
  const day = gregorianOf(text);
  return day === undefined ? "" : `; dates are Gregorian, and ${text} of the Jalali calendar is ${day}`;
}

/** Month and day in the Jalali calendar, such as `8/30`. */
function jalaliParts(day: number): string {
  const fields = { timeZone: "UTC", month: "numeric", day: "numeric" } as const;
  calendar ??= new Intl.DateTimeFormat("en-US-u-ca-persian-nu-latn", fields);
  return calendar.format(day * DAY_MS);
}

/** Made at the first use, because making it takes milliseconds. */
let calendar: Intl.DateTimeFormat | undefined;
