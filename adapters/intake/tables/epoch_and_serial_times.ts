import { DAY_MS, dateOfDayNumber } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { WrittenTime } from "./written_time.ts";

/** 1990 and 2100 in seconds. Between these years, the number of digits shows the unit of a count. */
const [FIRST_SECOND, END_SECOND] = [631_152_000, 4_102_444_800];
/** The days from 1899-12-30, where Excel's count begins, to 1970. */
const EXCEL_DAYS = 25_569;
const DAY_SECONDS = 86_400;
/** 1990 and 2100 in days of Excel. */
const [FIRST_SERIAL, END_SERIAL] = [FIRST_SECOND / DAY_SECONDS + EXCEL_DAYS, END_SECOND / DAY_SECONDS + EXCEL_DAYS];

/** Parses a number of seconds, milliseconds, microseconds or nanoseconds since 1970, between 1990 and 2100. */
export function parseEpoch(text: string): UtcMillis | undefined {
  const [, digits, fraction = ""] = /^(\d{9,19})(?:\.(\d+))?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // Each unit is a thousandth of the unit before it.
  for (const fewer of [0, 3, 6, 9]) {
    const end = digits.length - fewer;
    const seconds = Number(digits.slice(0, Math.max(end, 0)));
    if (seconds < FIRST_SECOND || seconds >= END_SECOND) continue;
    const millis = (digits.slice(end) + fraction).slice(0, 3).padEnd(3, "0");
    return (seconds * 1_000 + Number(millis)) as UtcMillis;
  }
  return undefined;
}

/**
 * Parses a day number of Excel between 1990 and 2100, whose fraction is the local time, such as `45890.6875`. The time
 * is rounded to seconds, because a fraction with five digits is not exact: `.33333` is 08:00.
 */
export function parseSerial(text: string): WrittenTime | undefined {
  const [, whole, fraction] = /^(\d{5})([.,]\d+)?$/.exec(text) ?? [];
  if (whole === undefined || +whole < FIRST_SERIAL || +whole >= END_SERIAL) return undefined;
  const millis = Math.round(Number((fraction ?? "0").replace(",", ".")) * DAY_SECONDS) * 1_000;
  const day = Number(whole) - EXCEL_DAYS + Math.floor(millis / DAY_MS);
  const date = dateOfDayNumber(day).split("-") as unknown as WrittenTime["date"];
  return { date, timeOfDayMs: millis === 0 ? undefined : millis % DAY_MS, zone: "" };
}
