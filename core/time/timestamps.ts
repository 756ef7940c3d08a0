import type { UtcMillis } from "../branded_types.ts";
import type { Clock, UtcClock } from "../ports.ts";
import { daysInMonth } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

/** A time in nanoseconds, as a client may write it. */
export interface Instant {
  readonly millis: UtcMillis;
  /** Nanoseconds after `millis`, 0 to 999,999. */
  readonly nanos: number;
}

const SHAPE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const MAX_LENGTH = 35;

/** Parses an ISO 8601 date and time with a zone. Seconds, with up to 9 fraction digits, are optional. */
export function parseTimestamp(text: string): Instant | undefined {
  if (text.length > MAX_LENGTH || !SHAPE.test(text)) return undefined;
  if (+text.slice(8, 10) > daysInMonth(+text.slice(0, 4), +text.slice(5, 7))) return undefined;
  const point = text.indexOf(".");
  if (point === -1) return instantOf(Date.parse(text), 0);
  // Runtimes parse a fourth fraction digit differently.
  const [fraction = ""] = /\d+/.exec(text.slice(point)) ?? [];
  return instantOf(Date.parse(text.replace(`.${fraction}`, "")), +fraction.padEnd(9, "0"));
}

function instantOf(second: number, nanos: number): Instant | undefined {
  const millis = second + Math.floor(nanos / 1_000_000);
  return isPrintable(millis) ? { millis: millis as UtcMillis, nanos: nanos % 1_000_000 } : undefined;
}

/** The first whole millisecond that is not before the instant. */
export function ceilMillis(instant: Instant): UtcMillis {
  return (instant.nanos > 0 ? instant.millis + 1 : instant.millis) as UtcMillis;
}

/** Whether `a` is before `b`. */
export function isBefore(a: Instant, b: Instant): boolean {
  return a.millis < b.millis || (a.millis === b.millis && a.nanos < b.nanos);
}

/** ISO 8601 in UTC with `Z` and exactly three fraction digits. For the years 0 to 9999. */
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
// Formatting the date is half of the work, so the last date is cached: successive times are mostly on the same day.
let lastDay = NaN;
let lastDate = "";

/** Whether a value is a time: whole milliseconds in the years 0 to 9999. */
export function isTime(value: unknown): value is UtcMillis {
  return typeof value === "number" && Number.isInteger(value) && isPrintable(value);
}

/** Whether a time is in the years 0 to 9999, so that `formatTimestamp` can write it. */
export function isPrintable(millis: number): boolean {
  return millis >= -62_167_219_200_000 && millis < 253_402_300_800_000;
}

/** A time without its fraction of a millisecond. Throws `TypeError` outside the years 0 to 9999. */
export function checkedTime(time: number): UtcMillis {
  const whole = Math.floor(time);
  if (isTime(whole)) return whole;
  throw new TypeError(`Cannot use a time because it must be milliseconds of the years 0 to 9999: received "${time}"`);
}

/** Makes a clock that passes each time through `checkedTime`. */
export function checkedClock(clock: Clock): UtcClock {
  return () => checkedTime(clock());
}
