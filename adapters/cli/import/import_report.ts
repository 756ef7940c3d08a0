import type { OpenQuestion } from "../../intake/tables/open_questions.ts";
import type { RejectedRow } from "../../intake/tables/record_columns.ts";
import type { CliContext } from "../command.ts";
import { printable } from "../command_failure.ts";
import { type Cell, formatCount, table } from "../text_table.ts";
import { type ImportQuestion, questionInWords } from "./import_answers.ts";
import type { Findings, Outcome } from "./judge_records.ts";
import { STANDARD_INPUT } from "./open_source.ts";
import type { ReadFile } from "./read_file.ts";
import { type CommandLine, suggestedCommands, type WantedOptions } from "./suggested_command.ts";

/** What became of the records of a file, and how many of its lines were rejected. */
export type Counts = Readonly<Outcome & Record<"refused", number>>;

/** The counts of a file of which nothing is stored. */
export const NOTHING_COUNTED: Counts = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };

/** Reports on the files of an import. */
export interface ImportReport {
  /** Called before the first record of a file that is not in the plain import format. */
  reading(file: string, text: string): void;
  /** Called when all files were read, with what is shown of them and what is open. */
  show(
    findings: Findings,
    said: { readonly lines: readonly string[]; readonly questions: readonly ImportQuestion[] },
  ): void;
  /** Called for each file when it is known what became of it. */
  done(file: string, read: ReadFile, counts: Counts): void;
  /** Prints the summary; resolves to whether every record of every file was imported. */
  finish(result: ImportResult): Promise<boolean>;
}

/** What the report of an import says besides its files. */
export interface ImportResult {
  /** Its number; `undefined` if it has stored nothing. */
  readonly id: number | undefined;
  /** Whether it was only foreseen. */
  readonly dryRun: boolean;
  /** Whether nothing of it is stored, as something is open. Default `false`. */
  readonly isRefused?: boolean;
  /** Options that the import as a whole wants. */
  readonly missingOptions?: readonly string[];
  /** How many values of the store wait for a decision, where this import has let some wait. Default 0. */
  readonly pending?: number;
  /** A line about codes that the catalog does not have, if there were any. */
  readonly advice: string | undefined;
}

/** The command line of an import, and what was saved of files that look alike. */
export interface ReportedLine extends CommandLine {
  /** The options that decide what a file with this header leaves open. */
  readonly optionsFor: (questions: readonly OpenQuestion[], header: string | undefined) => readonly string[];
}

/** What standard input is called in reports. */
export const STANDARD_INPUT_NAME = "standard input";

const LISTED_REASONS = 20;
const LISTED_NAMES = 10;
/** What stands for the words that only a person can fill in. */
const PLACEHOLDERS = [
  [/\bCODE\b/, "CODE is the asset's code"],
  [/\bNAME\b/, "NAME is the column's name or number"],
  [/\bTEXT\b/, "TEXT is that of the rows that are wanted"],
  [/\bZONE\b/, "ZONE is a time zone such as UTC"],
  [/\bYEAR\b/, "YEAR is the year of its days"],
  [/\bDAY\b/, "DAY is the day of its prices"],
] as const;

export interface ReportedFile {
  readonly name: string;
  readonly read: ReadFile;
  readonly counts: Counts;
}

/**
 * A report as text: refused lines and failures at once on standard error, a table at the end.
 *
 * @param place The options by which the store is found, as `storeOptions` makes them.
 */
export function createTextReport(
  { terminal, program }: Pick<CliContext, "terminal" | "program">,
  place: string,
  line: ReportedLine,
): ImportReport {
  const files: ReportedFile[] = [];

  function note(text: string): void {
    terminal.note(printable(text));
  }

  function tellFailure({ name, read: { failure }, counts }: ReportedFile): void {
    if (!failure) return;
    if ("reason" in failure) {
      note(`${name}: ${countOf(counts) === 0 ? "not imported" : "not read to its end"}: ${failure.reason}`);
      return;
    }
    for (const question of failure.questions) note(`${name}: ${questionInWords(question)}`);
    if (!failure.questions.some(isMissing)) return;
    const options = line.optionsFor(failure.questions, failure.header).join(" ");
    const meanings = PLACEHOLDERS.filter(([word]) => word.test(options)).map(([, meaning]) => meaning);
    note(`${name}: add ${options}, where ${meanings.join(" and ")}`);
  }

  function tellRejected({ name, read }: ReportedFile): void {
    if (read.isUnread) return;
    let more = read.rejected;
    for (const { line: number, reason, count } of alike(read.rejectedRows).slice(0, LISTED_REASONS)) {
      const others =
        count === 2 ? ", and 1 more line like this" : `, and ${formatCount(count - 1)} more lines like this`;
      note(`${name}:${number}: ${reason}${count === 1 ? "" : others}`);
      more -= count;
    }
    if (more > 0) note(`${name}: ${formatCount(more)} more were refused`);
  }

  return {
    reading: (name, text) => note(`${name}: read as: ${text}`),
    show(_, { lines, questions }) {
      for (const text of [...lines, ...questions.map(({ reason }) => reason)]) note(text);
    },
    done(name, read, counts) {
      files.push({ name, read, counts });
      const { ignored, skipped } = read;
      const file = { name, read, counts };
      tellRejected(file);
      if (skipped.withoutValue > 0) note(`${name}: ${skippedInWords(skipped.withoutValue, "cell", "without a value")}`);
      if (skipped.opens > 0) note(`${name}: ${skippedInWords(skipped.opens, "open", "outside high and low")}`);
      if (skipped.totals > 0) note(`${name}: ${skippedInWords(skipped.totals, "row", "with a total or an average")}`);
      if (skipped.unwanted > 0) note(`${name}: ${skippedInWords(skipped.unwanted, "row", "that --where leaves out")}`);
      if (ignored.length > 0) note(`${name}: ignored columns: ${listNames(ignored)}`);
      tellFailure(file);
    },
    async finish({ id, dryRun, isRefused = false, pending = 0, advice, missingOptions }) {
      const sum = total(files);
      // Seldom asked for, and else always 0.
      const heading = ["file", "accepted", "replaced", "unchanged", ...(sum.kept > 0 ? ["kept"] : []), "refused"];
      const countsOf = ({ accepted, replaced, unchanged, kept, refused }: Counts): Cell[] => {
        return [accepted, replaced, unchanged, ...(sum.kept > 0 ? [kept] : []), refused];
      };
      const rows = files.map((file): Cell[] => [file.name, ...countsOf(file.counts), outcomeOf(file)]);
      if (files.length > 1) rows.push(["total", ...countsOf(sum)]);
      const isChange = sum.accepted + sum.replaced > 0;
      let end = "";
      if (dryRun) end = "Nothing was written: this was a dry run.\n";
      else if (id !== undefined && isChange)
        end = `This is import ${id}. To take it back: ${program} imports undo ${id}${place}\n`;
      if (isRefused && !dryRun) terminal.note("Nothing was imported.");
      else await terminal.write(table(heading, rows, "") + end);
      if (pending > 0)
        terminal.note(
          `${pending === 1 ? "1 value waits" : `${formatCount(pending)} values wait`} for a decision. To see what waits: ${program} pending list${place}`,
        );
      if (advice !== undefined) terminal.note(advice);
      for (const ready of commandsFor(line, files, missingOptions)) note(`To import: ${ready}`);
      return isComplete(files);
    },
  };
}

/** The first of the rows that are rejected for the same reason, but for what it quotes, and how many there are. */
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
  for (const { counts } of files)
    for (const name of ["accepted", "replaced", "unchanged", "kept", "refused"] as const)
      (sum as Record<typeof name, number>)[name] += counts[name];
  return sum;
}

/** The command lines that go on, ready to run. There is none for a file of which something is missing that only a person knows, or that no answer mends. */
export function commandsFor(
  line: ReportedLine,
  files: readonly ReportedFile[],
  all: readonly string[] = [],
): readonly string[] {
  const wanted = files.flatMap(({ name, read: { failure } }): WantedOptions[] => {
    if (failure && (!("questions" in failure) || failure.questions.some(isMissing))) return [];
    const questions = failure?.questions ?? [];
    const ofOthers = questions.map(({ set: { code: _, ...set }, reason }) => ({ set, reason }));
    const options = line.optionsFor(ofOthers, failure?.header).filter((option) => option !== "");
    const code = questions.find(({ set }) => set.code !== undefined)?.set.code;
    return [{ name: name === STANDARD_INPUT_NAME ? STANDARD_INPUT : name, code, options }];
  });
  return suggestedCommands(line, wanted, all);
}

/** Whether only a person can answer a question. */
function isMissing({ missing }: OpenQuestion): boolean {
  return missing !== undefined;
}

export function isComplete(files: readonly ReportedFile[]): boolean {
  return files.every(({ read, counts }) => counts.refused === 0 && read.failure === undefined);
}

function outcomeOf({ read, counts }: ReportedFile): string {
  if (read.failure === undefined) return "";
  return countOf(counts) === 0 ? "not imported" : "not read to its end";
}

/** How many records of a file were read. */
function countOf({ accepted, replaced, unchanged, kept, refused }: Counts): number {
  return accepted + replaced + unchanged + kept + refused;
}

function skippedInWords(count: number, what: string, which: string): string {
  return count === 1 ? `1 ${what} ${which} was skipped` : `${formatCount(count)} ${what}s ${which} were skipped`;
}

function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES;
  return names.slice(0, LISTED_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
