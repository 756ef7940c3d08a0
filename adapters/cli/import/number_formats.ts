import { formatDecimal } from "../../../core/internal.ts";
import { unitOfWord } from "../../intake/tables/detect_price_unit.ts";

/** How a spreadsheet shows a number. Has only the parts of a format that affect the meaning of the number. */
export interface NumberFormat {
  readonly hasDay: boolean;
  readonly hasHour: boolean;
  /** To what times are rounded: milliseconds if the format shows fractions of a second. */
  readonly stepMs: 1 | 1_000;
  /** The words shown beside the number, such as `تومان`. */
  readonly words: string;
  /** How many factors of 1,000 are in the words, not in the digits: 1 if 195640000 is shown as `195,640 هزار تومان`. */
  readonly thousands: number;
}

const DAY_MS = 86_400_000;
/** Days from 1899-12-30 to 1970. Days before March 1900 are not read: spreadsheets count a day 1900-02-29. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1904 = 1_462;
const FIRST_DAY = 61;
const END_DAY = 2_958_466;
const LITERAL = /"([^"]*)"|\[\$([^[\]-]*)(?:-[^[\]]*)?\]|((?:\\.)+)|[_*].|\[[^[\]]*\]|(\p{Sc})/gu;

/** The built-in format `id`, or the format that `code` describes. Source: ECMA-376, part 1, 18.8.30 and 18.8.31. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  const [shown = ""] = (code ?? builtIn(id)).split(";");
  const words = [...shown.matchAll(LITERAL)].map(([, quoted, currency, escaped, symbol]) =>
    (quoted ?? currency ?? escaped?.replace(/\\(.)/gu, "$1") ?? symbol ?? "").trim(),
  );
  // Brackets mark hours that may exceed 24, as in `[h]:mm`.
  const bare = shown.replace(/\[(h+|m+|s+)\]/gi, "$1").replace(LITERAL, "");
  const hasHour = /[hs]/i.test(bare);
  const beside = words.filter((word) => /[\p{L}\p{Sc}]/u.test(word)).join(" ");
  const unit = unitOfWord(beside);
  const thousands = /[0#?](,+)(?![0#?])/.exec(bare)?.[1]?.length ?? 0;
  return {
    hasDay: /[yd]/i.test(bare) || (!hasHour && /m/i.test(bare)),
    hasHour,
    stepMs: /s[.,]?0/i.test(bare) ? 1 : 1_000,
    words: thousands > 0 && !unit ? currencyIn(beside) : beside,
    thousands: unit && unit.places >= 3 ? thousands : 0,
  };
}

/** The currency without the words for thousands, such as K: the value of the cell already includes the thousands. */
function currencyIn(words: string): string {
  return words
    .split(/\s+|\b[km]\b/i)
    .filter((word) => /\p{Sc}/u.test(word) || unitOfWord(word))
    .join(" ");
}

/** A number as text: as a date or an hour if the format shows one, else as all its digits and the format's words. */
export function shownNumber(text: string, format: NumberFormat, is1904: boolean): string {
  const { hasDay, hasHour, stepMs, words, thousands } = format;
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) return text;
  const day = is1904 ? number + DAYS_TO_1904 : number;
  const isTime = hasDay || hasHour;
  if (isTime && number >= 0 && number < (hasDay ? 1 : FIRST_DAY)) return clock(number, stepMs);
  if (isTime && day >= FIRST_DAY && day < END_DAY) {
    const moment = iso(day - DAYS_TO_1970, stepMs);
    return hasHour || number % 1 !== 0 ? moment.replace("T", " ") : moment.slice(0, 10);
  }
  // Spreadsheets show at most 15 digits. Further digits are errors of binary rounding, as in 83125.399999999994.
  // A fraction of three digits gets a fourth: in a text, `12.125` could mean 12125.
  const decimal = formatDecimal(Number((number / 1_000 ** thousands).toPrecision(15))).replace(
    /^-?[1-9]\d{0,2}\.\d{3}$/,
    "$&0",
  );
  return words === "" || isTime ? decimal : `${decimal} ${words}`;
}

/** Hours, minutes and seconds. A day counts as 24 hours, so there may be more than 24 hours. */
function clock(days: number, stepMs: number): string {
  const hours = Math.floor(rounded(days, stepMs) / 3_600_000);
  return `${hours}`.padStart(2, "0") + iso(days, stepMs).slice(13);
}

/** Milliseconds, rounded: a program that writes days with five decimals writes 08:00 as 0.33333, a little too early. */
function rounded(days: number, stepMs: number): number {
  return Math.round((days * DAY_MS) / stepMs) * stepMs;
}

/** A time with seconds, and with milliseconds unless they are zero. */
function iso(days: number, stepMs: number): string {
  return new Date(rounded(days, stepMs)).toISOString().replace(/(?:\.000)?Z$/, "");
}

function builtIn(id: number): string {
  if (id === 22) return "yhm";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return "h";
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? "y" : "";
}
