import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import type { TableAnswers } from "./answers.ts";
import { cleanText } from "./clean_text.ts";
import type { OpenQuestion } from "./open_questions.ts";

/** The mark before the fraction of a number. The other ones separate thousands. A slash stands for the Persian mark as well. */
export const DECIMAL_MARKS = [".", ",", "/"] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** How the numbers of a column are read. */
export interface Marks {
  readonly mark: DecimalMark | undefined;
  /** Whether a point before three digits may separate thousands, as no value has shown that it marks a fraction. */
  readonly isPointOpen?: boolean;
  /** What a slash stands before; without it, that is open. */
  readonly slash?: SlashUse | undefined;
}

/** What slashes separate in the numbers of a file: `83125/4`, or `1/903/000`. */
export type SlashUse = "fraction" | "thousands";

/** Why a number cannot be read. */
export interface NumberFault {
  readonly reason: string;
  /** The answer that decides it. */
  readonly set?: TableAnswers;
  /** Whether other numbers of the file speak against it. */
  readonly isContradiction?: true;
}

/** A number whose marks were understood, or not. */
export interface WrittenNumber {
  /** The number as JavaScript writes it, by the decimal mark in force. */
  readonly decimal: string;
  /** The decimal mark that this number gives away, e.g. `.` for `1,234.5` and for `1,234,567`. */
  readonly evidence?: "." | ",";
  /** What its slash separates, where it shows that. */
  readonly slash?: SlashUse;
  /** The one mark of a number such as `1,234`, which may separate thousands or a fraction. */
  readonly ambiguous?: DecimalMark;
}

const PLAIN = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const MISSING = /^(?:[-–—]*|#?n\/?a|null|ندارد|#(?:div\/0|value|ref|name|null|num)[!?])$/i;
/** As Excel shows a number for which its column is too narrow. */
const ROUNDED = /^\d(?:[.,\u066b/](\d+))?e\+(\d\d)$/i;
/** Blanks, apostrophes and low lines between groups of three digits. */
const BLANK_GROUPS = /(?<=\d)[ '’ʼ_](?=\d{3}(?!\d))/g;
/** A plus, the apostrophe of a text in spreadsheets, and the dash that stands for no fraction: `1,903,000.-`. */
const ORNAMENTS = /^[+=']+(?=\d)|[.,/][-–—]+$/g;
/** What is said of numbers that have lost their digits. */
export const ROUNDED_ADVICE = "was rounded by a spreadsheet: format its column as a number, and save the file again";
const FORMULA_TEXT = /^="(.*)"$/;
const AMBIGUOUS = /^[1-9]\d{0,2}[.,/]\d{3}$/;
const [PLUS, POINT] = [0x2b, 0x2e];
const PERSIAN_POINT = "\u066b";
const SLASH = "/";
const PERSIAN_THOUSANDS = "\u066c";
const ARABIC_COMMA = "\u060c";
const PERSIAN = /[\u0660-\u0669\u06f0-\u06f9\u060c]/;

/** Whether a cell stands for a value that is not there: blank, dashes, `N/A`, `null`, `ندارد` or an error of a spreadsheet. */
export function isMissing(cell: unknown): boolean {
  return typeof cell === "string" && MISSING.test(cell.trim());
}

/**
 * Understands a number with thousands separators, in Western, Persian or Arabic digits and marks; `undefined` for a text
 * that is none. Groups must have three digits.
 *
 * @param marks Decide on numbers that can be read in two ways, such as `1,234`.
 */
export function parseNumber(text: string, { mark, slash }: Partial<Marks> = {}): WrittenNumber | undefined {
  const plain = cleanText(text).replace(FORMULA_TEXT, "$1").replace(ORNAMENTS, "");
  const clean = plain
    .replaceAll(ARABIC_COMMA, ",")
    .replaceAll(PERSIAN_POINT, SLASH)
    .replace(BLANK_GROUPS, PERSIAN_THOUSANDS);
  const marks = [...clean].filter(
    (letter) => letter === "." || letter === "," || letter === SLASH || letter === PERSIAN_THOUSANDS,
  );
  const kinds = [...new Set(marks)];
  const [first, last] = [kinds[0], kinds.at(-1)];
  if (first === undefined || last === undefined || kinds.length > 2)
    return PLAIN.test(clean) ? { decimal: clean } : undefined;
  if (kinds.length === 2) return last === PERSIAN_THOUSANDS ? undefined : grouped(clean, first, last);
  if (first === PERSIAN_THOUSANDS || marks.length > 1) return grouped(clean, first, undefined);
  if (!AMBIGUOUS.test(clean)) {
    const number = fraction(clean, first);
    return number && { ...number, ...shown(undefined, first) };
  }
  // Beside Persian or Arabic digits, a comma never marks a fraction, unless the caller says so.
  if (first === "," && mark !== "," && PERSIAN.test(text)) return grouped(clean, first, undefined);
  const isFraction = first === SLASH ? slash !== "thousands" : first === (mark ?? ".");
  const read = isFraction ? fraction(clean, first) : grouped(clean, first, undefined);
  return read && { decimal: read.decimal, ambiguous: first as DecimalMark };
}

/** Whether a number is written as JavaScript writes it: most have digits alone, or with a point that is no open question, as four digits from the end. */
export function isPlainNumber(text: string, { mark, isPointOpen }: Marks): boolean {
  const isPlain = mark !== "," && PLAIN.test(text);
  return (
    isPlain && text.charCodeAt(text.length - 3) !== PLUS && !(isPointOpen && text.charCodeAt(text.length - 4) === POINT)
  );
}

/** Turns the text of a value into a decimal number, as JavaScript writes it; the failure says which answer decides, if one does. */
export function readNumber(text: string, marks: Marks): Result<string, NumberFault> {
  if (isPlainNumber(text, marks)) return ok(text);
  const { mark, isPointOpen, slash } = marks;
  if (isRounded(text)) return err({ reason: `value "${text}" ${ROUNDED_ADVICE}` });
  const number = parseNumber(text, marks);
  if (!number) return ok(text); // Refused when it is checked, in words that quote it.
  const { evidence, ambiguous, decimal } = number;
  if (ambiguous === "." ? isPointOpen : ambiguous === SLASH && slash === undefined) return err(unclearNumber(text));
  if (mark === undefined && (ambiguous === "," || evidence === ",")) return err(unclearNumber(text));
  const isOtherMark = mark !== undefined && evidence !== undefined && evidence !== mark;
  const isOtherSlash = slash !== undefined && number.slash !== undefined && number.slash !== slash;
  if (!isOtherMark && !isOtherSlash) return ok(decimal);
  return err({
    reason: `value "${text}" does not fit the decimal mark "${isOtherMark || slash === "thousands" ? (mark ?? ".") : SLASH}"`,
    isContradiction: true,
  });
}

/** Whether a number has lost its digits: it has fewer of them than its exponent asks for. */
export function isRounded(text: string): boolean {
  if (!text.includes("+")) return false;
  const [shown, digits = "", exponent] = ROUNDED.exec(cleanText(text)) ?? [];
  return shown !== undefined && digits.length < Number(exponent);
}

/** What is open of a number that can be read in two ways, with both, or that no number before it is written like. `number`: without its unit. */
export function unclearNumber(text: string, number = text): OpenQuestion {
  const ambiguous = parseNumber(number)?.ambiguous;
  const [point, comma] = ([".", ","] as const).map(
    (mark) => parseNumber(number, { mark, slash: mark === "." ? "fraction" : "thousands" })?.decimal,
  );
  if (point === comma)
    return {
      set: { decimal: "," },
      reason: `value "${text}" is written as where a comma marks the fraction, unlike those before it`,
    };
  // Three digits after the only mark are thousands more often than a fraction, but for the Persian mark of one.
  const likelier = text.includes(PERSIAN_POINT) ? SLASH : ".";
  return {
    set: { decimal: ambiguous === "." ? "," : likelier },
    reason: `value "${text}" can be read in two ways: as ${point} or as ${comma}`,
  };
}

/** A number with its point moved, exactly: in rial what was in toman, by one place. What is no number stays as it is. */
export function movePoint(value: string | number, places: number): string | number {
  const text = String(value);
  if (!PLAIN.test(text)) return value;
  const [digits = "", exponent = "0"] = text.split(/e/i);
  return Number(`${digits}e${Number(exponent) + places}`);
}

function grouped(text: string, thousands: string, point: string | undefined): WrittenNumber | undefined {
  const [whole = "", part, ...more] = point === undefined ? [text] : text.split(point);
  const [head = "", ...groups] = whole.split(thousands);
  const isNumber = /^[1-9]\d{0,2}$/.test(head) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group));
  if (!isNumber || more.length > 0 || (part !== undefined && !/^\d+$/.test(part))) return undefined;
  return { decimal: head + groups.join("") + (part === undefined ? "" : `.${part}`), ...shown(thousands, point) };
}

/** What a number shows of marks by the one between its thousands and the one before its fraction. */
function shown(thousands: string | undefined, point: string | undefined): Pick<WrittenNumber, "evidence" | "slash"> {
  const found: { evidence?: "." | ","; slash?: "fraction" | "thousands" } = {};
  if (point === "." || point === ",") found.evidence = point;
  else if (thousands === ",") found.evidence = ".";
  else if (thousands === ".") found.evidence = ",";
  if (point === SLASH) found.slash = "fraction";
  else if (thousands === SLASH) found.slash = "thousands";
  return found;
}

function fraction(text: string, point: string): WrittenNumber | undefined {
  const decimal = text.replace(point, ".");
  return PLAIN.test(decimal) ? { decimal } : undefined;
}
