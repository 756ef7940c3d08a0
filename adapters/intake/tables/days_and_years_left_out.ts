import type { CalendarDate } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import type { OpenQuestion } from "./open_questions.ts";
import { parseTime, readDay } from "./parse_times.ts";
import { parseWrittenTime } from "./written_time.ts";

/** A leap year of each calendar. A text has no year if it becomes a date only with one of these years. */
const ANY_YEARS = ["1403", "2024"];
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

/** Asks for the year if dates have none. A title may suggest the answer. */
export function yearQuestion(
  texts: readonly string[],
  { titles = [], year: given }: { readonly titles?: readonly string[]; readonly year?: string | undefined },
): OpenQuestion | undefined {
  const dates = texts.filter((text) => ANY_YEARS.some((year) => parseTime(cleanText(text), year)));
  if (dates[0] === undefined) return undefined;
  const named = new Set(titles.flatMap((title) => cleanText(title).match(YEAR) ?? []));
  const [year, more] = [...named].filter((one) => dates.every((text) => parseTime(cleanText(text), one)));
  const reason = `"${dates[0]}" ${given === undefined ? "has no year" : `is no day of ${given}`}`;
  return year === undefined || more !== undefined
    ? { set: {}, missing: "year", reason }
    : { set: { year }, reason: `${reason}; a title names ${year}` };
}
