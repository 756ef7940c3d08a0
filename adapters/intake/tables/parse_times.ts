import { dayNumber, err, formatTimestamp, gregorianOf, ok, parseDate, type Zone } from "../../../core/internal.ts";
import type { CalendarDate, Result } from "../../../core/mod.ts";
import type { TableAnswers } from "./answers.ts";
import { cleanText } from "./clean_text.ts";
import { parseEpoch, parseSerial } from "./epoch_and_serial_times.ts";
import type { MissingPart, OpenQuestion } from "./open_questions.ts";
import { fullYear, isJalaliYear, parseWrittenTime, type WrittenTime } from "./written_time.ts";

/** How the times of a file are meant. */
export interface TimeOptions {
  readonly calendar?: Calendar;
  /** The only day that rows may have, where the caller gives it. */
  readonly day?: CalendarDate;
  /** The year of dates that have none. */
  readonly year?: string;
  /** Milliseconds after midnight at which a date without an hour stands. */
  readonly dayAtMs?: number;
  /** Whether midnight without a zone stands for a date without an hour. Default `false`. */
  readonly isMidnightDay?: boolean;
  /** The zone of times that name none. */
  readonly zone: Zone;
  /** Whether the caller gives the zone: only then are hours taken to be of that zone. */
  readonly isZoneKnown: boolean;
  /** Whether `zone` is no more likely than UTC, as no asset is of a market in Iran. */
  readonly isAbroad?: boolean;
  /** The order of day, month and year in dates that do not begin with a year of four digits. */
  readonly dateOrder?: DateOrder;
}

/** The calendar of a file's dates. Without one, the years of four digits tell. */
export const CALENDARS = ["gregorian", "jalali"] as const;
export type Calendar = (typeof CALENDARS)[number];

/** The order of day, month and year. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Why a time cannot be read, and the answer that would decide it, if one would. */
export interface TimeFault {
  readonly reason: string;
  readonly set?: TableAnswers;
  readonly missing?: MissingPart;
  /** Whether it would be a day with day and month in the other order. */
  readonly isContradiction?: true;
}

/** A day, and the calendar that it was written in. */
export interface ReadDay {
  readonly day: CalendarDate | undefined;
  readonly calendar: Calendar;
}

/** What is said of dates whose parts could be in more than one order. */
export const [SHORT_YEAR, TWO_WAYS] = ["has a year of two digits", "can be read in two ways"];
/** Years of the Jalali calendar, which begin with 13 to 15, are none of these. */
const ISO = /^(?!1[3-5])\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/;
/** `050528`; what could begin with a century may be a month: `140505`. */
const SHORT_COMPACT = /^(?!1[349]|20)(\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?= |$)/;
/** Days of one year that follow each other are closer together, also those of quarters. */
const MOST_OF_A_YEAR = 300;
const MAX_CACHED_DAYS = 50_000;

/** Makes the reader of a file's times, which returns ISO 8601 with a zone. What has no shape of a time is returned as it is. */
export function createTimeReader(options: TimeOptions): (text: string) => Result<string, TimeFault> {
  const { calendar, day: onlyDay, year, dayAtMs, zone, isZoneKnown, isMidnightDay } = options;
  // Few dates occur in many rows, and the conversion of a Jalali one takes microseconds.
  const days = new Map<string, ReadDay | undefined>();

  function cachedDay(date: WrittenTime["date"]): ReadDay | undefined {
    const text = date.join("/");
    if (days.has(text)) return days.get(text);
    if (days.size >= MAX_CACHED_DAYS) days.clear();
    const found = readDay(date, options);
    days.set(text, found);
    return found;
  }

  /** The day before in the file, where the caller gives the year of all. */
  let before: number | undefined;

  return (text) => {
    if (calendar !== "jalali" && onlyDay === undefined && ISO.test(text)) return ok(text);
    const clean = cleanText(text);
    const epoch = parseEpoch(clean);
    if (epoch) return ok(formatTimestamp(epoch.time));
    const written = parseTime(clean, year);
    if (!written) return ok(text); // Refused when it is checked, in words that quote it.
    const { date, timeOfDayMs, zone: offset } = isMidnightDay ? midnightAsDay(written) : written;
    const read = cachedDay(date);
    if (!read)
      return err({ reason: `"${text}" ${date[2].length < 4 ? SHORT_YEAR : TWO_WAYS}`, set: { dateOrder: "dmy" } });
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
          reason: `"${text}" is of another year than the day before it, and ${year} was given for all: write each day with its year`,
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

/** A midnight without a zone as a date without an hour; any other time as it is. */
export function midnightAsDay<Time extends WrittenTime>(time: Time): Time {
  return time.timeOfDayMs === 0 && time.zone === "" ? { ...time, timeOfDayMs: undefined } : time;
}

/** What is open where a time names no zone. */
export function zoneQuestion(text: string, { zone, isAbroad }: TimeOptions): OpenQuestion {
  const reason = `"${text}" names no zone`;
  return isAbroad
    ? { set: {}, missing: "zone", reason: `${reason}: it may be UTC or ${zone.name}` }
    : { set: { zone: zone.name }, reason };
}

/** Takes a cleaned text apart that is a date, with or without an hour: written out, or counted by Excel; `undefined` for any other. */
export function parseTime(clean: string, year?: string): WrittenTime | undefined {
  return parseSerial(clean) ?? parseWrittenTime(clean.replace(SHORT_COMPACT, "$1/$2/$3"), year);
}

/** The day of a date; `undefined` where the options do not say which of its numbers are day, month and year. */
export function readDay(
  date: WrittenTime["date"],
  { calendar, dateOrder, year: leftOut }: Pick<TimeOptions, "calendar" | "dateOrder" | "year">,
): ReadDay | undefined {
  const [first, second, third] = date;
  const isShort = first.length < 4 && third.length < 4;
  let fallback: TimeOptions["dateOrder"];
  // Where the caller gives the year, it stands last, and days are written in either order before it.
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
