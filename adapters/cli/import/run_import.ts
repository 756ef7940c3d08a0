import { hostname } from "node:os";
import { checkRecord, indexAssets, type Zone } from "../../../core/internal.ts";
import type { Asset, Observation, RawRecord } from "../../../core/mod.ts";
import type { RejectedRow } from "../../intake/tables/record_columns.ts";
import { Stopped } from "../../server/signals.ts";
import { createImportWriter } from "../../stores/shared/import_writer.ts";
import { type ImportAccess, MAX_PENDING, USUAL_BATCH } from "../../stores/shared/imports.ts";
import type { CliContext } from "../command.ts";
import { CommandFailure, EXIT, type ExitCode, printable } from "../command_failure.ts";
import { subjectsOf } from "../import_text.ts";
import { formatCount } from "../text_table.ts";
import { type Answers, openQuestions, shownLines } from "./ask_about_values.ts";
import { type FileTally, type ImportWatcher, type IngestRecords, nothingOf } from "./import_file.ts";
import { countOf, type ImportReport, MOST_LISTED, STANDARD_INPUT_NAME } from "./import_report.ts";
import { untilAborted } from "./interruptible_source.ts";
import type { OpenQuestion } from "../../intake/tables/open_questions.ts";
import { STANDARD_INPUT } from "./open_source.ts";
import { createScan, type ScanResult } from "./scan.ts";
import { createBatchWriter, type RecordTarget } from "./store_batches.ts";
import { answersWith, suggestedOptions, withValueQuestions } from "./suggested_options.ts";
import { watchUnknownCodes } from "./unknown_codes.ts";

/** An import as its command line has it. */
export interface ImportRequest {
  /** Names of files, and `-`. */
  readonly files: readonly string[];
  /** The catalog. */
  readonly assets: readonly Asset[];
  /** The market's. */
  readonly zone: Zone;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
  readonly answers: Answers;
  /** Whether dates without an hour get one from an option. */
  readonly hasDayAt: boolean;
  /** The provider of records that name none. */
  readonly provider: string | undefined;
  /** Aborted where the import is to stop. */
  readonly stop: AbortSignal;
  /** Reads a file, by its place among the files, and hands its records to `ingest`, as `importFile` does. */
  readonly read: (file: number, into: ReadInto, watcher: ImportWatcher) => Promise<FileTally>;
}

/** Where the records of a file go; and the needs that it is read by, as if their options were given. */
export interface ReadInto {
  readonly ingest: IngestRecords;
  readonly batchRecords: number;
  readonly questions?: readonly OpenQuestion[];
}

type Context = Pick<CliContext, "terminal" | "clock">;

/** In the number of a place, a file has so many lines. */
const LINES = 2 ** 32;

/**
 * Imports files, and reports on them. All are looked through, and what they leave open is asked, before anything is
 * written. Resolves to the exit code.
 *
 * @param access The imports of the store; `undefined` in a dry run for one that is not there yet.
 */
export async function runImport(
  access: ImportAccess | undefined,
  plan: ImportRequest,
  report: ImportReport,
  context: Context,
): Promise<ExitCode> {
  const { terminal } = context;
  const { dryRun, answers, stop, zone } = plan;
  const names = plan.files.map((name) => (name === STANDARD_INPUT ? STANDARD_INPUT_NAME : name));
  const batchRecords = access?.bestBatch ?? USUAL_BATCH;
  // The first call may wait for another process. Nothing is written before an import has begun, so these may be left alone.
  const around: ImportAccess["around"] = access ? (keys) => untilAborted(access.around(keys), stop) : nothingAround;
  const count: ImportAccess["count"] = async (codes) => (access ? untilAborted(access.count(codes), stop) : 0);
  const options = { ...plan, batchRecords, keepExisting: answers.keepExisting };
  let scan = createScan({ around, count }, options);
  const scanning = ingestInto({ append: (checked) => scan.append(checked) }, plan, context);
  /** Lines that are refused, to be told where nothing is stored. */
  const refused = names.map((): RejectedRow[] => []);
  async function scanFile(
    file: number,
    reading: ImportWatcher["reading"],
    questions?: readonly OpenQuestion[],
  ): Promise<FileTally> {
    const rows = (refused[file] = [] as RejectedRow[]);
    const note = (row: RejectedRow): unknown => rows.length < MOST_LISTED && rows.push(row);
    const progress = (tally: FileTally): void =>
      terminal.progress(`${printable(names[file]!)}: ${formatCount(countOf(tally))} records looked through`);
    const tally = await plan.read(
      file,
      { ingest: scanning.ingest(file), batchRecords, ...(questions && { questions }) },
      { reading, refused: note, progress },
    );
    stop.throwIfAborted();
    if (tally.stoppedBy !== undefined) throw tally.stoppedBy;
    return tally;
  }
  const tallies: FileTally[] = [];
  for (const [file, name] of names.entries()) tallies.push(await scanFile(file, report.watch(name).reading));
  const placeOf = (place: number): string => `${names[Math.floor(place / LINES)]}:${place % LINES}`;
  // Records that may have been misread say nothing.
  let hasMisread = tallies.some((tally) => tally.isUnread && countOf(tally) > 0);
  for (const [file, tally] of tallies.entries()) {
    const suggested = tally.isUnread ? suggestedOptions(tally.failure) : [];
    if (suggested.length === 0) continue;
    const refusedLines = refused[file]!;
    scan = createScan({ around, count }, options);
    const again = await scanFile(file, () => undefined, suggested);
    const wanted = again.isUnread
      ? []
      : openQuestions(
          { ...(await scan.findings()), saysUnit: again.saysUnit },
          answersWith(answers, suggested),
          placeOf,
        );
    tallies[file] = { ...tally, failure: withValueQuestions(tally.failure!, wanted) };
    refused[file] = refusedLines;
    hasMisread = true;
  }
  if (hasMisread) {
    scan = createScan({ around, count }, options);
    for (const [file, tally] of tallies.entries()) if (!tally.isUnread) await scanFile(file, () => undefined);
  }
  const findings = await scan.findings();
  const questions = openQuestions({ ...findings, saysUnit: tallies.some((tally) => tally.saysUnit) }, answers, placeOf);
  report.show(findings, { lines: shownLines(findings, zone), questions });
  const wanted = [...new Set(questions.map(({ option }) => option))];
  const isAsked = !dryRun && terminal.ask !== undefined && wanted.length === 1 && wanted[0] === "--yes";
  if (isAsked && !/^y(es)?$/i.test(await untilAborted(terminal.ask("Import this? [y/N]"), stop)))
    throw new CommandFailure("Nothing was imported", EXIT.data);
  const scanned = { plan, tallies, findings, names, batchRecords };
  if (access && !dryRun && (wanted.length === 0 || isAsked))
    return store({ ...access, around }, scanned, { ...context, report });
  for (const [file, name] of names.entries()) {
    const watcher = report.watch(name);
    for (const row of refused[file]!) watcher.refused(row);
    report.done(name, dryRun && !tallies[file]!.isUnread ? tallies[file]! : nothingOf(tallies[file]!));
  }
  const added = access ? wanted : [...wanted, "--init"];
  const isComplete = await report.finish({
    id: undefined,
    dryRun,
    isRefused: wanted.length > 0,
    missingOptions: added,
    advice: scanning.advice(),
  });
  return isComplete && wanted.length === 0 ? EXIT.done : EXIT.data;
}

/** What is known of an import when its files were looked through. */
interface ScannedFiles {
  readonly plan: ImportRequest;
  readonly tallies: readonly FileTally[];
  readonly findings: ScanResult;
  /** What the files are called in reports. */
  readonly names: readonly string[];
  readonly batchRecords: number;
}

/** Stores the records of files that were looked through. */
async function store(
  access: ImportAccess,
  scanned: ScannedFiles,
  { report, clock, terminal }: Context & { readonly report: ImportReport },
): Promise<ExitCode> {
  const { plan, tallies, findings, names, batchRecords } = scanned;
  const { stop, answers, dryRun } = plan;
  const imports = {
    ...access,
    begin: (begun: Parameters<ImportAccess["begin"]>[0]) => untilAborted(access.begin(begun), stop),
  };
  const writer = createImportWriter(
    imports,
    { type: "import", subjects: subjectsOf(names), source: "import", by: { pid: process.pid, host: hostname() } },
    answers,
  );
  const { ingest, advice } = ingestInto(
    createBatchWriter(writer, findings, { answers, zone: plan.zone, imports }),
    plan,
    {
      clock,
    },
  );
  let [refused, isComplete] = [0, true];
  try {
    for (const [file, name] of names.entries()) {
      const watcher = { ...report.watch(name), reading: () => undefined };
      const tally = tallies[file]!.isUnread
        ? nothingOf(tallies[file]!)
        : await plan.read(file, { ingest: ingest(file), batchRecords }, watcher);
      report.done(name, tally);
      refused += tally.refused;
      isComplete &&= tally.failure === undefined;
      if (tally.stoppedBy !== undefined) throw tally.stoppedBy;
      if (stop.aborted) throw stop.reason;
    }
  } catch (error) {
    // Where the store has failed, the import stays unfinished, and is listed as such.
    await writer.finish({ refused, complete: false }).catch(() => undefined);
    await report.finish({ id: writer.id, dryRun, advice: advice() });
    if (error instanceof Stopped)
      throw new CommandFailure(`The import was ${error.message}; what the table counts is stored`, error.exitCode);
    throw error;
  }
  await writer.finish({ refused, complete: isComplete });
  const { kept } = writer.outcome;
  if (kept > 0 && !answers.keepExisting)
    terminal.note(
      `${formatCount(kept)} PENDING values were not stored, as ${formatCount(MAX_PENDING)} of imports wait for a decision.`,
    );
  const { assets: pending } = answers.doubtful === "pending" ? await imports.pending(null, 0) : { assets: [] };
  return (await report.finish({
    id: writer.id,
    dryRun,
    advice: advice(),
    pending: pending.reduce((sum, { records }) => sum + records, 0),
  }))
    ? EXIT.done
    : EXIT.data;
}

const nothingAround: ImportAccess["around"] = async (keys) =>
  keys.map(() => ({ at: undefined, before: undefined, after: undefined }));

/** Checks records and hands them on, one batch after the other; those that name no provider get the one of the plan. */
function ingestInto(
  target: RecordTarget,
  { assets, provider }: ImportRequest,
  { clock }: Pick<CliContext, "clock">,
): { ingest(file: number): IngestRecords; advice(): string | undefined } {
  const catalog = indexAssets(assets);
  const unknown = watchUnknownCodes(assets);
  let last: Promise<unknown> = Promise.resolve();

  function ingest(file: number): IngestRecords {
    return async (read) => {
      const now = clock();
      const refused: { index: number; reason: string }[] = [];
      const [observations, records, places]: [Observation[], RawRecord[], number[]] = [[], [], []];
      for (const [index, { record: raw, line }] of read.entries()) {
        const record = provider === undefined ? raw : withProvider(raw, provider);
        const checked = checkRecord(record, catalog, now);
        if (!checked.ok) {
          refused.push({ index, reason: checked.error });
          unknown.see(record);
          continue;
        }
        observations.push(checked.value);
        records.push(record);
        places.push(file * LINES + line);
      }
      const done = last.then(() => target.append({ observations, records, places }));
      last = done;
      const { accepted, replaced, unchanged } = await done;
      return { accepted, replaced, unchanged, refused, kept: observations.length - accepted - replaced - unchanged };
    };
  }

  return { ingest, advice: unknown.advice };
}

function withProvider(record: RawRecord, provider: string): RawRecord {
  const { provider: own } = record;
  return own === undefined || own === null || (typeof own === "string" && own.trim() === "")
    ? { ...record, provider }
    : record;
}
