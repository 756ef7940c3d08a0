import { ok } from "../../../core/internal.ts";
import { unitOfValue } from "./detect_price_unit.ts";
import { type OpenQuestion, type ReadResult, unread } from "./open_questions.ts";
import {
  type DecimalMark,
  isRounded,
  type Marks,
  parseNumber,
  ROUNDED_ADVICE,
  unclearNumber,
} from "./parse_numbers.ts";

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
