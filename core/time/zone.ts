import type { CalendarDate, UtcMillis } from "../brand.ts";
import { dateOfDayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

/** The calendar of a time zone: which day a moment lies in, and when a day begins. */
export interface Zone {
  /** IANA name, e.g. `Asia/Tehran`. */
  readonly name: string;
  /** First moment of the day with this number (days since 1970-01-01). */
  startOfDay(dayNumber: number): UtcMillis;
  /** The day that a moment lies in. */
  dateAt(time: UtcMillis): CalendarDate;
}

const MAX_KEPT_DAYS = 20_000;

/**
 * Makes the calendar of an IANA time zone, as the runtime's time zone data knows it.
 * Throws `RangeError` for a name that is not known there.
 */
export function createZone(name: string): Zone {
  const offsetAt = name === "UTC" ? () => 0 : offsetReader(name);
  // A look-up in the runtime's zone data takes microseconds, and the same few days are asked again and again.
  const starts = new Map<number, UtcMillis>();

  function startOfDay(day: number): UtcMillis {
    const kept = starts.get(day);
    if (kept !== undefined) return kept;
    if (starts.size >= MAX_KEPT_DAYS) starts.clear();
    const start = findStart(day * DAY_MS, offsetAt) as UtcMillis;
    starts.set(day, start);
    return start;
  }

  function dateAt(time: UtcMillis): CalendarDate {
    const shown = Math.floor((time + offsetAt(time)) / DAY_MS);
    // Where a clock is set back over midnight, a date shows twice; a day that has begun goes on here.
    return dateOfDayNumber(time < startOfDay(shown + 1) ? shown : shown + 1);
  }

  return { name, startOfDay, dateAt };
}

/** The first moment at or after which the zone's clocks show `midnight` (a wall time, as if it were UTC) or later. */
function findStart(midnight: number, offsetAt: (time: number) => number): number {
  const before = offsetAt(midnight - DAY_MS);
  const after = offsetAt(midnight + DAY_MS);
  if (before === after) return midnight - before;
  // A change is near. Setting clocks back can show midnight twice: the first one counts.
  const early = midnight - Math.max(before, after);
  if (early + offsetAt(early) === midnight) return early;
  const late = midnight - Math.min(before, after);
  if (late + offsetAt(late) === midnight) return late;
  // Midnight is skipped, as in Tehran each spring until 2022: the day begins with the change itself.
  let [low, high] = [early, late];
  const offsetBefore = offsetAt(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offsetBefore) low = middle;
    else high = middle;
  }
  return high;
}

/** In the zone data of every runtime, so there is nothing to be found out about it before it is needed. */
const SURE_NAME = "Asia/Tehran";

function offsetReader(name: string): (time: number) => number {
  // Making the first format takes a tenth of a whole program's start.
  let format = name === SURE_NAME ? undefined : wallClock(name);
  return (time) => {
    format ??= wallClock(name);
    const part: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(time)) part[type] = value;
    const { era = "", year = "", month = "", day = "", hour = "", minute = "", second = "" } = part;
    const gregorianYear = era.startsWith("B") ? 1 - +year : +year;
    const wall = new Date(0).setUTCFullYear(gregorianYear, +month - 1, +day) + (+hour * 3_600 + +minute * 60 + +second) * 1_000;
    return wall - Math.floor(time / 1_000) * 1_000;
  };
}

/** Throws `RangeError` for a zone that the runtime does not know. */
function wallClock(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: name,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}
