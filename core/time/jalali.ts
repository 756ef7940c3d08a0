import type { CalendarDate } from "../branded_types.ts";
import { dateOfDayNumber, dayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

const SHAPE = /^(1[345]\d\d)[-/](\d\d?)[-/](\d\d?)$/;
/** The number of days before each month of a Jalali year. */
const DAYS_BEFORE = [0, 31, 62, 93, 124, 155, 186, 216, 246, 276, 306, 336];

/**
 * The Gregorian day of a Jalali date (the calendar of Iran) in the years 1300 to 1599. The digits may be Western,
 * Persian or Arabic-Indic. Returns `undefined` for any other text. The runtime's calendar data defines the leap years.
 */
export function gregorianOf(text: string): CalendarDate | undefined {
  // In Unicode, both rows of ten digits begin at a multiple of 16.
  const western = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const [, year, month, day] = SHAPE.exec(western) ?? [];
  const before = DAYS_BEFORE[Number(month) - 1];
  if (before === undefined || Number(day) < 1 || Number(day) > 31) return undefined;
  const found = newYear(Number(year)) + before + Number(day) - 1;
  // In a month with 30 days, the 31st would be the first of the next month.
  return jalaliParts(found) === `${Number(month)}/${Number(day)}` ? dateOfDayNumber(found) : undefined;
}

/** The end of a message about a date that is invalid or has no data: the Gregorian day of a Jalali date, or empty. */
export function jalaliHint(text: string): string {
  const day = gregorianOf(text);
  return day === undefined ? "" : `; dates are Gregorian, and ${text} of the Jalali calendar is ${day}`;
}

/** The day number of the first day of a Jalali year, which begins on 19, 20, 21 or 22 March. */
function newYear(year: number): number {
  let day = dayNumber(`${year + 621}-03-19` as CalendarDate);
  while (jalaliParts(day) !== "1/1") day++;
  return day;
}

/** Month and day in the Jalali calendar, such as `8/30`. */
function jalaliParts(day: number): string {
  const fields = { timeZone: "UTC", month: "numeric", day: "numeric" } as const;
  calendar ??= new Intl.DateTimeFormat("en-US-u-ca-persian-nu-latn", fields);
  return calendar.format(day * DAY_MS);
}

/** Made at the first use, because making it takes milliseconds. */
let calendar: Intl.DateTimeFormat | undefined;
