import { dayNumber, err, formatTimestamp, gregorianOf, ok, parseDate, type Zone } from "../../../core/internal.ts";
import type { CalendarDate, Result } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import { parseEpoch, parseSerial } from "./epoch_and_serial_times.ts";
import type { CellFault, OpenQuestion } from "./open_questions.ts";
import { fullYear, isJalaliYear, parseWrittenTime, type WrittenTime } from "./written_time.ts";

/** How the times of a file are read. For `calendar`, `day`, `year`, `zone` and `dateOrder`, see `TableAnswers`. */
export interface TimeOptions {
  readonly calendar?: Calendar | undefined;
  readonly day?: CalendarDate | undefined;
  readonly year?: string | undefined;
  /** The time of day of dates without an hour, in milliseconds after midnight. */
  readonly dayAtMs?: number | undefined;
  /** Whether midnight without a zone means a date without an hour. */
  readonly isMidnightDay?: boolean;
  readonly zone: Zone;
  /** Whether the caller gives the zone. Otherwise, times without a zone are refused. */
  readonly isZoneKnown: boolean;
  /** Whether no asset is traded in Iran, so that UTC is as likely as `zone`. */
  readonly isAbroad?: boolean;
  readonly dateOrder?: DateOrder | undefined;
}

/** The calendar of a file's dates. If a year has four digits, its calendar is certain. */
export const CALENDARS = ["gregorian", "jalali"] as const;
export type Calendar = (typeof CALENDARS)[number];

/** The order of day, month and year. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A day, and the calendar in which it was written; `undefined` if the calendar has no such day. */
type ReadDay = { readonly day: CalendarDate | undefined; readonly calendar: Calendar };

/** ISO 8601 with a Gregorian year; Jalali years begin with 13 to 15. */
const ISO = /^(?!1[3-5])\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/;
/** `050528`. Texts such as `140505` are excluded, because they may be months such as 1405-05. */
const SHORT_COMPACT = /^(?!1[349]|20)(\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?= |$)/;
/** Within a year, successive dates are closer together than this, even quarterly dates. */
const MOST_OF_A_YEAR = 300;
const MAX_CACHED_DAYS = 50_000;

/** Creates a function that turns the times of a file into ISO 8601 with a zone. Other texts stay unchanged. */
export function createTimeReader(options: TimeOptions): (text: string) => Result<string, CellFault> {
  const { calendar, day: onlyDay, year, dayAtMs, zone, isZoneKnown, isMidnightDay } = options;
  // Dates repeat in many rows, and the conversion of a Jalali date takes microseconds.
  const days = new Map<string, ReadDay | undefined>();

  function cachedDay(date: WrittenTime["date"]): ReadDay | undefined {
    const text = date.join("/");
    if (days.has(text)) return days.get(text);
    if (days.size >= MAX_CACHED_DAYS) days.clear();
    const found = readDay(date, options);
    days.set(text, found);
    return found;
  }

  /** The day of the previous row, if the caller gives the year of all days. */
  let before: number | undefined;

  return (text) => {
    if (calendar !== "jalali" && onlyDay === undefined && ISO.test(text)) return ok(text);
    const clean = cleanText(text);
    const epoch = parseEpoch(clean);
    if (epoch) return ok(formatTimestamp(epoch));
    const written = parseTime(clean, year);
    if (!written) return ok(text); // The later check of the record rejects this text and quotes it.
    const { date, timeOfDayMs, zone: offset } = isMidnightDay ? midnightAsDay(written) : written;
    const read = cachedDay(date);
    if (!read) return err({ reason: `"${text}" can be read in several ways`, set: { dateOrder: "dmy" } });
    if (read.day === undefined) {
      const isOther = date[0].length < 4 && readDay([date[1], date[0], date[2]], options)?.day !== undefined;
      return err({
        reason: `"${text}" is no day of the ${read.calendar === "jalali" ? "Jalali" : "Gregorian"} calendar`,
        ...(isOther && { isContradiction: true }),
      });
    }
    if (onlyDay !== undefined && read.day !== onlyDay)
      return err({ reason: `"${text}" is another day than ${onlyDay}, which was given for all rows` });
    if (year !== undefined) {
      const number = dayNumber(read.day);
      if (Math.abs(number - (before ?? number)) > MOST_OF_A_YEAR)
        return err({
          reason: `"${text}" seems to be in another year than the day in the row before, but ${year} was given for all rows: write each day with its year`,
          isContradiction: true,
        });
      before = number;
    }
    if (timeOfDayMs === undefined && dayAtMs === undefined)
      return err({ reason: `"${text}" has no hour`, set: { dayAt: "16:30" } });
    if (timeOfDayMs !== undefined && offset === "" && !isZoneKnown) return err(zoneQuestion(text, options));
    if (offset === "") return ok(formatTimestamp(zone.momentAt(dayNumber(read.day), timeOfDayMs ?? dayAtMs ?? 0)));
    return ok(`${read.day}T${new Date(timeOfDayMs ?? 0).toISOString().slice(11, -1)}${offset}`);
  };
}

/** Turns midnight without a zone into a date without an hour; any other time stays unchanged. */
export function midnightAsDay<Time extends WrittenTime>(time: Time): Time {
  return time.timeOfDayMs === 0 && time.zone === "" ? { ...time, timeOfDayMs: undefined } : time;
}

/** The question about a time without a zone. */
export function zoneQuestion(text: string, { zone, isAbroad }: TimeOptions): OpenQuestion {
  const reason = `"${text}" names no zone`;
  return isAbroad
    ? { set: {}, missing: "zone", reason: `${reason}: it may be UTC or ${zone.name}` }
    : { set: { zone: zone.name }, reason };
}

/** Parses a cleaned date with or without an hour, or a day number of Excel; `undefined` for other texts. */
export function parseTime(clean: string, year?: string): WrittenTime | undefined {
  return parseSerial(clean) ?? parseWrittenTime(clean.replace(SHORT_COMPACT, "$1/$2/$3"), year);
}

/** The day of a date; `undefined` if the order of day, month and year is open. */
export function readDay(
  date: WrittenTime["date"],
  { calendar, dateOrder, year: leftOut }: Pick<TimeOptions, "calendar" | "dateOrder" | "year">,
): ReadDay | undefined {
  const [first, second, third] = date;
  const isShort = first.length < 4 && third.length < 4;
  let fallback: TimeOptions["dateOrder"];
  // A year that the caller gives is the last part, after day and month in either order.
  if (calendar === "jalali" && isShort) fallback = "ymd";
  else if (leftOut !== undefined) fallback = undefined;
  else if (calendar === "jalali") fallback = "dmy";
  else if (isJalaliYear(third) && calendar === undefined) fallback = "dmy";
  const order = first.length === 4 ? "ymd" : (dateOrder ?? fallback);
  if (order === undefined || (order === "ymd" && third.length === 4)) return undefined;
  const orders = { ymd: date, mdy: [third, first, second], dmy: [third, second, first] } as const;
  const [year, month, day] = orders[order];
  const isJalali = calendar === "jalali" || (calendar === undefined && isJalaliYear(year));
  const text = `${fullYear(year.padStart(2, "0"), isJalali)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { day: isJalali ? gregorianOf(text) : parseDate(text), calendar: isJalali ? "jalali" : "gregorian" };
}
