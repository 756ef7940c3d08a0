import { formatDecimal, formatTimestamp, type Zone } from "../../../core/internal.ts";
import type { ObservationKey } from "../../../core/mod.ts";
import type { SuspiciousLevel } from "../../intake/levels/suspicious_levels.ts";
import { changeLines } from "../describe_value_changes.ts";
import { alignColumns, type Cell, formatCount } from "../text_table.ts";
import type { OpenQuestion } from "../../intake/tables/open_questions.ts";
import type { DecimalMark } from "../../intake/tables/parse_numbers.ts";
import type { FirstImport, ScanResult } from "./scan.ts";
import { suspicionInWords } from "./suspicious_price_text.ts";

/** What a person has said of the import as a whole. */
export interface Answers {
  /** Whether what was shown is right. */
  readonly yes: boolean;
  /** What becomes of values that the rule for levels doubts; `undefined` while that is open. */
  readonly doubtful: "accept" | "pending" | undefined;
  /** Whether, of several values of one asset and time, the last one counts. */
  readonly lastWins: boolean;
  /** Whether records of a day give way to one whose hour an option has given. */
  readonly replaceDays: boolean;
  readonly keepExisting: boolean;
  /** What `--unit` and `--decimal` say. */
  readonly unit: "rial" | "toman" | undefined;
  readonly decimal: DecimalMark | undefined;
}

/** An import that was looked through. */
export interface ScannedImport extends ScanResult {
  /** Whether a file says its unit itself, which `--unit` cannot change. */
  readonly saysUnit: boolean;
}

/** The share of existing values above which a change of them is asked about. */
const ASKED_SHARE = 0.01;

/** What an import leaves open as a whole. `placeOf` names the file and line of a place. */
export function openQuestions(
  findings: ScannedImport,
  answers: Answers,
  placeOf: (place: number) => string,
): OpenQuestion[] {
  const { first, conflicting, conflicts, suspicious, hidden, existing, changed } = findings;
  const { yes, doubtful, lastWins, replaceDays, keepExisting } = answers;
  const questions: OpenQuestion[] = [];
  const [conflict] = conflicts;
  if (conflict && !lastWins) {
    const [one, other] = conflict.values.map((value, i) => `${formatDecimal(value)} (${placeOf(conflict.places[i]!)})`);
    const what = `${keyInWords(conflict)} has two values, ${one} and ${other}${others(conflicting)}`;
    questions.push({ option: "--last-wins", reason: `${what}; the last one counts with --last-wins` });
  }
  if (doubtful === undefined)
    for (const suspicion of suspicious) questions.push(remedyOf(suspicion, findings, answers));
  if (hidden[0] && !replaceDays && !keepExisting) {
    const what = `the value of ${keyInWords(hidden[0])} would not be served, as a later one of its day is stored${others(hidden.length)}`;
    questions.push({
      option: "--replace-days",
      reason: `${what}; --replace-days takes the others of these days back, --keep-existing leaves them`,
    });
  }
  if (yes) return questions;
  const change = `${formatCount(changed)} of ${formatCount(existing)} existing ${changed === 1 ? "value changes" : "values change"}`;
  if (changed > ASKED_SHARE * existing) questions.push({ option: "--yes", reason: change });
  if (first.length > 0)
    questions.push({ option: "--yes", reason: "nothing is stored yet to compare these values with" });
  return questions;
}

/** What is shown of an import before it goes on. */
export function shownLines({ first, changed, largest }: ScanResult, zone: Zone): string[] {
  const lines: string[] = [];
  if (first.length > 0) {
    const heading = ["", "records", "first day", "last day", "lowest", "last", "highest", ""];
    lines.push(
      "Imported for the first time:",
      ...alignColumns([heading, ...first.flatMap((one) => firstRows(one, zone))]).map(indented),
    );
  }
  if (changed > 0) lines.push("The largest changes of existing values:", ...changeLines(largest).map(indented));
  return lines;
}

function firstRows({ code, records, from, to, lowest, last, highest }: FirstImport, zone: Zone): Cell[][] {
  const isRial = code.endsWith("_RLS");
  const row = [
    code,
    records,
    zone.dateAt(from),
    zone.dateAt(to),
    lowest,
    last,
    highest,
    isRial ? "rial" : "US dollars",
  ];
  return isRial
    ? [row, ["", "", "", "", ...[lowest, last, highest].map((value) => Number((value / 10).toPrecision(15))), "toman"]]
    : [row];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** A doubt, and the option that makes it groundless where all values are off alike, else the one that lets them wait. */
function remedyOf(
  suspicion: SuspiciousLevel,
  { suspicious, records, saysUnit }: ScannedImport,
  { unit, decimal }: Answers,
): OpenQuestion {
  const { level, value } = suspicion;
  const isOff = (code: string): boolean =>
    suspicious.some((one) => one.code === code && one.level === level && one.times.length === records.get(code));
  const rial = [...records.keys()].filter((code) => code.endsWith("_RLS"));
  const isWhole = rial.length > 0 && rial.every(isOff);
  const [reason, wait] = [suspicionInWords(suspicion), "--doubtful pending"];
  if (isWhole && Math.abs(level) === 1 && saysUnit)
    return {
      option: wait,
      reason: `${reason}; the unit that the file says is followed: if it is wrong, correct it there`,
    };
  if (isWhole && level === -1 && unit !== "toman") return { option: "--unit toman", reason };
  if (isWhole && level === 1 && unit === "toman") return { option: "--unit rial", reason };
  const areThousands = Math.abs(level) === 3 && (isWhole || [...records.keys()].every(isOff));
  // What is a thousand times too low without an option had its points taken for those of fractions.
  if (areThousands && (decimal !== undefined || (level < 0 && value % 1 !== 0)))
    return { option: `--decimal ${decimal === "," || decimal === "/" ? "." : ","}`, reason };
  return { option: wait, reason };
}

function keyInWords({ code, businessTime }: ObservationKey): string {
  return `${code} at ${formatTimestamp(businessTime)}`;
}

function others(count: number): string {
  return count === 1 ? "" : `, and ${formatCount(count - 1)} more such ${count === 2 ? "value" : "values"}`;
}
