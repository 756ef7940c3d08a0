import type { CalendarDate } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import type { StatedTimes } from "./detect_time_format.ts";
import type { OpenQuestion } from "./open_questions.ts";
import { DATE_ORDERS, type DateOrder, parseTime, readDay, type TimeOptions } from "./parse_times.ts";
import { parseWrittenTime, weekdayIn, weekdayOf } from "./written_time.ts";

/** A leap year of each calendar. A text has no year if it becomes a date only with one of these years. */
const ANY_YEARS = ["1403", "2024"];
/** Within five successive years, a date never has the same weekday twice. */
const YEARS_BACK = [0, 1, 2, 3, 4];
/** How many years the Jalali calendar is behind the Gregorian calendar from March on. */
const JALALI_YEARS_LESS = 621;
const YEAR = /(?<!\d)(?:1[34]|19|20)\d\d(?!\d)/g;
/** `Jan-26` or `01/26`: if all texts end with the same number, here 26, they are months of 2026. */
const MONTH = /^(?:\p{L}+[- ]?\d\d|\d\d?[/-](?:1[3-9]|[2-9]\d))$/u;
/** `140503`: if all texts have this form, they are months such as 1405-03, not hours such as 14:05:03. */
const COMPACT_MONTH = /^(?:1[34]|19|20)\d\d(?:0[1-9]|1[0-2])$/;
const MOST_WORDS = 4;

/** Returns the only day in the titles, as written there; `undefined` for none or several. */
function dayInTitles(titles: readonly string[]): string | undefined {
  const found = new Map<CalendarDate, string>();
  for (const title of titles) {
    const words = cleanText(title)
      .split(/[\s:;,،()[\]|"\u001f]+/)
      .filter((word) => word !== "");
    for (let at = 0; at < words.length; at++) {
      for (let count = 1; count <= MOST_WORDS; count++) {
        const date = parseWrittenTime(words.slice(at, at + count).join(" "))?.date;
        const day = date?.[0].length === 4 ? readDay(date, {})?.day : undefined;
        if (date && day !== undefined && !found.has(day))
          found.set(day, date.map((part) => part.padStart(2, "0")).join("-"));
      }
    }
  }
  const [only, ...others] = found.values();
  return others.length === 0 ? only : undefined;
}

/** Asks for the day if the rows have none. A title may suggest the answer. */
export function dayQuestion(reason: string, titles: readonly string[]): OpenQuestion {
  const day = dayInTitles(titles);
  if (day === undefined) return { set: {}, missing: "day", reason };
  return { set: { day }, reason: `${reason}; a title names ${day}` };
}

/** Whether all texts may be months: texts like `Jan-26` that end with the same number, or texts like `140503`. */
export function areMonths(texts: readonly string[]): boolean {
  const months = new Set(texts.map(cleanText));
  const number = texts[0] === undefined ? "" : cleanText(texts[0]).slice(-2);
  const areAlike = [...months].every((text) => MONTH.test(text) && text.endsWith(number));
  return months.size > 1 && (areAlike || [...months].every((text) => COMPACT_MONTH.test(text)));
}

/** Asks for the year if dates have none. A title or weekdays beside the dates may suggest the answer. */
export function yearQuestion(
  texts: readonly string[],
  { titles = [], today, year: given }: Pick<StatedTimes & TimeOptions, "titles" | "today" | "year">,
): OpenQuestion | undefined {
  const [first, ...others] = texts.filter((text) => ANY_YEARS.some((year) => parseTime(cleanText(text), year)));
  if (first === undefined) return undefined;
  const dates = [first, ...others].map(cleanText);
  const isDay = (text: string, year: string, dateOrder: DateOrder): boolean => {
    const date = parseTime(text, year)?.date;
    const day = date && readDay(date, { year, dateOrder })?.day;
    if (day === undefined || day > (today ?? day)) return false;
    return (weekdayIn(text) ?? weekdayOf(day)) === weekdayOf(day);
  };
  const fitting = (years: readonly string[]): readonly string[] =>
    years.filter((year) => DATE_ORDERS.some((order) => dates.every((text) => isDay(text, year, order))));
  const thisYear = Number(today?.slice(0, 4) ?? 0);
  const recent = YEARS_BACK.flatMap((back) => [thisYear - back, thisYear - back - JALALI_YEARS_LESS]).map(String);
  const hasWeekdays = today !== undefined && dates.some((text) => weekdayIn(text) !== undefined);
  const byWeekday = hasWeekdays ? fitting(recent) : [];
  const [byTitle, more] = fitting([...new Set(titles.flatMap((title) => cleanText(title).match(YEAR) ?? []))]);
  const reason = `"${first}" ${given === undefined ? "has no year" : `is no day of ${given}`}`;
  if (byTitle !== undefined && more === undefined)
    return { set: { year: byTitle }, reason: `${reason}; a title names ${byTitle}` };
  if (byWeekday.length === 0) return { set: {}, missing: "year", reason };
  const why = `${reason}; of the last five years, its weekdays fit ${byWeekday.join(" and ")}`;
  if (byWeekday.length > 1) return { set: {}, missing: "year", reason: why };
  return { set: { year: byWeekday[0]! }, reason: why };
}
