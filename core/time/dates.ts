import type { CalendarDate } from "../branded_types.ts";
import { DAY_MS } from "./durations.ts";

/** The day number of 0000-01-01. */
export const FIRST_DAY = -719_528;

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Parses a real Gregorian day, written exactly `YYYY-MM-DD`; returns `undefined` for anything else. */
export function parseDate(text: string): CalendarDate | undefined {
  const match = text.length === 10 ? SHAPE.exec(text) : null;
  if (!match) return undefined;
  const [, year, month, day] = match;
  if (+month! < 1 || +month! > 12 || +day! < 1 || +day! > daysInMonth(+year!, +month!)) return undefined;
  return text as CalendarDate;
}

/** Days since 1970-01-01, negative before. */
export function dayNumber(date: CalendarDate): number {
  return Date.parse(date) / DAY_MS;
}

/** The date of a day number, for the years 0 to 9999. */
export function dateOfDayNumber(days: number): CalendarDate {
  return new Date(days * DAY_MS).toISOString().slice(0, 10) as CalendarDate;
}

/** The number of days in a Gregorian month, which is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
