import type { CalendarDate } from "../brand.ts";
import { DAY_MS } from "./durations.ts";

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Parses a real Gregorian day, written exactly `YYYY-MM-DD`; `undefined` for anything else. */
export function parseDate(text: string): CalendarDate | undefined {
  const match = text.length === 10 ? SHAPE.exec(text) : null;
  if (!match) return undefined;
  const [, year, month, day] = match;
  if (+month! < 1 || +month! > 12 || +day! < 1 || +day! > daysInMonth(+year!, +month!)) return undefined;
  return text as CalendarDate;
}

/** Days since 1970-01-01, negative before. */
export function dayNumber(date: CalendarDate): number {
  return dayNumberOf(digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10));
}

/** The same of a day that exists, by its numbers. */
export function dayNumberOf(calendarYear: number, month: number, day: number): number {
  // Years begin in March here, so that the leap day is the last day of a year. An era is 400 years.
  const year = calendarYear - (month > 2 ? 0 : 1);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i++) number = number * 10 + text.charCodeAt(i) - 48;
  return number;
}

/** The date of a day number, for the years 0 to 9999. */
export function dateOfDayNumber(days: number): CalendarDate {
  return new Date(days * DAY_MS).toISOString().slice(0, 10) as CalendarDate;
}

/** How many days a month (1 to 12) of the Gregorian calendar has. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
