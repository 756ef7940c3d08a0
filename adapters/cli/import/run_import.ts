import { hostname } from "node:os";
import { checkRecord, indexAssets, type Zone } from "../../../core/internal.ts";
import type { Asset, Observation, RawRecord, Result } from "../../../core/mod.ts";
import { withSignal } from "../../client/with_signal.ts";
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
import { type ImportReport, isComplete, NOTHING_COUNTED, type ReportedFile } from "./import_report.ts";
import { judgeRecords, type Place } from "./judge_records.ts";
import { STANDARD_INPUT, STANDARD_INPUT_NAME } from "./open_source.ts";
import type { FileOptions, ReadFile } from "./read_file.ts";
import { watchUnknownCodes } from "./unknown_codes.ts";
import { createRecordWriter, type RecordWriter } from "./write_records.ts";

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
  { terminal, clock }: Pick<CliContext, "terminal" | "clock">,
): Promise<ExitCode> {
  const { assets, dryRun, answers, stop, zone, keepExisting, provider } = request;
  const batchRecords = access?.bestBatch ?? USUAL_BATCH;
  // The first lookup may wait for another process. A signal may interrupt a lookup, because lookups write nothing.
  const around: ImportAccess["around"] = access ? (keys) => withSignal(stop, () => access.around(keys)) : nothingAround;
  const judging = { keepExisting, zone, hasDayAt: answers.dayAt !== undefined, batchRecords };
  const [catalog, now, unknown] = [indexAssets(assets), clock(), watchUnknownCodes(assets)];
  const files: ReportedFile[] = [];
  for (const [at, given] of request.files.entries()) {
    const name = given === STANDARD_INPUT ? STANDARD_INPUT_NAME : given;
    const reading = (text: string): void => report.reading(name, text);
    const progress = (count: number): void =>
      terminal.progress(`${printable(name)}: ${formatCount(count)} records read`);
    const read = await request.read(at, { check, reading, progress });
    files.push({ name, read: await withFurtherQuestions(read, name), counts: { ...NOTHING_COUNTED } });
  }

  /** Checks a record. A record without a provider gets the provider of the request. */
  function check(raw: RawRecord): Result<Observation, string> {
    const { provider: own } = raw;
    const isNamed = own !== undefined && own !== null && !(typeof own === "string" && own.trim() === "");
    const record = provider === undefined || isNamed ? raw : { ...raw, provider };
    const checked = checkRecord(record, catalog, now);
    if (!checked.ok) unknown.see(record);
    return checked;
  }

  /** Judges the values that the suggested answers give, and adds the questions about them to the file's questions. */
  async function withFurtherQuestions(file: ReadFile, name: string): Promise<ReadFile> {
    const { failure, saysUnit, stage } = file;
    if (!file.isUnread || !failure || !("questions" in failure)) return file;
    if (stage.size === 0) return { ...file, failure: withoutRecords(file) };
    const suggested = joinAnswers(answers, ...failure.questions.map(({ set }) => set));
    const findings = await judgeRecords([stage], around, judging);
    const placeOf = ({ line }: Place): string => `${name}:${line}`;
    const open = openQuestions({ ...findings, saysUnit }, { answers: suggested, keepExisting }, placeOf);
    return { ...file, failure: withValueQuestions(failure, open) };
  }

  const readable = files.filter(({ read }) => !read.isUnread);
  const placeOf = ({ file, line }: Place): string => `${readable[file]!.name}:${line}`;
  const stages = readable.map(({ read }) => read.stage);
  const findings = await judgeRecords(stages, around, judging);
  const saysUnit = files.some(({ read }) => read.saysUnit);
  const questions = openQuestions({ ...findings, saysUnit }, { answers, keepExisting }, placeOf);
  report.show(findings, { lines: shownLines(findings, request), questions });
  const wanted = [...new Set(questions.flatMap(({ set }) => optionsOf(set)))];
  const { ask } = terminal;
  const isAsked = !dryRun && ask !== undefined && wanted.length === 1 && wanted[0] === "--yes";
  if (isAsked && !(await withSignal(stop, () => ask("Import this?"))))
    throw new CommandFailure("Nothing was imported", EXIT.data);
  const advice = unknown.advice();
  if (access && !dryRun && (wanted.length === 0 || isAsked)) return storeRecords(access);
  if (dryRun)
    for (const [at, { counts, read }] of readable.entries())
      Object.assign(counts, findings.outcomes[at], { refused: read.rejected });
  await report.finish(files, { dryRun, advice, missingOptions: access ? wanted : [...wanted, "--init"] });
  return isComplete(files) && wanted.length === 0 ? EXIT.done : EXIT.data;

  /** Stores the records of the readable files. */
  async function storeRecords(access: ImportAccess): Promise<ExitCode> {
    const begin: ImportAccess["begin"] = (begun) => withSignal(stop, () => access.begin(begun));
    const by = { pid: process.pid, host: hostname() };
    const writer = createImportWriter(
      { ...access, begin },
      { type: "import", subjects: subjectsOf(files.map(({ name }) => name)), source: "import", by },
      { keepExisting },
    );
    const write = createRecordWriter(writer, findings, { answers, zone, around });
    const refused = readable.reduce((sum, { read }) => sum + read.rejected, 0);
    let stored = 0;
    try {
      for (; stored < readable.length; stored++) await storeFile(readable[stored]!, write);
    } catch (error) {
      const failure = { reason: "the import ended before all of its records were stored" };
      for (const file of readable.slice(stored)) file.read = { ...file.read, failure };
      // If the store has failed, `finish` fails as well, and the import is listed as unfinished.
      await writer.finish({ refused, complete: false }).catch(() => undefined);
      await report.finish(files, { id: writer.id, dryRun, advice });
      if (!(error instanceof Stopped)) throw error;
      throw new CommandFailure(
        `The import was ${error.message}; records counted in the table are stored`,
        error.exitCode,
      );
    }
    await writer.finish({ refused, complete: files.every(({ read }) => read.failure === undefined) });
    const { kept } = writer.outcome;
    if (kept > 0 && !keepExisting)
      terminal.note(
        `${formatCount(kept)} PENDING values were not stored, as ${formatCount(MAX_PENDING)} values from imports already wait for a decision.`,
      );
    const { assets } = answers.doubtful === "pending" ? await access.pending(null, 0) : { assets: [] };
    const pending = assets.reduce((sum, { records }) => sum + records, 0);
    await report.finish(files, { id: writer.id, dryRun, advice, pending });
    return isComplete(files) ? EXIT.done : EXIT.data;
  }

  async function storeFile({ name, read: { stage, rejected }, counts }: ReportedFile, write: RecordWriter) {
    counts.replaced = stage.counts.replaced;
    counts.unchanged = stage.counts.repeated;
    counts.refused = rejected;
    for await (const batch of inBatches(stage.all(), batchRecords)) {
      stop.throwIfAborted();
      const { accepted, replaced, unchanged } = await write(batch);
      counts.accepted += accepted;
      counts.replaced += replaced;
      counts.unchanged += unchanged;
      counts.kept += batch.length - accepted - replaced - unchanged;
      terminal.progress(`${printable(name)}: ${formatCount(counts.accepted + counts.replaced)} records stored`);
    }
  }
}

/** The failure of a file that has no readable record even with the suggested answers. */
function withoutRecords({ failure, rejectedRows: [row, ...others] }: ReadFile): Unread | undefined {
  if (!failure || !("questions" in failure) || failure.questions.some(({ missing }) => missing)) return failure;
  if (row?.set || others.some(({ set }) => set)) return failure;
  const reason = row ? `line ${row.line}: ${row.reason}` : failure.questions.map(questionInWords).join("; ");
  return { reason: `none of its rows can be read: ${reason}` };
}

const nothingAround: ImportAccess["around"] = async (keys) =>
  keys.map(() => ({ at: undefined, before: undefined, after: undefined }));
