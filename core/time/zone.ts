import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import { dateOfDayNumber } from "./dates.ts";
import { DAY_MS } from "./durations.ts";

/** The calendar of a time zone. Days are numbered since 1970-01-01. */
export type Zone = ReturnType<typeof createZone>;

const MAX_CACHED_DAYS = 20_000;
/** The last part of a formatted time, such as `GMT+03:30`, or `GMT` without an offset. Old offsets have seconds. */
const OFFSET = /^GMT([+-]?)(?:(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Makes the calendar of an IANA time zone from the runtime's time zone data. Throws `RangeError` for an unknown zone.
 */
export function createZone(name: string) {
  const offsetAt = name === "UTC" ? () => 0 : offsetReader(name);
  // Cached, because the runtime takes microseconds for each offset, and most requests are for the same few days.
  const offsets = new Map<number, readonly [before: number, after: number]>();

  /** The day of a time. */
  function dateAt(time: UtcMillis): CalendarDate {
    const shown = Math.floor((time + offsetAt(time)) / DAY_MS);
    // After clocks are set back over midnight, they show the old date again, but the new day has already begun.
    return dateOfDayNumber(time < momentAt(shown + 1, 0) ? shown : shown + 1);
  }

  /**
   * The first time at which the zone's clocks show this time of day. If clocks skip this time of day, the offset
   * before their change applies. If they skip midnight, as in Tehran each spring until 2022, the result is the time of
   * their change.
   *
   * @param timeOfDayMs Milliseconds after midnight, as shown by the zone's clocks.
   */
  function momentAt(day: number, timeOfDayMs: number): UtcMillis {
    const shown = day * DAY_MS + timeOfDayMs;
    const [before, after] = offsetsAround(day);
    if (before === after) return (shown - before) as UtcMillis;
    const early = shown - Math.max(before, after);
    if (early + offsetAt(early) === shown) return early as UtcMillis;
    const late = shown - Math.min(before, after);
    return (late + offsetAt(late) === shown ? late : shown - before) as UtcMillis;
  }

  /** The zone's offsets from UTC one day before the day begins, and one day after it ends. */
  function offsetsAround(day: number): readonly [before: number, after: number] {
    const cached = offsets.get(day);
    if (cached) return cached;
    if (offsets.size >= MAX_CACHED_DAYS) offsets.clear();
    const found = [offsetAt((day - 1) * DAY_MS), offsetAt((day + 2) * DAY_MS)] as const;
    offsets.set(day, found);
    return found;
  }

  /** The time at which a day begins. */
  const startOfDay = (day: number): UtcMillis => momentAt(day, 0);
  return { name, startOfDay, dateAt, momentAt };
}

/** Makes the function that returns the zone's offset from UTC at a time, in milliseconds. */
function offsetReader(name: string): (time: number) => number {
  const makeFormat = () => new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  // Making the first format takes 12 ms, so the zone is first looked up in the list of zones, which takes 2 ms. Only a
  // zone that the list lacks, such as the alias "Iran", gets its format at once.
  let format = Intl.supportedValuesOf("timeZone").includes(name) ? undefined : makeFormat();
  return (time) => {
    format ??= makeFormat();
    const [, sign, hours = "0", minutes = "0", seconds = "0"] = OFFSET.exec(format.formatToParts(time).at(-1)!.value)!;
    return Number(`${sign}1`) * (+hours * 3_600 + +minutes * 60 + +seconds) * 1_000;
  };
}
