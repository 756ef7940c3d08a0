import { dayNumber, HOUR_MS, ok, type Zone } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import type { TableAnswers } from "./answers.ts";
import { cleanText } from "./clean_text.ts";
import { isCount, joinDateAndClock } from "./date_and_clock.ts";
import { areMonths, dayQuestion, yearQuestion } from "./days_and_years_left_out.ts";
import { parseEpoch, parseSerial } from "./epoch_and_serial_times.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import {
  type Calendar,
  DATE_ORDERS,
  midnightAsDay,
  parseTime,
  readDay,
  type TimeOptions,
  zoneQuestion,
} from "./parse_times.ts";
import { isJalaliYear, type WrittenTime, weekdayOf } from "./written_time.ts";

/** Facts about the times of a table besides their texts. */
export interface StatedTimes {
  /** The column names may state the calendar, and a zone for all times that have none. */
  readonly statedZone?: { readonly zone: Zone; readonly by: string } | undefined;
  readonly statedCalendar?: { readonly calendar: Calendar; readonly by: string } | undefined;
  /** IANA name of a zone in a title or another column. */
  readonly nearZone?: string | undefined;
  /** The column whose name seems to state a zone that is not known here. */
  readonly unknownZone?: string | undefined;
  readonly titles?: readonly string[];
  readonly today?: CalendarDate | undefined;
  /** Whether the column has a Persian name. */
  readonly isPersian?: boolean;
  /** Whether the times may be dates without an hour if all of them are midnight. */
  readonly mayWriteDaysAsMidnights?: boolean;
}

/** How the times of a file are written, according to its rows. */
export interface TimeSurvey {
  /** How to read the times, according to the options, the names of columns, and the rows. */
  readonly times: TimeOptions;
  readonly hasJalali: boolean;
  /** Whether there are dates without an hour. */
  readonly hasDates: boolean;
  /** Whether there are times without a zone. */
  readonly hasLocalTimes: boolean;
  readonly questions: readonly OpenQuestion[];
}

/** One way to read a date that does not begin with a year of four digits. */
type DateReading = { readonly name: string; readonly set: Pick<TableAnswers, "calendar" | "dateOrder"> };
type SurveyedTime = WrittenTime & { readonly text: string };

const JALALI: DateReading = { name: "jalali", set: { calendar: "jalali" } };
const JALALI_DMY: DateReading = { name: "jalali, dmy", set: { calendar: "jalali", dateOrder: "dmy" } };
/** A range of dates may be up to this many days longer if its dates are read in the other calendar. */
const MONTHS_DIFFER = 5;
const ORDERS = DATE_ORDERS.map((name): DateReading => ({ name, set: { dateOrder: name } }));
const NIGHT = [HOUR_MS, 7 * HOUR_MS] as const;
const FRIDAY = 5;
/** If a year of two digits leads to a day outside this range, the reading is wrong. */
const [FIRST_DAY, END_DAY] = ["1990-01-01", "2050-01-01"];

/** Detects how the times of a file are written, and which questions they leave open. */
export function surveyTimes(texts: readonly string[], options: TimeOptions & StatedTimes): ReadResult<TimeSurvey> {
  const { statedZone, nearZone, unknownZone } = options;
  const others: string[] = [];
  const written = texts.flatMap((text): SurveyedTime | [] => {
    const clean = cleanText(text);
    const time = parseTime(clean, options.year);
    if (!time && !parseEpoch(clean)) others.push(text);
    return time ? { ...time, text } : [];
  });
  if (areMonths(texts))
    return unread(`"${texts[0]!}" may be a month, or a day without a year: write all dates in full`);
  const days = written.map(midnightAsDay);
  const areDays = days.every(({ timeOfDayMs }) => timeOfDayMs === undefined);
  const isMidnightDay = options.mayWriteDaysAsMidnights === true && !statedZone && areDays;
  const times = isMidnightDay ? days : written;
  const found = findOrder(times, options);
  const swapped = options.dateOrder === undefined ? swappedDays(times) : undefined;
  if (!found.ok) return found;
  if (swapped !== undefined) return unread(swapped);
  const { reading, questions: open } = found.value;
  const day = times.find(({ timeOfDayMs }) => timeOfDayMs === undefined);
  const local = times.find(({ timeOfDayMs, zone }) => timeOfDayMs !== undefined && zone === "");
  const questions: OpenQuestion[] = [...open, ...otherCalendar(times, options), ...leftOut(others, options)];
  const isOtherZone = statedZone !== undefined && statedZone.zone.name !== options.zone.name;
  if (day && options.dayAtMs === undefined)
    questions.push({ set: { dayAt: "16:30" }, reason: `"${day.text}" has no hour` });
  if (isOtherZone && (options.isZoneKnown ? local : day)) {
    const { name } = statedZone.zone;
    const other = options.isZoneKnown ? `${options.zone.name} was given` : `"${day!.text}" has no hour`;
    questions.push({ set: { zone: name }, reason: `${statedZone.by} says ${name}, and ${other}` });
  } else if (local && !statedZone && !options.isZoneKnown) {
    const isAbroad = options.isAbroad === true || isRoundTheClock(times, { ...options, ...reading?.set });
    if (unknownZone !== undefined)
      questions.push({ set: {}, missing: "zone", reason: `${unknownZone} seems to name an unknown zone` });
    else if (nearZone) questions.push({ set: { zone: nearZone }, reason: `"${local.text}" names no zone` });
    else questions.push(zoneQuestion(local.text, { ...options, isAbroad }));
  }
  const { calendar, dateOrder } = reading?.set ?? {};
  return ok({
    times: {
      ...options,
      isMidnightDay,
      ...(statedZone && !options.isZoneKnown && { zone: statedZone.zone, isZoneKnown: true }),
      ...(calendar && { calendar }),
      ...(dateOrder && { dateOrder }),
    },
    hasJalali: times.some(({ date }) => readDay(date, { ...options, ...reading?.set })?.calendar === "jalali"),
    hasDates: day !== undefined,
    hasLocalTimes: local !== undefined,
    questions,
  });
}

/** Whether local times include nights and, if they span a week, Fridays, when the market in Tehran is closed. */
function isRoundTheClock(times: readonly SurveyedTime[], options: TimeOptions): boolean {
  const local = times.filter(({ timeOfDayMs, zone }) => timeOfDayMs !== undefined && zone === "");
  if (!local.some(({ timeOfDayMs }) => timeOfDayMs! >= NIGHT[0] && timeOfDayMs! < NIGHT[1])) return false;
  const days = local.flatMap(({ date }) => readDay(date, options)?.day ?? []);
  return spanOf(days) < 7 || days.some((day) => weekdayOf(day) === FRIDAY);
}

/** The question about texts that are not times: days without a year, or hours alone. */
function leftOut(texts: readonly string[], options: TimeOptions & StatedTimes): readonly OpenQuestion[] {
  const ofYear = yearQuestion(texts, options);
  if (ofYear) return [ofYear];
  const hours = texts.find(
    (text) => parseTime(joinDateAndClock(FIRST_DAY, text))?.timeOfDayMs !== undefined && !isCount(cleanText(text)),
  );
  return hours === undefined ? [] : [dayQuestion(`"${hours}" has no day`, options.titles ?? [])];
}

/** Finds the reading in which all dates are valid. Of several such readings, the one with the shortest span counts. */
function findOrder(
  times: readonly SurveyedTime[],
  options: TimeOptions & StatedTimes,
): ReadResult<{ readonly reading?: DateReading; readonly questions: readonly OpenQuestion[] }> {
  const calendar = options.calendar ?? options.statedCalendar?.calendar;
  const isOpen = ([first, , third]: WrittenTime["date"]): boolean =>
    calendar === "jalali" && options.dateOrder === undefined && first.length < 4 && third.length < 4;
  const unclear = times.filter(({ date }) => readDay(date, options) === undefined || isOpen(date));
  if (unclear.length === 0) return ok({ questions: [] });
  const isShort = unclear.some(({ date }) => date[2].length < 4);
  const readings = isShort ? readingsOf(calendar, options) : ORDERS.slice(0, 2);
  const days = readings.map((reading) => unclear.map(({ date }) => dayBy(reading, date, options)));
  // A date that is invalid in all readings is a mistake, so it is ignored.
  const real = unclear.flatMap((_, at) => (days.some((found) => found[at] !== undefined) ? [at] : []));
  if (real.length === 0) return ok({ reading: readings[0]!, questions: [] });
  const possible = readings.flatMap((reading, at) => {
    const found = real.map((place) => days[at]![place]);
    return found.includes(undefined) ? [] : { reading, span: spanOf(found as CalendarDate[]) };
  });
  // The same dates span a few days more or less in the other calendar.
  const most = Math.min(...possible.map(({ span }) => span)) + MONTHS_DIFFER;
  // Jalali days without a year have the month first, as in whole dates.
  const isMonthFirst = options.year !== undefined && isJalaliYear(options.year);
  const rankOf = ({ reading }: (typeof possible)[number]): number =>
    Number(isMonthFirst && reading.set.dateOrder !== "mdy");
  const [likeliest, other] = possible.sort(
    (a, b) => rankOf(a) - rankOf(b) || Math.max(a.span, most) - Math.max(b.span, most),
  );
  const example = unclear[real[0]!]!;
  if (!likeliest)
    return unread(`its dates have day and month in different orders, e.g. "${example.text}": write them alike`);
  const isClear =
    calendar === "jalali" ? !other || likeliest.reading === JALALI : !other && (!isShort || calendar !== undefined);
  if (isClear) return ok({ reading: likeliest.reading, questions: [] });
  const ways = possible.map(({ reading }) => `${dayBy(reading, example.date, options) ?? "no day"} (${reading.name})`);
  const reason = `"${example.text}" may be ${ways.join(" or ")}`;
  return ok({ reading: likeliest.reading, questions: [{ set: likeliest.reading.set, reason }] });
}

/** The readings of dates with years of two digits, the most likely first. */
function readingsOf(calendar: Calendar | undefined, { isPersian }: StatedTimes): readonly DateReading[] {
  if (calendar !== undefined) return calendar === "jalali" ? [JALALI, JALALI_DMY] : ORDERS;
  return isPersian ? [JALALI, JALALI_DMY, ...ORDERS] : [JALALI, ...ORDERS, JALALI_DMY];
}

/** The question about a column whose name states one calendar and whose years belong to the other. */
function otherCalendar(times: readonly SurveyedTime[], { calendar, statedCalendar }: TimeOptions & StatedTimes) {
  // Day numbers of spreadsheets belong to no calendar.
  const dated = times.filter(
    ({ date, text }) => (date[0].length === 4 || date[2].length === 4) && !parseSerial(cleanText(text)),
  );
  const isOther = ({ date }: SurveyedTime): boolean =>
    isJalaliYear(date[0].length === 4 ? date[0] : date[2]) !== (statedCalendar?.calendar === "jalali");
  if (!statedCalendar || calendar !== undefined || dated.length === 0 || !dated.every(isOther)) return [];
  const other: Calendar = statedCalendar.calendar === "jalali" ? "gregorian" : "jalali";
  const reason = `${statedCalendar.by} says ${statedCalendar.calendar}, and "${dated[0]!.text}" is ${other}`;
  return [{ set: { calendar: other }, reason }];
}

function dayBy({ set }: DateReading, date: WrittenTime["date"], options: TimeOptions): CalendarDate | undefined {
  const day = readDay(date, { ...options, ...set })?.day;
  return day !== undefined && (date[2].length === 4 || (day >= FIRST_DAY && day < END_DAY)) ? day : undefined;
}

function spanOf(days: readonly CalendarDate[]): number {
  const numbers = days.map(dayNumber);
  return Math.max(...numbers) - Math.min(...numbers);
}

/** Returns why day and month may be swapped: a spreadsheet that expects the month first keeps 13/02/2026 as text. */
function swappedDays(times: readonly SurveyedTime[]): string | undefined {
  const texts = times.filter(({ date }) => date[0].length < 4 && date[2].length === 4);
  const days = times.filter(({ date }) => date[0].length === 4);
  const isSwapped = texts.every(({ date }) => +date[0] > 12) && days.every(({ date }) => +date[2] <= 12);
  if (texts.length === 0 || days.length === 0 || !isSwapped) return undefined;
  return `a spreadsheet may have swapped day and month in "${days[0]!.text}", but not in "${texts[0]!.text}": import the original file`;
}
