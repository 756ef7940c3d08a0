import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { cleanText } from "./clean_text.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { type CellFault, type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";

/** The mark before a fraction; other marks separate thousands. A slash also stands for the Persian decimal mark. */
export const DECIMAL_MARKS = [".", ",", "/"] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** How the numbers of a column are read. */
export interface Marks {
  readonly mark: DecimalMark | undefined;
  /** Whether a point before three digits may separate thousands, because no value uses points for fractions. */
  readonly isPointOpen?: boolean;
  /** What slashes separate, if this is known. */
  readonly slash?: SlashUse | undefined;
}

/** What slashes separate: `83125/4`, or `1/903/000`. */
type SlashUse = "fraction" | "thousands";

interface WrittenNumber {
  /** The number as JavaScript writes it, read with the current decimal mark. */
  readonly decimal: string;
  /** The decimal mark that this number shows, such as `.` for `1,234.5` and for `1,234,567`. */
  readonly evidence?: "." | ",";
  /** What the slashes of this number separate. */
  readonly slash?: SlashUse;
  /** The only mark of a number such as `1,234`, which may separate thousands or a fraction. */
  readonly ambiguous?: DecimalMark;
}

type Marked = Readonly<Record<string, Pick<WrittenNumber, "evidence" | "slash">>>;
/** What a mark shows if it is before a fraction, and if it separates thousands. */
const AS_POINT: Marked = { ".": { evidence: "." }, ",": { evidence: "," }, "/": { slash: "fraction" } };
const AS_THOUSANDS: Marked = { ".": { evidence: "," }, ",": { evidence: "." }, "/": { slash: "thousands" } };
const PLAIN = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const MISSING = /^(?:[-–—]*|#?n\/?a|nan|null|ندارد|#(?:div\/0|value|ref|name|null|num)[!?])$/i;
/** Excel shows such a text instead of a number if the column is too narrow. */
const ROUNDED = /^\d(?:[.,\u066b/](\d+))?e\+(\d\d)$/i;
/** Blanks, apostrophes and underscores between groups of three digits. */
const BLANK_GROUPS = /(?<=\d)[ '’ʼ_](?=\d{3}(?!\d))/g;
/** A plus, the apostrophe that marks a cell as text, and the dash for "no fraction", as in `1,903,000.-`. */
const ORNAMENTS = /^[+=']+(?=\d)|[.,/][-–—]+$/g;
const ROUNDED_ADVICE = "was rounded by a spreadsheet: format its column as a number, and save the file again";
const FORMULA_TEXT = /^="(.*)"$/;
const AMBIGUOUS = /^[1-9]\d{0,2}[.,/]\d{3}$/;
const [PLUS, POINT] = [0x2b, 0x2e];
/** Prices for buying and selling, as in `190500/191200`. With so many digits, the second part is no fraction. */
const TWO_PRICES = /^(\d{4,})\/(\d{4,})$/;
const PERSIAN_POINT = "\u066b";
const PERSIAN_THOUSANDS = "\u066c";
const ARABIC_COMMA = "\u060c";
const PERSIAN = /[\u0660-\u0669\u06f0-\u06f9\u060c]/;

/** Whether a cell means a missing value: blank, dashes, `N/A`, `NaN`, `null`, `ندارد` or an error of a spreadsheet. */
export function isMissing(cell: unknown): boolean {
  return typeof cell === "string" && MISSING.test(cell.trim());
}

/**
 * Parses a number with Western, Persian or Arabic digits and marks. Groups of thousands must have three digits.
 *
 * @param marks How to read ambiguous numbers such as `1,234`.
 */
export function parseNumber(text: string, { mark, slash }: Partial<Marks> = {}): WrittenNumber | undefined {
  const plain = cleanText(text).replace(FORMULA_TEXT, "$1").replace(ORNAMENTS, "");
  const [, whole, part] = TWO_PRICES.exec(plain) ?? [];
  if (whole !== undefined && part!.length >= whole.length) return undefined;
  const clean = plain
    .replaceAll(ARABIC_COMMA, ",")
    .replaceAll(PERSIAN_POINT, "/")
    .replace(BLANK_GROUPS, PERSIAN_THOUSANDS);
  const marks = clean.match(/[.,/\u066c]/g) ?? [];
  const kinds = [...new Set(marks)];
  const [first, last] = [kinds[0], kinds.at(-1)];
  if (first === undefined || last === undefined || kinds.length > 2)
    return PLAIN.test(clean) ? { decimal: clean } : undefined;
  if (kinds.length === 2) return last === PERSIAN_THOUSANDS ? undefined : grouped(clean, first, last);
  if (first === PERSIAN_THOUSANDS || marks.length > 1) return grouped(clean, first);
  if (!AMBIGUOUS.test(clean)) return fraction(clean, first);
  // With Persian or Arabic digits, a comma never marks a fraction, unless the caller says so.
  if (first === "," && mark !== "," && PERSIAN.test(text)) return grouped(clean, first);
  const isFraction = first === "/" ? slash !== "thousands" : first === (mark ?? ".");
  const read = isFraction ? fraction(clean, first) : grouped(clean, first);
  return read && { decimal: read.decimal, ambiguous: first as DecimalMark };
}

/**
 * Finds the meaning of marks in values. The meaning of points in rial is derived only from values in rial: the same
 * file may use points for fractions of dollars and for thousands of rial.
 */
export function findDecimal(
  values: readonly { readonly text: string; readonly isRial: boolean }[],
  { decimal, isDotDecimal }: { readonly decimal?: DecimalMark | undefined; readonly isDotDecimal: boolean },
): ReadResult<{ readonly marks: Marks; readonly questions: readonly OpenQuestion[] }> {
  const rounded = values.find(({ text }) => isRounded(text));
  if (rounded) return unread(`its value "${rounded.text}" ${ROUNDED_ADVICE}`);
  const numbers = values.map(({ text, isRial }) => {
    const number = unitOfValue(text)?.rest ?? text;
    return { text, number, isRial, ...parseNumber(number) };
  });
  const [slash, slashes] = (["fraction", "thousands"] as const).map((use) => numbers.find((one) => one.slash === use));
  const seen = slash ? "fraction" : slashes && "thousands";
  if (decimal === "/") return ok({ marks: { mark: ".", slash: "fraction" }, questions: [] });
  if (decimal !== undefined) return ok({ marks: { mark: decimal, slash: seen ?? "thousands" }, questions: [] });
  const point = numbers.find(({ evidence }) => evidence === ".");
  const comma = numbers.find(({ evidence }) => evidence === ",");
  const [one, other] = point && comma ? [point, comma] : [slash, slashes];
  if (one && other)
    return unread(`its values "${one.text}" and "${other.text}" have different decimal marks: write them alike`);
  const isPointOpen = !comma && !numbers.some(({ evidence, isRial }) => isRial && evidence === ".");
  const unclear = numbers.find(({ ambiguous, isRial }) => {
    if (ambiguous === "/") return isRial && seen === undefined;
    if (ambiguous === "." && isRial) return isPointOpen;
    if (ambiguous === ".") return !point && !comma && !isDotDecimal;
    return ambiguous === "," && !point && !comma;
  });
  const marks = { mark: (point ?? comma)?.evidence, isPointOpen, slash: seen } satisfies Marks;
  return ok({ marks, questions: unclear ? [unclearNumber(unclear.text, unclear.number)] : [] });
}

/** Whether a number is written as in JavaScript, and is neither rounded (`1E+12`) nor ambiguous (`1.234`). */
export function isPlainNumber(text: string, { mark, isPointOpen }: Marks): boolean {
  if (mark === "," || !PLAIN.test(text) || text.charCodeAt(text.length - 3) === PLUS) return false;
  return !(isPointOpen && text.charCodeAt(text.length - 4) === POINT);
}

/** Turns the text of a value into a number as JavaScript writes it. */
export function readNumber(text: string, marks: Marks): Result<string, CellFault> {
  if (isPlainNumber(text, marks)) return ok(text);
  const { mark, isPointOpen, slash } = marks;
  if (isRounded(text)) return err({ reason: `value "${text}" ${ROUNDED_ADVICE}` });
  const number = parseNumber(text, marks);
  if (!number) return ok(text); // The later check of the record rejects this text and quotes it.
  const { evidence, ambiguous, decimal } = number;
  if (ambiguous === "." ? isPointOpen : ambiguous === "/" && slash === undefined) return err(unclearNumber(text));
  if (mark === undefined && (ambiguous === "," || evidence === ",")) return err(unclearNumber(text));
  const isOtherMark = mark !== undefined && evidence !== undefined && evidence !== mark;
  const isOtherSlash = slash !== undefined && number.slash !== undefined && number.slash !== slash;
  if (!isOtherMark && !isOtherSlash) return ok(decimal);
  return err({
    reason: `value "${text}" does not fit the decimal mark "${isOtherMark || slash === "thousands" ? (mark ?? ".") : "/"}"`,
    isContradiction: true,
  });
}

/** Whether a number has lost digits: its exponent is larger than the number of its digits. */
function isRounded(text: string): boolean {
  if (!text.includes("+")) return false;
  const [shown, digits = "", exponent] = ROUNDED.exec(cleanText(text)) ?? [];
  return shown !== undefined && digits.length < Number(exponent);
}

/** The question about an ambiguous number, or an unexpected decimal comma. `number` is the text without its unit. */
function unclearNumber(text: string, number = text): OpenQuestion {
  const ambiguous = parseNumber(number)?.ambiguous;
  const [point, comma] = ([".", ","] as const).map(
    (mark) => parseNumber(number, { mark, slash: mark === "." ? "fraction" : "thousands" })?.decimal,
  );
  const ways = `can be read in two ways: as ${point} or as ${comma}`;
  const problem = point === comma ? "has a comma before the fraction, unlike the values before it" : ways;
  // Three digits after the only mark usually mean thousands, except after the Persian decimal mark.
  const likelier = text.includes(PERSIAN_POINT) ? "/" : ".";
  return {
    set: { decimal: point === comma || ambiguous === "." ? "," : likelier },
    reason: `value "${text}" ${problem}`,
  };
}

/** Moves the decimal point without rounding: by one place from toman to rial. Texts without a number stay unchanged. */
export function movePoint(value: string | number, places: number): string | number {
  const text = String(value);
  if (!PLAIN.test(text)) return value;
  const [digits = "", exponent = "0"] = text.split(/e/i);
  return Number(`${digits}e${Number(exponent) + places}`);
}

function grouped(text: string, thousands: string, point?: string): WrittenNumber | undefined {
  const [whole = "", part, ...more] = point === undefined ? [text] : text.split(point);
  const [head = "", ...groups] = whole.split(thousands);
  const isNumber = /^[1-9]\d{0,2}$/.test(head) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group));
  if (!isNumber || more.length > 0 || (part !== undefined && !/^\d+$/.test(part))) return undefined;
  const decimal = head + groups.join("") + (part === undefined ? "" : `.${part}`);
  return { decimal, ...AS_THOUSANDS[thousands], ...AS_POINT[point ?? ""] };
}

function fraction(text: string, point: string): WrittenNumber | undefined {
  const decimal = text.replace(point, ".");
  return PLAIN.test(decimal) ? { decimal, ...AS_POINT[point] } : undefined;
}
