import { dayNumber } from "../../../core/internal.ts";
import type { CalendarDate } from "../../../core/mod.ts";
import { cleanText, persianLetters } from "./clean_text.ts";

/** The parts of a time as written. */
export interface WrittenTime {
  /** The three numbers of the date in written order; the year comes first if the month is a name. */
  readonly date: readonly [string, string, string];
  /** Milliseconds after midnight; `undefined` for a date alone. */
  readonly timeOfDayMs: number | undefined;
  /** `Z`, or an offset such as `+03:30`; empty for none. */
  readonly zone: string;
}

const NUMBERS =
  /^(\d{1,4})([-/.\\_])(\d{1,2})\2(\d{1,4})(?:(?:T|[ ,\u060c]+)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|[+-](?:\d\d:?\d\d|0\d|1[0-4]))?$/i;
/**
 * `20260821`, `14050530163000`. Only these years are allowed, so that no number of milliseconds since 1970 matches. The
 * groups are those of `NUMBERS`.
 */
const COMPACT = /^((?:1[3459]|20)\d\d)()(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?() ?(Z|[+-](?:\d\d:?\d\d|0\d|1[0-4]))?$/i;
const CLOCK =
  /(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d{1,9})?))? ?(am|pm|صبح)?(?: ?(?:z|utc|gmt))?(?: ?([+-](?:\d\d:?\d\d|0\d|1[0-4])))?(?=[\s,\u060c]|$)/;
const MAX_LENGTH = 80;

const MORNING = "صبح";
/** Unambiguous words for the halves of a day; `ظهر` and `شب` are ambiguous. */
const HALVES = [
  [/a\.m\.|ق\.? ?ظ\.?|قبل ?از ?ظهر/g, "am"],
  [/p\.m\.|ب\.? ?ظ\.?|بعد ?از ?ظهر|عصر/g, "pm"],
] as const;
const IGNORED = new Set(
  (
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday tues thur thurs at of - – " +
    "شنبه یکشنبه دوشنبه سهشنبه چهارشنبه پنجشنبه پنچشنبه جمعه یک دو سه چهار پنج ماه سال ساعت روز تاریخ مورخ"
  ).split(" "),
);

/** In Persian, the days of the week are numbered from Saturday on. */
const WEEKDAY = /(?:(یک|دو|سه|چهار|پنج|پنچ) ?)?(شنبه|جمعه)|\b(sun|mon|tue|wed|thu|fri|sat)/;
const BEFORE_SATURDAY = ["یک", "دو", "سه", "چهار", "پنج"];
const ENGLISH_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The months in order, each with its spellings. */
const JALALI =
  "فروردین|farvardin اردیبهشت|ordibehesht خرداد|khordad تیر|tir مرداد|امرداد|mordad شهریور|shahrivar مهر|mehr ابان|aban اذر|azar دی|dey بهمن|bahman اسفند|esfand";
const GREGORIAN = "ژانویه فوریه مارس اوریل مه|می ژوین|ژوئن|جون ژوییه|ژوئیه|جولای اوت|اگوست سپتامبر اکتبر نوامبر دسامبر";
const ENGLISH = "january february march april may june july august september october november december".split(" ");

type Month = { readonly number: number; readonly isJalali: boolean };
const MONTHS = new Map<string, Month>();
for (const [names, isJalali] of [[JALALI, true] as const, [GREGORIAN, false] as const]) {
  for (const [at, spellings] of names.split(" ").entries())
    for (const name of spellings.split("|")) MONTHS.set(name, { number: at + 1, isJalali });
}

/**
 * Parses a date with or without an hour; `undefined` for other texts.
 *
 * @param clean A text from `cleanText`.
 * @param year The year of dates without a year, such as `30 مرداد` and `5/30`.
 */
export function parseWrittenTime(clean: string, year?: string): WrittenTime | undefined {
  return clean.length > MAX_LENGTH ? undefined : (partsOf(clean) ?? partsOf(inNumbers(clean, year)));
}

function partsOf(text: string): WrittenTime | undefined {
  const match = NUMBERS.exec(text) ?? COMPACT.exec(text);
  if (!match) return undefined;
  const [, first = "", , second = "", third = "", hour, minute = "", seconds = "0", fraction = "", zone = ""] = match;
  if (first.length === 3 || third.length === 3) return undefined;
  const date = [first, second, third] as const;
  if (hour === undefined) return zone === "" ? { date, timeOfDayMs: undefined, zone } : undefined;
  if (+hour > 23 || +minute > 59 || +seconds > 59) return undefined;
  const millis = +fraction.slice(0, 3).padEnd(3, "0");
  const timeOfDayMs = ((+hour * 60 + +minute) * 60 + +seconds) * 1_000 + millis;
  if (/^(?:utc|z)?$/i.test(zone)) return { date, timeOfDayMs, zone: zone === "" ? "" : "Z" };
  return { date, timeOfDayMs, zone: `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}` };
}

/** Writes a time in numbers, with the hours at the end. */
function inNumbers(clean: string, year = ""): string {
  let text = folded(clean)
    .replace(/ ?\((utc|gmt)\)$/, " $1")
    .replace(/(?<=:\d\d) ?irst$/, "+03:30")
    .replace(/ ?\(.*\)$/, "");
  for (const [half, name] of HALVES) text = text.replace(half, name);
  // An hour without minutes needs a word such as `am`.
  text = text
    .replace(/(?<![\d:])(\d\d?)(?= ?(?:am|pm|صبح)(?![a-z]))|(?<=ساعت ?)(\d\d?)(?![\d:])/, "$&:00")
    .replace(/ *\/ */g, "/");
  const clock = CLOCK.exec(text);
  const words = (clock ? text.replace(clock[0], " ") : text)
    .split(/[\s,\u060c]+/)
    .filter((word) => word !== "" && !IGNORED.has(word));
  const date =
    words.length === 1 && /^[\d/.\\_-]+t?$/.test(words[0]!)
      ? words[0]!
          .replace(/[t-]$/, "")
          .replace(/^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, "$1-$2-$3")
          .replace(/^\d\d?([/-])\d\d?$/, (day, separator: string) => `${day}${separator}${year}`)
      : namedDate(words.join(" "), year);
  const hours = clock ? clockOf24(clock) : "";
  return date === undefined || hours === undefined ? "" : `${date} ${hours}`;
}

/** A text in lower case, with Persian instead of Arabic letters, and with alef without marks. */
function folded(clean: string): string {
  return persianLetters(clean).replace(/[آأ]/g, "ا");
}

/** Whether a text names only months and years, such as `تیر`, `of July` or `2025`. */
export function isSpan(text: string): boolean {
  const words = folded(cleanText(text)).split(/[\s:/,\u060c-]+/);
  return words.every((word) => /^(?:for|in|\d{0,4})$/.test(word) || IGNORED.has(word) || monthOf(word) !== undefined);
}

function clockOf24([text, hour = "", minute, seconds = "00", half, offset]: RegExpExecArray): string | undefined {
  // Twelve in the morning may be noon or midnight, and 13 a.m. does not exist.
  if (+hour > 23 || ((half === "am" || half === MORNING) && +hour > 12) || (half === MORNING && hour === "12"))
    return undefined;
  let hours: string | number = hour;
  if (half === "am") hours = +hour % 12;
  if (half === "pm") hours = (+hour % 12) + 12;
  return `${hours}:${minute}:${seconds}${offset ?? (/(?:z|utc|gmt)$/.test(text) ? "Z" : "")}`;
}

/** Turns `21-aug-26`, `aug. 21st 2026`, `2026 aug 21` and `1 شهریور 1405` into `2026-8-21` and `1405-6-1`. */
function namedDate(text: string, leftOut: string): string | undefined {
  const words = text.split(/[\s./-]+/).filter((word) => word !== "" && word !== "ماه");
  const at = words.findIndex((word) => monthOf(word) !== undefined);
  if (words.length === 2 && leftOut !== "") words.push(leftOut);
  if (words.length !== 3 || at === -1 || at === 2) return undefined;
  const month = monthOf(words[at]!)!;
  const [first, second] = words
    .filter((_, place) => place !== at)
    .map((word) => word.replace(/^(\d\d?)(?:st|nd|rd|th|ام|م)$/, "$1")) as [string, string];
  const [day, digits] = at === 1 && first.length === 4 ? [second, first] : [first, second];
  if (!/^\d\d?$/.test(day) || !/^(?:\d\d|\d{4})$/.test(digits)) return undefined;
  const year = fullYear(digits, month.isJalali);
  return isJalaliYear(year) === month.isJalali ? `${year}-${month.number}-${day}` : undefined;
}

function monthOf(word: string): Month | undefined {
  const at = word.length < 3 ? -1 : ENGLISH.findIndex((name) => name.startsWith(word));
  return at === -1 ? MONTHS.get(word.replace(/ماه$/, "")) : { number: at + 1, isJalali: false };
}

/** The day of the week of a date, 0 for Sunday. */
export function weekdayOf(day: CalendarDate): number {
  return (dayNumber(day) + 4) % 7; // 1970 began on a Thursday.
}

/** The day of the week that a text names, 0 for Sunday. */
export function weekdayIn(clean: string): number | undefined {
  const [, before, persian, english] = WEEKDAY.exec(folded(clean)) ?? [];
  if (english !== undefined) return ENGLISH_DAYS.indexOf(english);
  if (persian === undefined) return undefined;
  return persian === "جمعه" ? 5 : (BEFORE_SATURDAY.indexOf(before ?? "") + 7) % 7;
}

/** Adds the century to a year of two digits. Jalali years become 1320 to 1419, Gregorian years 1950 to 2049. */
export function fullYear(digits: string, isJalali: boolean): string {
  if (digits.length !== 2) return digits;
  if (isJalali) return (+digits < 20 ? "14" : "13") + digits;
  return (+digits < 50 ? "20" : "19") + digits;
}

/** Whether a year is Jalali. As Gregorian years, these years are too old for prices. */
export function isJalaliYear(year: string): boolean {
  return +year >= 1300 && +year < 1600;
}
