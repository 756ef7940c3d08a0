import { hostname } from "node:os";
import { checkRecord, indexAssets, type Zone } from "../../../core/internal.ts";
import type { Asset, RawRecord } from "../../../core/mod.ts";
import { joinAnswers } from "../../intake/tables/answers.ts";
import type { Unread } from "../../intake/tables/open_questions.ts";
import { Stopped } from "../../server/signals.ts";
import { createImportWriter } from "../../stores/shared/import_writer.ts";
import { type ImportAccess, MAX_PENDING, USUAL_BATCH } from "../../stores/shared/imports.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import type { CliContext } from "../command.ts";
import { CommandFailure, EXIT, type ExitCode, printable } from "../command_failure.ts";
import { subjectsOf } from "../import_text.ts";
import { formatCount } from "../text_table.ts";
import { openQuestions, shownLines, withValueQuestions } from "./ask_about_values.ts";
import { type ImportAnswers, optionsOf, questionInWords } from "./import_answers.ts";
import { type ImportReport, NOTHING_COUNTED, STANDARD_INPUT_NAME } from "./import_report.ts";
import { untilAborted } from "./interruptible_source.ts";
import { type Findings, judgeRecords, type Place } from "./judge_records.ts";
import { STANDARD_INPUT } from "./open_source.ts";
import type { FileOptions, ReadFile } from "./read_file.ts";
import { watchUnknownCodes } from "./unknown_codes.ts";
import { createRecordWriter } from "./write_records.ts";

/** The import that the command line asks for. */
export interface ImportRequest {
  /** The names of the files; `-` is standard input. */
  readonly files: readonly string[];
  /** The catalog. */
  readonly assets: readonly Asset[];
  /** The market's time zone. */
  readonly zone: Zone;
  readonly dryRun: boolean;
  readonly answers: ImportAnswers;
  readonly keepExisting: boolean;
  /** The provider of records that do not state a provider. */
  readonly provider: string | undefined;
  /** Stops the import. */
  readonly stop: AbortSignal;
  /** Reads the file with this index in `files`. */
  readonly read: (file: number, options: Omit<FileOptions, "table" | "lastWins">) => Promise<ReadFile>;
}

type Context = Pick<CliContext, "terminal" | "clock">;

/**
 * Imports files and reports on them. Nothing is stored before all files are read and all questions answered. Each file
 * is read once. Resolves to the exit code.
 *
 * @param access The imports of the store; `undefined` in a dry run without a store.
 */
export async function runImport(
  access: ImportAccess | undefined,
  request: ImportRequest,
  report: ImportReport,
  context: Context,
): Promise<ExitCode> {
  const { terminal } = context;
  const { dryRun, answers, stop, zone, keepExisting } = request;
  const names = request.files.map((name) => (name === STANDARD_INPUT ? STANDARD_INPUT_NAME : name));
  // The first lookup may wait for another process. A signal may interrupt a lookup, because lookups write nothing.
  const around: ImportAccess["around"] = access ? (keys) => untilAborted(access.around(keys), stop) : nothingAround;
  const judging = { keepExisting, zone, hasDayAt: answers.dayAt !== undefined, batchRecords: batchOf(access) };
  const unknown = watchUnknownCodes(request.assets);
  const check = createCheck(request, { ...context, unknown });
  const files: ReadFile[] = [];
  for (const [file, name] of names.entries()) {
    const reading = (text: string): void => report.reading(name, text);
    const progress = (count: number): void =>
      terminal.progress(`${printable(name)}: ${formatCount(count)} records read`);
    const read = await request.read(file, { check, reading, progress });
    files.push(await withFurtherQuestions(read, name));
  }

  /** Judges the values that the suggested answers give, and adds the questions about them to the file's questions. */
  async function withFurtherQuestions(file: ReadFile, name: string): Promise<ReadFile> {
    const { failure, saysUnit, stage } = file;
    if (!file.isUnread || !failure || !("questions" in failure)) return file;
    if (stage.size === 0) return { ...file, failure: withoutRecords(file) };
    const suggested = joinAnswers(answers, ...failure.questions.map(({ set }) => set));
    const findings = await judgeRecords([stage], around, judging);
    const open = openQuestions(
      { ...findings, saysUnit },
      { answers: suggested, keepExisting },
      ({ line }) => `${name}:${line}`,
    );
    return { ...file, failure: withValueQuestions(failure, open) };
  }

  const readable = files.flatMap((file, at) => (file.isUnread ? [] : [{ ...file, at }]));
  const placeOf = ({ file, line }: Place): string => `${names[readable[file]!.at]!}:${line}`;
  const findings = await judgeRecords(
    readable.map(({ stage }) => stage),
    around,
    judging,
  );
  const saysUnit = files.some((file) => file.saysUnit);
  const questions = openQuestions({ ...findings, saysUnit }, { answers, keepExisting }, placeOf);
  report.show(findings, { lines: shownLines(findings, request), questions });
  const wanted = [...new Set(questions.flatMap(({ set }) => optionsOf(set)))];
  const isAsked = !dryRun && terminal.ask !== undefined && wanted.length === 1 && wanted[0] === "--yes";
  if (isAsked && !(await untilAborted(terminal.ask("Import this?"), stop)))
    throw new CommandFailure("Nothing was imported", EXIT.data);
  const isStored = access !== undefined && !dryRun && (wanted.length === 0 || isAsked);
  const advice = unknown.advice();
  if (isStored)
    return storeRecords({ ...access, around }, { request, names, files, findings, advice }, context, report);
  const foreseen = new Map(readable.map(({ at }, i) => [at, findings.outcomes[i]!]));
  for (const [at, name] of names.entries()) {
    const outcome = dryRun ? foreseen.get(at) : undefined;
    report.done(name, files[at]!, outcome ? { ...outcome, refused: files[at]!.rejected } : NOTHING_COUNTED);
  }
  const isComplete = await report.finish({
    id: undefined,
    dryRun,
    advice,
    isRefused: wanted.length > 0,
    missingOptions: access ? wanted : [...wanted, "--init"],
  });
  return isComplete && wanted.length === 0 ? EXIT.done : EXIT.data;
}

/** Files that were read and judged. */
interface JudgedFiles {
  readonly request: ImportRequest;
  /** Their names in reports. */
  readonly names: readonly string[];
  readonly files: readonly ReadFile[];
  readonly findings: Findings;
  readonly advice: string | undefined;
}

/** Stores the records of files. */
async function storeRecords(
  access: ImportAccess,
  { request, names, files, findings, advice }: JudgedFiles,
  { terminal }: Context,
  report: ImportReport,
): Promise<ExitCode> {
  const { stop, answers, keepExisting, zone, dryRun } = request;
  const begin: ImportAccess["begin"] = (begun) => untilAborted(access.begin(begun), stop);
  const writer = createImportWriter(
    { ...access, begin },
    { type: "import", subjects: subjectsOf(names), source: "import", by: { pid: process.pid, host: hostname() } },
    { keepExisting },
  );
  const write = createRecordWriter(writer, findings, { answers, zone, around: access.around });

  async function storeFile(file: ReadFile, name: string): Promise<void> {
    const { stage, rejected: refused } = file;
    const { replaced, repeated } = stage.counts;
    const counts = { accepted: 0, replaced, unchanged: repeated, kept: 0, refused };
    try {
      for await (const batch of inBatches(stage.all(), batchOf(access))) {
        stop.throwIfAborted();
        const { accepted, replaced, unchanged } = await write(batch);
        counts.accepted += accepted;
        counts.replaced += replaced;
        counts.unchanged += unchanged;
        counts.kept += batch.length - accepted - replaced - unchanged;
        terminal.progress(`${printable(name)}: ${formatCount(counts.accepted + counts.replaced)} records stored`);
      }
      report.done(name, file, counts);
    } catch (error) {
      const reason = error instanceof Stopped ? error.message : "the store did not accept the other records";
      report.done(name, { ...file, failure: { reason } }, counts);
      throw error;
    }
  }

  const refused = files.reduce((sum, file) => sum + (file.isUnread ? 0 : file.rejected), 0);
  try {
    for (const [at, file] of files.entries()) {
      if (file.isUnread) report.done(names[at]!, file, NOTHING_COUNTED);
      else await storeFile(file, names[at]!);
    }
  } catch (error) {
    // If the store has failed, `finish` fails as well, and the import is listed as unfinished.
    await writer.finish({ refused, complete: false }).catch(() => undefined);
    await report.finish({ id: writer.id, dryRun, advice });
    if (error instanceof Stopped)
      throw new CommandFailure(
        `The import was ${error.message}; records counted in the table are stored`,
        error.exitCode,
      );
    throw error;
  }
  await writer.finish({ refused, complete: files.every(({ failure }) => failure === undefined) });
  const { kept } = writer.outcome;
  if (kept > 0 && !keepExisting)
    terminal.note(
      `${formatCount(kept)} PENDING values were not stored, as ${formatCount(MAX_PENDING)} values from imports already wait for a decision.`,
    );
  const { assets: pending } = answers.doubtful === "pending" ? await access.pending(null, 0) : { assets: [] };
  const isComplete = await report.finish({
    id: writer.id,
    dryRun,
    advice,
    pending: pending.reduce((sum, { records }) => sum + records, 0),
  });
  return isComplete ? EXIT.done : EXIT.data;
}

/** The failure of a file that has no readable record even with the suggested answers. */
function withoutRecords({ failure, rejectedRows: [row, ...others] }: ReadFile): Unread | undefined {
  if (!failure || !("questions" in failure) || failure.questions.some(({ missing }) => missing)) return failure;
  if (row?.set || others.some(({ set }) => set)) return failure;
  const reason = row ? `line ${row.line}: ${row.reason}` : failure.questions.map(questionInWords).join("; ");
  return { reason: `none of its rows can be read: ${reason}` };
}

function batchOf(access: ImportAccess | undefined): number {
  return access?.bestBatch ?? USUAL_BATCH;
}

const nothingAround: ImportAccess["around"] = async (keys) =>
  keys.map(() => ({ at: undefined, before: undefined, after: undefined }));

/** Makes the function that checks records. A record without a provider gets the provider of the request. */
function createCheck(
  { assets, provider }: ImportRequest,
  { clock, unknown }: Pick<Context, "clock"> & { readonly unknown: ReturnType<typeof watchUnknownCodes> },
): FileOptions["check"] {
  const catalog = indexAssets(assets);
  const now = clock();
  return (raw) => {
    const record = provider === undefined ? raw : withProvider(raw, provider);
    const checked = checkRecord(record, catalog, now);
    if (!checked.ok) unknown.see(record);
    return checked;
  };
}

function withProvider(record: RawRecord, provider: string): RawRecord {
  const { provider: own } = record;
  return own === undefined || own === null || (typeof own === "string" && own.trim() === "")
    ? { ...record, provider }
    : record;
}
