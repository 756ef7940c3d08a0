import { formatTimestamp } from "../../../core/internal.ts";
import type { CliContext } from "../command.ts";
import { printable } from "../command_failure.ts";
import { type Cell, formatCount, table } from "../text_table.ts";
import type { FileTally, ImportWatcher } from "./import_file.ts";
import { type OpenQuestion, unreadInWords } from "../../intake/tables/open_questions.ts";
import { STANDARD_INPUT } from "./open_source.ts";
import type { ScanResult } from "./scan.ts";
import { type CommandLine, suggestedCommands } from "./suggested_command.ts";

/** Reports on the files of an import. */
export interface ImportReport {
  /** Called for each file before it is read. */
  watch(file: string): ImportWatcher;
  /** Called when all files were looked through, with what is shown of them and what is open. */
  show(
    findings: ScanResult,
    said: { readonly lines: readonly string[]; readonly questions: readonly OpenQuestion[] },
  ): void;
  /** Called for each file after it was read. */
  done(file: string, tally: FileTally): void;
  /** Prints the summary; resolves to whether every record of every file was imported. */
  finish(result: ImportResult): Promise<boolean>;
}

/** What is told of an import besides its files. */
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

/** What standard input is called in reports. */
export const STANDARD_INPUT_NAME = "standard input";

const LISTED_LINES = 20;
/** So many refused lines of a file are told at most. */
export const MOST_LISTED = 1_000;
const LISTED_NAMES = 10;

type FileTallyOf = readonly [file: string, tally: FileTally];

/**
 * A report as text: refused lines and failures at once on standard error, a table at the end.
 *
 * @param place The options by which the store is found, as `storeOptions` makes them.
 */
export function createTextReport(
  { terminal, program }: Pick<CliContext, "terminal" | "program">,
  place: string,
  line: CommandLine,
): ImportReport {
  const files: FileTallyOf[] = [];
  const open = gatherOptions(line);

  function watch(file: string): ImportWatcher {
    let listed = 0;
    return {
      reading(text) {
        terminal.note(printable(`${file}: read as: ${text}`));
      },
      refused({ line, reason, option }) {
        open.add(file, option);
        if (++listed <= LISTED_LINES) terminal.note(printable(`${file}:${line}: ${reason}`));
      },
      progress(tally) {
        terminal.progress(`${printable(file)}: ${formatCount(countOf(tally))} records`);
      },
    };
  }

  function show(
    _: ScanResult,
    { lines, questions }: { readonly lines: readonly string[]; readonly questions: readonly OpenQuestion[] },
  ): void {
    for (const line of [...lines, ...questions.map(({ reason }) => reason)]) terminal.note(printable(line));
  }

  function done(file: string, tally: FileTally): void {
    files.push([file, tally]);
    const { refused, ignored, failure, skipped } = tally;
    if (refused > LISTED_LINES)
      terminal.note(printable(`${file}: ${formatCount(refused - LISTED_LINES)} more were refused`));
    if (skipped.withoutValue > 0)
      terminal.note(printable(`${file}: ${skippedInWords(skipped.withoutValue, "cell", "without a value")}`));
    if (skipped.totals > 0)
      terminal.note(printable(`${file}: ${skippedInWords(skipped.totals, "row", "with a total or an average")}`));
    if (ignored.length > 0) terminal.note(printable(`${file}: ignored columns: ${listNames(ignored)}`));
    if (failure && "questions" in failure)
      for (const { reason } of failure.questions) terminal.note(printable(`${file}: ${reason}`));
    else if (failure)
      terminal.note(
        printable(`${file}: ${isUntouched(tally) ? "not imported" : "not read to its end"}: ${failure.reason}`),
      );
  }

  async function finish({
    id,
    dryRun,
    isRefused = false,
    pending = 0,
    advice,
    missingOptions: wanted,
  }: ImportResult): Promise<boolean> {
    const sum = total(files);
    // Seldom asked for, and else always 0.
    const heading = ["file", "accepted", "replaced", "unchanged", ...(sum.kept > 0 ? ["kept"] : []), "refused"];
    const countsOf = ({ accepted, replaced, unchanged, kept, refused }: Counts): Cell[] => {
      return [accepted, replaced, unchanged, ...(sum.kept > 0 ? [kept] : []), refused];
    };
    const rows = files.map(([file, tally]): Cell[] => [file, ...countsOf(tally), outcomeOf(tally)]);
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
    for (const ready of open.lines(files, wanted)) terminal.note(printable(`To import: ${ready}`));
    return isComplete(files);
  }

  return { watch, show, done, finish };
}

/** A report as one JSON document at the end. */
export function createJsonReport({ terminal }: Pick<CliContext, "terminal">, line: CommandLine): ImportReport {
  const files: FileTallyOf[] = [];
  const open = gatherOptions(line);
  const refusals: { file: string; line: number; reason: string; option?: string }[] = [];
  let shown: object = {};

  return {
    show({ first, changed, existing }, { questions }) {
      shown = {
        firstImported: first.map((one) => ({ ...one, from: formatTimestamp(one.from), to: formatTimestamp(one.to) })),
        existing,
        changed,
        needs: questions,
      };
    },
    watch: (file) => ({
      reading: () => undefined,
      refused(line) {
        open.add(file, line.option);
        if (refusals.length < MOST_LISTED) refusals.push({ file, ...line });
      },
      progress: () => undefined,
    }),
    done: (file, tally) => void files.push([file, tally]),
    async finish({ id = null, dryRun, pending = 0, missingOptions: wanted }) {
      const listed = files.map(
        ([
          file,
          { accepted, replaced, unchanged, kept, refused, failure = null, reading = null, ignored, skipped },
        ]) => {
          const needs = failure && "questions" in failure ? failure.questions : [];
          const counts = { accepted, replaced, unchanged, kept, refused };
          return {
            file,
            ...counts,
            failure: failure && unreadInWords(failure),
            needs,
            readAs: reading,
            ignoredColumns: ignored,
            skipped,
          };
        },
      );
      await terminal.write(
        `${JSON.stringify({ import: id, dryRun, ...total(files), pending, files: listed, refusals, ...shown, toImport: open.lines(files, wanted) })}\n`,
      );
      return isComplete(files);
    },
  };
}

type Counts = Pick<FileTally, "accepted" | "replaced" | "unchanged" | "kept" | "refused">;

function total(files: readonly FileTallyOf[]): Counts {
  const sum = { accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: 0 };
  for (const [, { accepted, replaced, unchanged, kept, refused }] of files) {
    sum.accepted += accepted;
    sum.replaced += replaced;
    sum.unchanged += unchanged;
    sum.kept += kept;
    sum.refused += refused;
  }
  return sum;
}

/** Gathers the options that files want, also for lines that were refused, until they are told as command lines. */
function gatherOptions(line: CommandLine): {
  add(file: string, option: string | undefined): void;
  lines(files: readonly FileTallyOf[], all?: readonly string[]): readonly string[];
} {
  const wanted = new Map<string, Set<string>>();
  return {
    add(file, option) {
      if (option !== undefined) wanted.set(file, (wanted.get(file) ?? new Set()).add(option));
    },
    lines: (files, all = []) =>
      suggestedCommands(
        line,
        files.map(([file, { failure }]) => {
          const questions = failure && "questions" in failure ? line.optionsFor(failure.questions, failure.header) : [];
          return [file === STANDARD_INPUT_NAME ? STANDARD_INPUT : file, [...questions, ...(wanted.get(file) ?? [])]];
        }),
        all,
      ),
  };
}

function isComplete(files: readonly FileTallyOf[]): boolean {
  return files.every(([, { refused, failure }]) => refused === 0 && failure === undefined);
}

function outcomeOf(tally: FileTally): string {
  if (tally.failure === undefined) return "";
  return isUntouched(tally) ? "not imported" : "not read to its end";
}

function isUntouched(tally: FileTally): boolean {
  return countOf(tally) === 0;
}

/** How many records of a file were read. */
export function countOf({ accepted, replaced, unchanged, kept, refused }: Counts): number {
  return accepted + replaced + unchanged + kept + refused;
}

function skippedInWords(count: number, what: string, which: string): string {
  return count === 1 ? `1 ${what} ${which} was skipped` : `${formatCount(count)} ${what}s ${which} were skipped`;
}

function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES;
  return names.slice(0, LISTED_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
