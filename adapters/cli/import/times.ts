import { dayNumber, err, formatTimestamp, gregorianOf, ok, parseDate } from "../../../core/internal.ts";
import type { Zone } from "../../../core/internal.ts";
import type { CalendarDate, Result } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";

/** How the times of a file are meant. */
export interface TimeOptions {
  readonly calendar?: "gregorian" | "jalali";
  /** Milliseconds after midnight at which a date without an hour stands. */
  readonly dayAtMs?: number;
  /** The zone of times that name none. */
  readonly zone: Zone;
  /** Whether the zone was given by an option: only then are hours taken to be of that zone. */
  readonly isZoneTold: boolean;
  /** Whether a date that ends with its year begins with its day or its month. */
  readonly dateOrder?: DateOrder;
}

/** The order of day and month in dates that end with the year. */
export type DateOrder = "dmy" | "mdy";

/** Why a time cannot be read. */
export interface TimeFault {
  readonly reason: string;
  /** The option that would decide it, and what it says. */
  readonly need?: { readonly option: string; readonly said: Partial<TimeOptions> };
}

/** The parts of a written time, as they stand in the text. */
export interface WrittenTime {
  /** The three numbers of the date. */
  readonly date: readonly [string, string, string];
  /** Milliseconds after midnight; `undefined` for a date alone. */
  readonly timeOfDayMs: number | undefined;
  /** `Z`, or an offset; empty for none. */
  readonly zone: string;
}

const ISO = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/;
const WRITTEN = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:(?:T|[ ,\u060c]+)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/;
const MAX_LENGTH = 50;
const MAX_CACHED_DAYS = 50_000;

/** Takes a text apart that has the shape of a date, with or without an hour; `undefined` for any other. */
export function parseWrittenTime(text: string): WrittenTime | undefined {
  const clean = cleanText(text);
  const compact = COMPACT.exec(clean);
  if (compact) return { date: [compact[1]!, compact[2]!, compact[3]!], timeOfDayMs: undefined, zone: "" };
  const match = clean.length > MAX_LENGTH ? null : WRITTEN.exec(clean);
  if (!match) return undefined;
  const [, first, , second, third, hour, minute, seconds = "0", fraction = "", zone = ""] = match;
  const date = [first!, second!, third!] as const;
  if (hour === undefined) return zone === "" ? { date, timeOfDayMs: undefined, zone } : undefined;
  if (+hour > 23 || +minute! > 59 || +seconds > 59) return undefined;
  const timeOfDayMs = ((+hour * 60 + +minute!) * 60 + +seconds) * 1_000 + +fraction.slice(0, 3).padEnd(3, "0");
  return { date, timeOfDayMs, zone: zone.toUpperCase() === "UTC" ? "Z" : zone.toUpperCase() };
}

/** Makes the reader of a file's times, which returns ISO 8601 with a zone. What has no shape of a time is returned as it is. */
export function createTimeReader({ calendar, dayAtMs, zone, isZoneTold, dateOrder }: TimeOptions): (text: string) => Result<string, TimeFault> {
  // Few dates occur in many rows, and the conversion of a Jalali one takes microseconds.
  const days = new Map<string, CalendarDate | undefined>();

  function dayOf(year: string, month: string, day: string): CalendarDate | undefined {
    const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    if (days.has(text)) return days.get(text);
    if (days.size >= MAX_CACHED_DAYS) days.clear();
    const found = calendar === "jalali" ? gregorianOf(text) : parseDate(text);
    days.set(text, found);
    return found;
  }

  return (text) => {
    if (calendar !== "jalali" && ISO.test(text) && !isJalaliYear(text.slice(0, 4))) return ok(text);
    const written = parseWrittenTime(text);
    if (!written) return ok(text); // Refused when it is checked, in words that quote it.
    const { date, timeOfDayMs, zone: offset } = written;
    const isYearFirst = date[0].length === 4;
    if (!isYearFirst && date[2].length !== 4) return err({ reason: `"${text}" has a year of two digits: write four` });
    if (!isYearFirst && dateOrder === undefined) return err(unclearOrder(text));
    const [year, month, day] = isYearFirst ? date : dateOrder === "mdy" ? [date[2], date[0], date[1]] : [date[2], date[1], date[0]];
    if (calendar === undefined && isJalaliYear(year)) {
      return err({ reason: `"${text}" looks like a date of the Jalali calendar`, need: { option: "--calendar jalali", said: { calendar: "jalali" } } });
    }
    const found = dayOf(year, month, day);
    if (found === undefined) return err({ reason: `"${text}" is no day of the ${calendar === "jalali" ? "Jalali" : "Gregorian"} calendar` });
    if (timeOfDayMs === undefined && dayAtMs === undefined) return err({ reason: `"${text}" has no hour`, need: { option: "--day-at 16:30", said: { dayAtMs: 0 } } });
    if (timeOfDayMs !== undefined && offset === "" && !isZoneTold) {
      return err({ reason: `"${text}" names no zone`, need: { option: `--zone ${zone.name}`, said: { isZoneTold: true } } });
    }
    const number = dayNumber(found);
    if (offset === "") return ok(formatTimestamp(zone.momentAt(number, timeOfDayMs ?? dayAtMs ?? 0)));
    const clock = new Date(timeOfDayMs ?? 0).toISOString().slice(11, -1);
    return ok(`${found}T${clock}${/^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset}`);
  };
}

/** What a date that can be read in two ways leaves open. */
export function unclearOrder(text: string): Required<TimeFault> {
  return { reason: `"${text}" can be read in two ways, with the day or the month first`, need: { option: "--date-order dmy", said: { dateOrder: "dmy" } } };
}

/** Whether a year is one that the Jalali calendar has now, and the Gregorian one had before there were markets. */
export function isJalaliYear(year: string): boolean {
  return +year >= 1300 && +year < 1600;
}
