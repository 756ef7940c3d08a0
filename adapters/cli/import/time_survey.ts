import { dayNumber, ok } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import { parseEpoch } from "./counted_time.ts";
import type { CountedTime } from "./counted_time.ts";
import { unread } from "./needs.ts";
import type { Need, Reading } from "./needs.ts";
import { SHORT_YEAR, TWO_WAYS, parseTime, readDay } from "./times.ts";
import type { DateOrder, TimeOptions } from "./times.ts";
import type { WrittenTime } from "./written_time.ts";

/** How the times of a file are written, as its rows show. */
export interface TimeSurvey {
  /** The order of dates that need one; where several are possible, the likeliest. */
  readonly dateOrder: DateOrder | undefined;
  /** Whether there are dates of the Jalali calendar. */
  readonly hasJalali: boolean;
  /** Whether there are dates without an hour. */
  readonly hasDates: boolean;
  /** Whether there are times without a zone. */
  readonly hasLocalTimes: boolean;
  /** Whether there are times with a zone. */
  readonly hasZonedTimes: boolean;
  /** The unit of times that are counts since 1970. */
  readonly countedIn: CountedTime["unit"] | undefined;
  /** What the times leave open. */
  readonly needs: readonly Need[];
}

/** One way to read a date that does not begin with a year of four digits, and the option that says so. */
interface DateReading extends Pick<TimeOptions, "calendar" | "dateOrder"> {
  readonly name: string;
  readonly option: string;
}

interface SurveyedTime extends WrittenTime {
  readonly text: string;
}

const JALALI: DateReading = { name: "jalali", option: "--calendar jalali", calendar: "jalali" };
const ORDERS = (["dmy", "mdy", "ymd"] as const).map((name): DateReading => ({ name, option: `--date-order ${name}`, dateOrder: name }));
/** Where a year has two digits, days outside are those of a wrong reading. */
const [FIRST_DAY, END_DAY] = ["1990-01-01", "2050-01-01"];

/** Looks through the times of a file, and finds what they tell and what they leave open. */
export function surveyTimes(texts: readonly string[], options: TimeOptions): Reading<TimeSurvey> {
  const epochs = texts.flatMap((text) => parseEpoch(cleanText(text)) ?? []);
  const times = texts.flatMap((text): SurveyedTime | [] => {
    const written = parseTime(cleanText(text));
    return written ? { ...written, text } : [];
  });
  const found = findOrder(times, options);
  const swapped = options.dateOrder === undefined ? swappedDays(times) : undefined;
  if (!found.ok) return found;
  if (swapped !== undefined) return unread(swapped);
  const { reading, needs: open } = found.value;
  const day = times.find(({ timeOfDayMs }) => timeOfDayMs === undefined);
  const local = times.find(({ timeOfDayMs, zone }) => timeOfDayMs !== undefined && zone === "");
  const needs: Need[] = [...open];
  if (day && options.dayAtMs === undefined) needs.push({ option: "--day-at 16:30", reason: `"${day.text}" has no hour` });
  if (local && !options.isZoneTold) needs.push({ option: `--zone ${options.zone.name}`, reason: `"${local.text}" names no zone` });
  return ok({
    dateOrder: reading?.dateOrder ?? options.dateOrder,
    hasJalali: times.some(({ date }) => readDay(date, { ...options, ...reading })?.calendar === "jalali"),
    hasDates: day !== undefined,
    hasLocalTimes: local !== undefined,
    hasZonedTimes: epochs.length > 0 || times.some(({ zone }) => zone !== ""),
    countedIn: epochs[0]?.unit,
    needs,
  });
}

/** Finds the only reading that makes a day of each date; where there are several, the one with the days closest together is the likeliest. */
function findOrder(times: readonly SurveyedTime[], options: TimeOptions): Reading<{ readonly reading?: DateReading; readonly needs: readonly Need[] }> {
  const unclear = times.filter(({ date }) => readDay(date, options) === undefined);
  if (unclear.length === 0) return ok({ needs: [] });
  const isShort = unclear.some(({ date }) => date[2].length < 4);
  const readings = [...(isShort && options.calendar === undefined ? [JALALI] : []), ...ORDERS.slice(0, isShort ? 3 : 2)];
  const days = readings.map((reading) => unclear.map(({ date }) => dayBy(reading, date, options)));
  // A date that no reading makes a day of is a mistake, and tells nothing.
  const real = unclear.flatMap((_, at) => (days.some((found) => found[at] !== undefined) ? [at] : []));
  if (real.length === 0) return ok({ reading: readings[0]!, needs: [] });
  const possible = readings.flatMap((reading, at) => {
    const found = real.map((place) => days[at]![place]);
    return found.includes(undefined) ? [] : { reading, span: spanOf(found as CalendarDate[]) };
  });
  const [likeliest, other] = possible.sort((a, b) => a.span - b.span);
  const example = unclear[real[0]!]!;
  if (!likeliest) return unread(`its dates have day and month in different orders, e.g. "${example.text}": write them alike`);
  if (!other && !isShort) return ok({ reading: likeliest.reading, needs: [] });
  const ways = possible.map(({ reading }) => `${dayBy(reading, example.date, options) ?? "no day"} (${reading.name})`);
  const reason = `"${example.text}" ${isShort ? SHORT_YEAR : TWO_WAYS}: ${ways.join(" or ")}`;
  return ok({ reading: likeliest.reading, needs: [{ option: likeliest.reading.option, reason }] });
}

function dayBy({ calendar, dateOrder }: DateReading, date: WrittenTime["date"], options: TimeOptions): CalendarDate | undefined {
  const day = readDay(date, { ...options, ...(calendar && { calendar }), ...(dateOrder && { dateOrder }) })?.day;
  return day !== undefined && (date[2].length === 4 || (day >= FIRST_DAY && day < END_DAY)) ? day : undefined;
}

function spanOf(days: readonly CalendarDate[]): number {
  const numbers = days.map(dayNumber);
  return Math.max(...numbers) - Math.min(...numbers);
}

/** A spreadsheet that expects the month first makes days of dates such as 01/02/2026, with the month for the day, and leaves 13/02/2026 a text. */
function swappedDays(times: readonly SurveyedTime[]): string | undefined {
  const [texts, days] = [times.filter(({ date }) => date[0].length < 4 && date[2].length === 4), times.filter(({ date }) => date[0].length === 4)];
  const isSwapped = texts.length > 0 && days.length > 0 && texts.every(({ date }) => +date[0] > 12) && days.every(({ date }) => +date[2] <= 12);
  return isSwapped ? `a spreadsheet has perhaps taken days for months in "${days[0]!.text}", unlike in "${texts[0]!.text}": import the file that it has opened` : undefined;
}
