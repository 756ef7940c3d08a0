import type { UtcMillis } from "../brand.ts";
import { dayNumberOf, daysInMonth } from "./dates.ts";
import { DAY_MS, MINUTE_MS } from "./durations.ts";

/** A moment to the nanosecond, as a client may write it. */
export interface Instant {
  /** The millisecond that it is in. */
  readonly millis: UtcMillis;
  /** Nanoseconds after that, 0 to 999,999. */
  readonly nanos: number;
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)$/;
const MAX_LENGTH = 35;
const [DASH, POINT, COLON, LETTER_T, LETTER_Z] = [0x2d, 0x2e, 0x3a, 0x54, 0x5a];

/**
 * Parses an ISO 8601 date and time with `Z` or an offset. Seconds, with up to 9 digits of a fraction, may follow the
 * minutes. `undefined` for anything else, also for a date alone.
 */
export function parseTimestamp(text: string): Instant | undefined {
  const usual = parseUsual(text);
  if (usual !== undefined) return { millis: usual as UtcMillis, nanos: 0 };
  if (text.length > MAX_LENGTH) return undefined;
  const match = SHAPE.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone = "Z"] = match;
  const offset = parseOffset(zone);
  if (offset === undefined) return undefined;
  if (+month! < 1 || +month! > 12 || +day! < 1 || +day! > daysInMonth(+year!, +month!)) return undefined;
  if (+hour! > 23 || +minute! > 59 || +second > 59) return undefined;
  const nanos = +fraction.padEnd(9, "0");
  const minuteStart = new Date(0).setUTCFullYear(+year!, +month! - 1, +day!) + (+hour! * 60 + +minute! - offset) * MINUTE_MS;
  const millis = minuteStart + +second * 1_000 + Math.floor(nanos / 1_000_000);
  return isPrintable(millis) ? { millis: millis as UtcMillis, nanos: nanos % 1_000_000 } : undefined;
}

/**
 * Parses the two forms in which most programs write times, `2026-01-31T12:00:00Z` and with three digits of a fraction, in a
 * quarter of the time; `undefined` for any other text, which may still be a timestamp.
 */
function parseUsual(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== LETTER_Z) return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || text.charCodeAt(10) !== LETTER_T) return undefined;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON || (length === 24 && text.charCodeAt(19) !== POINT)) return undefined;
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  const [hour, minute, second] = [digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19)];
  const millis = length === 20 ? 0 : digits(text, 20, 23);
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && hour <= 23 && minute <= 59 && second <= 59;
  // What is no digit makes it no number.
  const time = dayNumberOf(year, month, day) * DAY_MS + (hour * 60 + minute) * MINUTE_MS + second * 1_000 + millis;
  return exists && !Number.isNaN(time) ? time : undefined;
}

/** The number that these letters write; `NaN` where one is no digit. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

/** The first whole millisecond that is not before the moment. */
export function ceilMillis(instant: Instant): UtcMillis {
  return (instant.nanos > 0 ? instant.millis + 1 : instant.millis) as UtcMillis;
}

/** Whether `a` is before `b`. */
export function isBefore(a: Instant, b: Instant): boolean {
  return a.millis < b.millis || (a.millis === b.millis && a.nanos < b.nanos);
}

/** ISO 8601 in UTC with `Z` and exactly three digits of a fraction. For the years 0 to 9999. */
export function formatTimestamp(time: UtcMillis): string {
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, 11);
    lastDay = day;
  }
  const millis = time - day * DAY_MS;
  const seconds = Math.floor(millis / 1_000);
  const minutes = Math.floor(seconds / 60);
  const fraction = String(1_000 + millis - seconds * 1_000).slice(1);
  return `${lastDate}${TWO_DIGITS[Math.floor(minutes / 60)]!}:${TWO_DIGITS[minutes % 60]!}:${TWO_DIGITS[seconds % 60]!}.${fraction}Z`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
// The date of the last call is cached: it is half of the work, and successive times are mostly of the same day.
let lastDay = NaN;
let lastDate = "";

/** Whether a time is in the years 0 to 9999, which `formatTimestamp` can write. */
export function isPrintable(millis: number): boolean {
  return millis >= -62_167_219_200_000 && millis < 253_402_300_800_000;
}

function parseOffset(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const hours = +zone.slice(1, 3);
  const minutes = +zone.slice(4);
  if (hours > 23 || minutes > 59) return undefined;
  return (hours * 60 + minutes) * (zone[0] === "-" ? -1 : 1);
}
