import { cleanText, quoted } from "./clean_text.ts";
import { parseEpoch } from "./epoch_and_serial_times.ts";
import { isHolder } from "./known_json_services.ts";
import { isMissing } from "./parse_numbers.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";
import { parseWrittenTime } from "./written_time.ts";

const ADVICE = "put them into a table with one row per price and the columns code, value and businessTime";
const YEAR_AND_MONTH = /^\d{4}[-/.]\d\d?$/;
const WORDS_AND_NUMBER = /^(?=.*\p{L}{2})(?=.*\d[\d.,٬٫،]*\d)(?=.*[\s:])/u;
const NOTES =
  /^(?:err(?:or)?s?|(?:err(?:or)?[_ ]?)?(?:message|msg|info|detail)s?|note|information|description|reason)$/i;
const NO_PRICE = /cod|status|time|limit|credit|elapsed|count/i;

/** Returns the problem if the columns of a table are days or months. */
export function pivotInWords(names: readonly string[]): string | undefined {
  const [first, second] = names.filter(isDayOrMonth);
  // A row of data may also have two dates, but it has numbers beside them.
  const isData = names.some((name) => !isDayOrMonth(name) && /\d/.test(cleanText(name)));
  if (second === undefined || isData) return undefined;
  return `its prices are in columns of days or months ("${first!}", "${second}"): ${ADVICE}`;
}

function isDayOrMonth(name: string): boolean {
  const clean = cleanText(name);
  const texts = [clean, `1 ${clean}`, `1 ${clean} 1405`, `1 ${clean} 2026`];
  return YEAR_AND_MONTH.test(clean) || texts.some((text) => parseWrittenTime(text) !== undefined);
}

/** The problem if prices are in sentences, such as chat messages. */
export function chatInWords(rows: readonly Cells[]): string | undefined {
  const sentences = rows.flatMap((cells) => cells.find(isSentence) ?? []);
  if (sentences.length === 0 || sentences.length * 2 < rows.length) return undefined;
  return `its prices are in sentences such as ${quoted(String(sentences[0]))}, not in a table: ${ADVICE}`;
}

function isSentence(cell: unknown): boolean {
  const clean = typeof cell === "string" ? cleanText(cell) : "";
  return WORDS_AND_NUMBER.test(clean) && parseWrittenTime(clean) === undefined;
}

/** The problem of JSON if its prices are nested or have no time. */
export function treeInWords(rows: readonly Cells[], plan: ColumnPlan): string | undefined {
  const isPrice = (at: number): boolean => plan.columns[at] === "value" || plan.codes[at] !== undefined;
  const has = (test: (cell: unknown, at: number) => boolean): boolean =>
    rows.some((cells) => cells.some((cell, at) => cell !== undefined && test(cell, at)));
  if (!has((cell, at) => isPrice(at) && !isHolder(cell) && !isMissing(cell))) {
    const nested = plan.names.find((_, at) => rows.some((cells) => isHolder(cells[at])));
    return nested === undefined ? undefined : `its prices are nested in "${nested}", not listed in rows: ${ADVICE}`;
  }
  const isTime = (cell: unknown): boolean => {
    const clean = cleanText(String(cell));
    return parseWrittenTime(clean) !== undefined || parseEpoch(clean) !== undefined;
  };
  const hasTime = has((cell, at) => plan.columns[at] === "businessTime" || isTime(cell));
  return hasTime ? undefined : `its prices have no time: ${ADVICE}`;
}

/** Returns the problem if an answer has a message instead of prices. */
export function noteInWords(answer: unknown): string | undefined {
  const notes = hasNumbers(answer) ? [] : notesIn(answer, false);
  if (notes.length === 0) return undefined;
  return `it has a message from the service, not prices: ${quoted(notes.join("; "))}; download it again`;
}

function hasNumbers(value: unknown): boolean {
  if (!isHolder(value)) return typeof value !== "boolean" && Number(value) > 0;
  return Object.entries(value).some(([name, one]) => !NO_PRICE.test(name) && hasNumbers(one));
}

function notesIn(value: unknown, isNote: boolean): readonly string[] {
  if (typeof value === "string") return isNote && !/^(?:ok|success)?$/i.test(value.trim()) ? [value] : [];
  if (!isHolder(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => notesIn(one, isNote || NOTES.test(name)));
}
