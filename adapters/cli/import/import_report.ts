import type { RejectedRow } from "../../intake/tables/record_columns.ts";
import type { CliContext } from "../command.ts";
import { printable } from "../command_failure.ts";
import { type Cell, countOf, formatCount, listNames, table } from "../text_table.ts";
import { type ImportQuestion, questionInWords } from "./import_answers.ts";
import type { Findings, Outcome } from "./judge_records.ts";
import type { ReadFile } from "./read_file.ts";
import { commandsFor, isMissing, type ReportedLine } from "./suggested_command.ts";

/** The outcomes of a file's records, and the number of its rejected lines. */
export type Counts = Outcome & Record<"refused", number>;

/** The counts of a file that is not stored. */
export const NOTHING_COUNTED: Readonly<Counts> = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };

const COUNTS = ["accepted", "replaced", "unchanged", "kept", "refused"] as const;
/** The kinds of skipped parts of a file, and the words for them in the report. */
const SKIPPED = [
  ["withoutValue", "cell", "without a value"],
  ["opens", "open", "outside high and low"],
  ["totals", "row", "with a total or an average"],
  ["unwanted", "row", "that --where leaves out"],
] as const;

/** Reports on the files of an import. */
export interface ImportReport {
  /** Called before the first record of a file, unless the file has the plain import format. */
  reading(file: string, text: string): void;
  /** Called with the summary and the open questions after all files have been read. */
  show(
    findings: Findings,
    summary: { readonly lines: readonly string[]; readonly questions: readonly ImportQuestion[] },
  ): void;
  /** Called with the files and their outcomes at the end. */
  finish(files: readonly ReportedFile[], result: ImportResult): Promise<void>;
}

/** The result of an import as a whole. */
export interface ImportResult {
  /** The number of the import. Default: nothing was stored. */
  readonly id?: number | undefined;
  readonly dryRun: boolean;
  /** Options that answer the questions about the whole import, without which nothing is stored. Default: none. */
  readonly missingOptions?: readonly string[];
  /** The number of pending values in the store. Default 0, for an import that cannot have added pending values. */
  readonly pending?: number;
  /** The line that lists the input's codes that are not in the catalog; `undefined` if there are none. */
  readonly advice: string | undefined;
}

const LISTED_REASONS = 20;
const LISTED_NAMES = 10;
/** The words in a suggested command that a person has to replace. */
const PLACEHOLDERS = [
  [/\bCODE\b/, "CODE is the asset's code"],
  [/\bNAME\b/, "NAME is the column's name or number"],
  [/\bTEXT\b/, "TEXT is the text of the rows to read"],
  [/\bZONE\b/, "ZONE is a time zone such as UTC"],
  [/\bYEAR\b/, "YEAR is the year of the days in the file"],
  [/\bDAY\b/, "DAY is the day of the prices in the file"],
] as const;

export interface ReportedFile {
  readonly name: string;
  read: ReadFile;
  readonly counts: Counts;
}

/**
 * Makes a report as text. At the end, prints the refused lines and failures of each file on standard error, and a table
 * of all files.
 *
 * @param place The options that another command needs to find the store.
 */
export function createTextReport(
  { terminal, program }: Pick<CliContext, "terminal" | "program">,
  place: string,
  line: ReportedLine,
): ImportReport {
  function note(text: string): void {
    terminal.note(printable(text));
  }

  function noteFailure(file: ReportedFile): void {
    const { name, read } = file;
    const { failure } = read;
    if (!failure) return;
    if ("reason" in failure) {
      note(`${name}: ${outcomeOf(file)}: ${failure.reason}`);
      return;
    }
    for (const question of failure.questions) note(`${name}: ${questionInWords(question)}`);
    if (!failure.questions.some(isMissing)) return;
    const options = line.optionsFor(failure.questions, failure.header).join(" ");
    const meanings = PLACEHOLDERS.filter(([word]) => word.test(options)).map(([, meaning]) => meaning);
    note(`${name}: add ${options}, where ${meanings.join(" and ")}`);
  }

  function noteRejected({ name, read }: ReportedFile): void {
    if (read.isUnread) return;
    let more = read.rejected;
    for (const { line: number, reason, count } of alike(read.rejectedRows).slice(0, LISTED_REASONS)) {
      note(`${name}:${number}: ${reason}${count === 1 ? "" : `, and ${countOf(count - 1, "more line")} like this`}`);
      more -= count;
    }
    if (more > 0) note(`${name}: ${formatCount(more)} more lines were refused`);
  }

  function noteUnused({ name, read }: ReportedFile): void {
    for (const [skipped, what, which] of SKIPPED) {
      const count = read.skipped[skipped];
      if (count > 0) note(`${name}: ${countOf(count, what)} ${which} ${count === 1 ? "was" : "were"} skipped`);
    }
    if (read.ignored.length > 0) note(`${name}: ignored columns: ${listNames(read.ignored, LISTED_NAMES)}`);
  }

  return {
    reading: (name, text) => note(`${name}: read as: ${text}`),
    show(_, { lines, questions }) {
      for (const text of [...lines, ...questions.map(({ reason }) => reason)]) note(text);
    },
    async finish(files, { id, dryRun, pending = 0, advice, missingOptions = [] }) {
      for (const file of files) {
        noteRejected(file);
        noteUnused(file);
        noteFailure(file);
      }
      const sum = total(files);
      // `kept` is always 0 without --keep-existing.
      const shown = COUNTS.filter((name) => name !== "kept" || sum.kept > 0);
      const countsOf = (counts: Counts): Cell[] => shown.map((name) => counts[name]);
      const rows = files.map((file): Cell[] => [file.name, ...countsOf(file.counts), outcomeOf(file)]);
      if (files.length > 1) rows.push(["total", ...countsOf(sum)]);
      const isChange = sum.accepted + sum.replaced > 0;
      let end = "";
      if (dryRun) end = "Nothing was written: this was a dry run.\n";
      else if (id !== undefined && isChange)
        end = `This is import ${id}. To undo it: ${program} imports undo ${id}${place}\n`;
      if (missingOptions.length > 0 && !dryRun) terminal.note("Nothing was imported.");
      else await terminal.write(table(["file", ...shown], rows, "") + end);
      if (pending > 0)
        terminal.note(
          `${countOf(pending, "value")} ${pending === 1 ? "waits" : "wait"} for a decision. To see ${pending === 1 ? "it" : "them"}: ${program} pending list${place}`,
        );
      if (advice !== undefined) terminal.note(advice);
      for (const ready of commandsFor(line, files, missingOptions)) note(`To import: ${ready}`);
    },
  };
}

/** Groups rows whose reasons differ only in quoted texts. Returns the first row and the size of each group. */
function alike(rows: readonly RejectedRow[]): readonly (RejectedRow & { readonly count: number })[] {
  const reasons = new Map<string, RejectedRow & { count: number }>();
  for (const row of rows) {
    const key = row.reason.replace(/".*?"/g, '""');
    const first = reasons.get(key);
    if (first) first.count++;
    else reasons.set(key, { ...row, count: 1 });
  }
  return [...reasons.values()];
}

export function total(files: readonly ReportedFile[]): Counts {
  const sum = { ...NOTHING_COUNTED };
  for (const { counts } of files) for (const name of COUNTS) sum[name] += counts[name];
  return sum;
}

/** Whether every record of every file was imported. */
export function isComplete(files: readonly ReportedFile[]): boolean {
  return files.every(({ read, counts }) => counts.refused === 0 && read.failure === undefined);
}

function outcomeOf({ read, counts }: ReportedFile): string {
  if (read.failure === undefined) return "";
  return recordsIn(counts) === 0 ? "not imported" : "not read to its end";
}

/** How many records of a file were read. */
function recordsIn(counts: Counts): number {
  return COUNTS.reduce((sum, name) => sum + counts[name], 0);
}
