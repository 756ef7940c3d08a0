import type { CalendarDate, UtcMillis } from "../brand.ts";
import { dateOfDayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

/** The calendar of a time zone: the day of a moment, and the moment at which a day begins. */
export interface Zone {
  /** IANA name, e.g. `Asia/Tehran`. */
  readonly name: string;
  /** First moment of the day with this number (days since 1970-01-01). */
  startOfDay(dayNumber: number): UtcMillis;
  /** The day of a moment. */
  dateAt(time: UtcMillis): CalendarDate;
  /**
   * The moment at which the zone's clocks show this time of this day: the first one where they show it twice. Where they
   * skip it, the moment that is as long after the change as the time is after the skipped hour's beginning.
   *
   * @param timeOfDayMs Milliseconds after midnight, as clocks show them.
   */
  momentAt(dayNumber: number, timeOfDayMs: number): UtcMillis;
}

const MAX_CACHED_DAYS = 20_000;

/**
 * Makes the calendar of an IANA time zone from the runtime's time zone data.
 *
 * @throws RangeError for a name that the runtime does not know.
 */
export function createZone(name: string): Zone {
  const offsetAt = name === "UTC" ? () => 0 : offsetReader(name);
  // Cached, as the runtime takes microseconds for each offset and most requests ask for the same few days.
  const starts = new Map<number, UtcMillis>();
  const offsets = new Map<number, readonly [before: number, after: number]>();

  function startOfDay(day: number): UtcMillis {
    const cached = starts.get(day);
    if (cached !== undefined) return cached;
    if (starts.size >= MAX_CACHED_DAYS) starts.clear();
    const start = findStart(day * DAY_MS, offsetAt) as UtcMillis;
    starts.set(day, start);
    return start;
  }

  function dateAt(time: UtcMillis): CalendarDate {
    const shown = Math.floor((time + offsetAt(time)) / DAY_MS);
    // Where clocks are set back over midnight, they show the old date again; the day that has begun goes on.
    return dateOfDayNumber(time < startOfDay(shown + 1) ? shown : shown + 1);
  }

  function momentAt(day: number, timeOfDayMs: number): UtcMillis {
    const shown = day * DAY_MS + timeOfDayMs;
    const [before, after] = offsetsAround(day);
    if (before === after) return (shown - before) as UtcMillis;
    const early = shown - Math.max(before, after);
    if (early + offsetAt(early) === shown) return early as UtcMillis;
    const late = shown - Math.min(before, after);
    return (late + offsetAt(late) === shown ? late : shown - before) as UtcMillis;
  }

  /** The offsets from UTC a day before a day begins and a day after it ends. */
  function offsetsAround(day: number): readonly [before: number, after: number] {
    const cached = offsets.get(day);
    if (cached) return cached;
    if (offsets.size >= MAX_CACHED_DAYS) offsets.clear();
    const found = [offsetAt((day - 1) * DAY_MS), offsetAt((day + 2) * DAY_MS)] as const;
    offsets.set(day, found);
    return found;
  }

  return { name, startOfDay, dateAt, momentAt };
}

/** The first moment at which the zone's clocks show `midnight` or later. `midnight` is a local time, written as if it were UTC. */
function findStart(midnight: number, offsetAt: (time: number) => number): number {
  const before = offsetAt(midnight - DAY_MS);
  const after = offsetAt(midnight + DAY_MS);
  if (before === after) return midnight - before;
  // The offset changes within a day of it. Clocks that are set back can show midnight twice: the first one counts.
  const early = midnight - Math.max(before, after);
  if (early + offsetAt(early) === midnight) return early;
  // Clocks that skip midnight, as in Tehran each spring until 2022, begin the day at the change, which bisection
  // finds; without a change in between, it ends at the later of the two, when they show midnight.
  let [low, high] = [early, midnight - Math.min(before, after)];
  const offsetBefore = offsetAt(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offsetBefore) low = middle;
    else high = middle;
  }
  return high;
}

/** Makes the function that returns how many milliseconds the zone's clocks are ahead of UTC at a time. */
function offsetReader(name: string): (time: number) => number {
  // The list takes 2 ms; the first format takes 12 ms, so it is made at the first date. The list lacks aliases, e.g. "Iran".
  let format = Intl.supportedValuesOf("timeZone").includes(name) ? undefined : wallClock(name);
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

/** A format that shows what a clock of the zone shows. Throws `RangeError` for a zone that the runtime does not know. */
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
