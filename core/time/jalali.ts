import type { CalendarDate } from "../branded_types.ts";
import { dateOfDayNumber, dayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

const SHAPE = /^(1[345]\d\d)[-/](\d\d?)[-/](\d\d?)$/;
/** The number of days before each month of a Jalali year. */
const DAYS_BEFORE = [0, 31, 62, 93, 124, 155, 186, 216, 246, 276, 306, 336];

/**
 * The Gregorian day of a date in the Jalali calendar of Iran, in the years 1300 to 1599, in Western, Persian or
 * Arabic-Indic digits; `undefined` for any other text. Leap years come from the runtime's calendar data.
 */
export function gregorianOf(text: string): CalendarDate | undefined {
  // Unicode places both rows of ten digits at multiples of 16.
  const western = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const [, year, month, day] = SHAPE.exec(western) ?? [];
  const before = DAYS_BEFORE[Number(month) - 1];
  if (before === undefined || Number(day) < 1 || Number(day) > 31) return undefined;
  const found = newYear(Number(year)) + before + Number(day) - 1;
  // The 31st of a month with 30 days is the first of the next.
  return jalaliParts(found) === `${Number(month)}/${Number(day)}` ? dateOfDayNumber(found) : undefined;
}

/** The end of a message about a date without data or an invalid one: the Gregorian day of a Jalali date, or nothing. */
export function jalaliHint(text: string): string {
  const day = gregorianOf(text);
  return day === undefined ? "" : `; dates are Gregorian, and ${text} of the Jalali calendar is ${day}`;
}

/** The day number of the first day of a Jalali year, which is from 19 to 22 March. */
function newYear(year: number): number {
  let day = dayNumber(`${year + 621}-03-19` as CalendarDate);
  while (jalaliParts(day) !== "1/1") day++;
  return day;
}

/** Month and day in the Jalali calendar, e.g. `8/30`. */
function jalaliParts(day: number): string {
  const fields = { timeZone: "UTC", month: "numeric", day: "numeric" } as const;
  calendar ??= new Intl.DateTimeFormat("en-US-u-ca-persian-nu-latn", fields);
  return calendar.format(day * DAY_MS);
}

/** Made at the first use, as that takes milliseconds. */
let calendar: Intl.DateTimeFormat | undefined;
