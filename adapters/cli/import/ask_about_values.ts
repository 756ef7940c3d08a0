import { formatDecimal, formatTimestamp } from "../../../core/internal.ts";
import type { ObservationKey } from "../../../core/mod.ts";
import type { SuspiciousLevel } from "../../intake/levels/price_chain.ts";
import { UNIT_ANSWERS, type UnitAnswer, unitOfWord } from "../../intake/tables/detect_price_unit.ts";
import type { OpenQuestion, Unread } from "../../intake/tables/open_questions.ts";
import { changeLines } from "../describe_value_changes.ts";
import { alignColumns, type Cell, formatCount } from "../text_table.ts";
import type { ImportAnswers, ImportQuestion } from "./import_answers.ts";
import type { Findings, FirstImport, Place } from "./judge_records.ts";
import type { ImportRequest } from "./run_import.ts";
import { suspicionInWords } from "./suspicious_price_text.ts";

type Market = Pick<ImportRequest, "zone" | "assets">;

/** The findings of an import. `saysUnit`: whether a file states its unit; `--unit` cannot override a stated unit. */
export type JudgedImport = Findings & { readonly saysUnit: boolean };

/** The user is asked if more than this share of the existing values would change. */
const ASKED_SHARE = 0.01;

/** The questions about an import as a whole. `placeOf` returns a place as text: file and line. */
export function openQuestions(
  findings: JudgedImport,
  { answers, keepExisting }: Pick<ImportRequest, "answers" | "keepExisting">,
  placeOf: (place: Place) => string,
): ImportQuestion[] {
  const { first, conflicting, conflicts, suspicious, hidden, existing, changed } = findings;
  const { yes, doubtful, lastWins, replaceDays } = answers;
  const questions: ImportQuestion[] = [];
  const [conflict] = conflicts;
  if (conflict && !lastWins) {
    const [one, other] = conflict.values.map((value, i) => `${formatDecimal(value)} (${placeOf(conflict.places[i]!)})`);
    const what = `${keyInWords(conflict)} has two values, ${one} and ${other}${others(conflicting)}`;
    questions.push({ set: { lastWins: true }, reason: `${what}; the last one counts with --last-wins` });
  }
  if (doubtful === undefined)
    for (const suspicion of suspicious) questions.push(remedyOf(suspicion, findings, answers));
  if (hidden[0] && !replaceDays && !keepExisting) {
    const what = `the value of ${keyInWords(hidden[0])} would not be served, because the store has a later value of that day${others(hidden.length)}`;
    questions.push({
      set: { replaceDays: true },
      reason: `${what}; --replace-days withdraws the other records of these days, --keep-existing keeps them`,
    });
  }
  if (yes) return questions;
  const change = `${formatCount(changed)} of ${formatCount(existing)} existing ${changed === 1 ? "value changes" : "values change"}`;
  if (changed > ASKED_SHARE * existing) questions.push({ set: { yes: true }, reason: change });
  if (first.length > 0)
    questions.push({ set: { yes: true }, reason: "there are no stored values yet to compare with" });
  return questions;
}

/** Adds the questions that the values raise about unit and decimal mark to the other questions about a file. */
export function withValueQuestions(failure: Unread, ofValues: readonly ImportQuestion[]): Unread {
  if (!("questions" in failure)) return failure;
  const wanted = ofValues.filter(({ set }) => set.unit ?? set.decimal);
  const isAnswered = ({ set }: OpenQuestion): boolean =>
    wanted.some((other) => Object.keys(other.set).some((name) => name in set));
  const [first, ...rest] = [...failure.questions.filter((question) => !isAnswered(question)), ...wanted];
  return first ? { ...failure, questions: [first, ...rest] } : failure;
}

/** The summary of an import, shown before the user confirms it. */
export function shownLines({ first, changed, largest }: Findings, { zone, assets }: Market): string[] {
  const lines: string[] = [];
  if (first.length > 0) {
    const heading = ["", "records", "first day", "last day", "lowest", "last", "highest", ""];
    lines.push(
      "Imported for the first time:",
      ...alignColumns([heading, ...first.flatMap((one) => firstRows(one, { zone, assets }))]).map(indented),
    );
  }
  if (changed > 0) lines.push("The largest changes of existing values:", ...changeLines(largest).map(indented));
  return lines;
}

function firstRows(
  { code, records, from, to, lowest, last, highest }: FirstImport,
  { zone, assets }: Market,
): Cell[][] {
  const { quoteUnit, category } = assets.find((asset) => asset.code === code)!;
  const isRial = quoteUnit === "RLS" && category !== "INDEX";
  const other = category === "INDEX" ? "points" : "US dollars";
  const row = [code, records, zone.dateAt(from), zone.dateAt(to), lowest, last, highest, isRial ? "rial" : other];
  const toman = [lowest, last, highest].map((value) => Number((value / 10).toPrecision(15)));
  return isRial ? [row, ["", "", "", "", ...toman, "toman"]] : [row];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** The question about a suspicion. Suggests a correction if all values have the same fault, otherwise `pending`. */
function remedyOf(
  suspicion: SuspiciousLevel,
  { suspicious, records, saysUnit }: JudgedImport,
  { unit, decimal }: ImportAnswers,
): ImportQuestion {
  const { level, value } = suspicion;
  const isOff = (code: string): boolean =>
    suspicious.some((one) => one.code === code && one.level === level && one.times.length === records.get(code));
  const rial = [...records.keys()].filter((code) => code.endsWith("_RLS"));
  const isWhole = rial.length > 0 && rial.every(isOff);
  const [reason, wait] = [suspicionInWords(suspicion), { doubtful: "pending" } as const];
  const areThousands = Math.abs(level) === 3 && (isWhole || [...records.keys()].every(isOff));
  // If the values are a thousand times too low, points that separate thousands were read as decimal marks.
  if (areThousands && (decimal !== undefined || (level < 0 && value % 1 !== 0)))
    return { set: { decimal: decimal === "," || decimal === "/" ? "." : "," }, reason };
  // Never suggest `million rial`: nobody writes prices in millions of rial.
  const other = UNIT_ANSWERS.find((one) => one !== "million rial" && placesOf(one) === placesOf(unit) - level);
  if (!isWhole || !other || level === 0) return { set: wait, reason };
  if (!saysUnit) return { set: { unit: other }, reason };
  return { set: wait, reason: `${reason}; the file states its unit: if that is wrong, correct it there` };
}

/** The power of ten between a unit and the rial, e.g. 1 for toman. */
function placesOf(unit: UnitAnswer = "rial"): number {
  return unitOfWord(unit)?.places ?? 0;
}

function keyInWords({ code, businessTime }: ObservationKey): string {
  return `${code} at ${formatTimestamp(businessTime)}`;
}

function others(count: number): string {
  return count === 1 ? "" : `, and ${formatCount(count - 1)} more such ${count === 2 ? "value" : "values"}`;
}
