import { stat } from "node:fs/promises";
import { createIngestUnknown } from "../../../core/mod.ts";
import type { Asset, Observation, ObservationWriter, RawRecord } from "../../../core/mod.ts";
import { USUAL_BATCH } from "../../store/imports.ts";
import type { ImportOutcome, ImportAccess } from "../../store/imports.ts";
import type { CliContext } from "../command.ts";
import { CommandFailure, EXIT, printable } from "../failure.ts";
import type { ExitCode } from "../failure.ts";
import { createActWriter } from "./import_writer.ts";
import { DoubtfulImport, createForecast, isDoubtful } from "./forecast.ts";
import type { Concerns, Forecast } from "./forecast.ts";
import { nothingOf } from "./import_file.ts";
import type { FileTally, ImportWatcher, Ingest } from "./import_file.ts";
import { STANDARD_INPUT_NAME, countOf } from "./import_report.ts";
import type { ImportReport } from "./import_report.ts";
import { untilAborted } from "./interruption.ts";
import { Stopped } from "../../signals.ts";
import { STANDARD_INPUT } from "./sources.ts";
import { formatCount } from "../table.ts";
import { watchUnknownCodes } from "./unknown_codes.ts";
import { goesOnLines, warningLines } from "./warning.ts";

/** An import as its command line has it. */
export interface ImportPlan {
  /** Names of files, and `-`. */
  readonly files: readonly string[];
  /** The catalog. */
  readonly assets: readonly Asset[];
  /** Whether nothing is written. */
  readonly dryRun: boolean;
  /** Whether a doubtful import goes on. */
  readonly yes: boolean;
  readonly keepExisting: boolean;
  /** The provider of records that name none. */
  readonly provider: string | undefined;
  /** Aborted where the import is to stop. */
  readonly stop: AbortSignal;
  /** Reads a file and hands its records to `ingest`, as `importFile` does. */
  readonly read: (name: string, into: { readonly ingest: Ingest; readonly batchRecords: number }, watcher: ImportWatcher) => Promise<FileTally>;
}

/** Where the records of an import go. */
interface Target {
  append(batch: readonly Observation[]): Promise<ImportOutcome>;
}

const NOTHING_IMPORTED = "Nothing was imported, as this looks wrong. If it is right, import it with --yes";
const REST_NOT_IMPORTED = "The import was stopped before records that look wrong; what the table counts is stored. If they are right, import all with --yes";
/** Looks through a file for what it leaves open, and no further. */
const LOOK: Ingest = async () => ({ accepted: 0, replaced: 0, unchanged: 0, kept: 0, refused: [] });
const SILENT = { reading: () => undefined, refused: () => undefined, progress: () => undefined } satisfies ImportWatcher;

/**
 * Imports files, and reports on them. Files that can be read twice are looked through before anything of them is
 * written; of a stream, each batch is looked at before it is written. Resolves to the exit code.
 */
export async function runImport(access: ImportAccess, plan: ImportPlan, report: ImportReport, context: Pick<CliContext, "terminal" | "clock">): Promise<ExitCode> {
  const { terminal } = context;
  const { files, dryRun, yes, stop } = plan;
  const { bestBatch: batchRecords = USUAL_BATCH } = access;
  // The first call may wait for another process. Nothing is written before an import has begun, so these may be left alone.
  const imports: ImportAccess = {
    ...access,
    around: (keys, counted) => untilAborted(access.around(keys, counted), stop),
    begin: (begun) => untilAborted(access.begin(begun), stop),
  };
  const forecast = createForecast(imports, plan);
  if (dryRun) return foresee(forecast, plan, { report, batchRecords }, context);
  const looking = ingestInto(() => forecast, plan, context);
  const isChecked = new Set<string>();
  /** Files that leave something open. Others are imported without them. */
  const open = new Map<string, FileTally>();
  for (const name of files) {
    if (!(await canBeReadTwice(name))) continue;
    const tally = await plan.read(name, { ingest: yes ? LOOK : looking.ingest, batchRecords }, { ...SILENT, reading: report.watch(name).reading, progress: (tally) => terminal.progress(`${printable(name)}: ${formatCount(countOf(tally))} records looked through`) });
    stop.throwIfAborted();
    if (tally.stoppedBy !== undefined) throw tally.stoppedBy;
    if (tally.failure && "needs" in tally.failure) open.set(name, nothingOf(tally));
    if (!yes) isChecked.add(name);
  }
  if (isChecked.size > 0) await demandConsent(forecast.concerns(), plan, context);

  const writer = createActWriter(imports, { type: "import", subjects: files.map(nameOf) }, plan);
  let target: Target = writer;
  const { ingest, advice } = ingestInto(() => target, plan, context);
  let [refused, isComplete] = [0, true];
  try {
    for (const name of files) {
      target = isChecked.has(name) ? writer : yes ? watched(writer, forecast) : cautious(writer, createForecast(imports, plan), context);
      const watcher = report.watch(nameOf(name));
      const tally = open.get(name) ?? (await plan.read(name, { ingest, batchRecords }, isChecked.has(name) ? { ...watcher, reading: SILENT.reading } : watcher));
      report.done(nameOf(name), tally);
      refused += tally.refused;
      isComplete &&= tally.failure === undefined;
      if (tally.stoppedBy !== undefined) throw tally.stoppedBy;
      if (stop.aborted) throw stop.reason;
    }
  } catch (error) {
    // Where the store has failed, the import stays unfinished, and is listed as such.
    await writer.finish({ refused, complete: false }).catch(() => undefined);
    await report.finish({ id: writer.id, dryRun, concerns: forecast.concerns(), advice: advice() });
    if (error instanceof Stopped) throw new CommandFailure(`The import was ${error.message}; what the table counts is stored`, error.exitCode);
    if (error instanceof DoubtfulImport) throw new CommandFailure(writer.id === undefined ? NOTHING_IMPORTED : REST_NOT_IMPORTED, EXIT.data);
    throw error;
  }
  await writer.finish({ refused, complete: isComplete });
  if (yes) for (const line of warningLines(forecast.concerns())) terminal.note(line);
  return (await report.finish({ id: writer.id, dryRun, concerns: forecast.concerns(), advice: advice() })) ? EXIT.done : EXIT.data;
}

/** Says what an import would do. */
async function foresee(forecast: Forecast, plan: ImportPlan, { report, batchRecords }: { readonly report: ImportReport; readonly batchRecords: number }, context: Pick<CliContext, "terminal" | "clock">): Promise<ExitCode> {
  const { ingest, advice } = ingestInto(() => forecast, plan, context);
  for (const name of plan.files) {
    const tally = await plan.read(name, { ingest, batchRecords }, report.watch(nameOf(name)));
    report.done(nameOf(name), tally.failure && "needs" in tally.failure ? nothingOf(tally) : tally);
    plan.stop.throwIfAborted();
    if (tally.stoppedBy !== undefined) throw tally.stoppedBy;
  }
  const concerns = forecast.concerns();
  for (const line of [...warningLines(concerns), ...goesOnLines(concerns)]) context.terminal.note(line);
  if (isDoubtful(concerns) && !plan.yes) context.terminal.note("The import would stop at this without --yes.");
  const isComplete = await report.finish({ id: undefined, dryRun: true, concerns, advice: advice() });
  return isComplete && (plan.yes || !isDoubtful(concerns)) ? EXIT.done : EXIT.data;
}

/** Warns of what may be wrong, and throws a failure if the import must not go on. Asks, where somebody can answer. */
async function demandConsent(concerns: Concerns, { stop }: ImportPlan, { terminal }: Pick<CliContext, "terminal">): Promise<void> {
  for (const line of [...warningLines(concerns), ...goesOnLines(concerns)]) terminal.note(line);
  if (!isDoubtful(concerns)) return;
  if (!terminal.ask) throw new CommandFailure(NOTHING_IMPORTED, EXIT.data);
  const answer = await untilAborted(terminal.ask("Import it all the same? [y/N]"), stop);
  if (!/^y(es)?$/i.test(answer)) throw new CommandFailure("Nothing was imported", EXIT.data);
}

/** A writer of what is written in any case, and is looked at for the warning. */
function watched(writer: Target, forecast: Forecast): Target {
  return {
    async append(batch) {
      await forecast.append(batch);
      return writer.append(batch);
    },
  };
}

/** A writer that stops before a batch that looks wrong. */
function cautious(writer: Target, forecast: Forecast, { terminal }: Pick<CliContext, "terminal">): Target {
  let isWarned = false;
  return {
    async append(batch) {
      await forecast.append(batch);
      const concerns = forecast.concerns(false);
      const lines = [...warningLines(concerns), ...goesOnLines(concerns)];
      if (isDoubtful(concerns) || !isWarned) for (const line of lines) terminal.note(line);
      isWarned ||= lines.length > 0;
      if (isDoubtful(concerns)) throw new DoubtfulImport("The batch looks wrong");
      return writer.append(batch);
    },
  };
}

/** Checks records and hands them on, one batch after the other; those that name no provider get the one of the plan. */
function ingestInto(target: () => Target, { assets, provider }: ImportPlan, { clock }: Pick<CliContext, "clock">): { ingest: Ingest; advice(): string | undefined } {
  let last: Promise<unknown> = Promise.resolve();
  const observations: Pick<ObservationWriter, "append"> = {
    append(batch) {
      const done = last.then(() => target().append(batch));
      last = done;
      return done;
    },
  };
  const { ingest, advice } = watchUnknownCodes(createIngestUnknown({ clock, assets, observations }), assets);
  return {
    advice,
    async ingest(records) {
      const outcome = await ingest(provider === undefined ? records : records.map((record) => withProvider(record, provider)));
      const { accepted, replaced, unchanged, refused } = outcome;
      return { ...outcome, kept: records.length - accepted - replaced - unchanged - refused.length };
    },
  };
}

function withProvider(record: RawRecord, provider: string): RawRecord {
  const { provider: own } = record;
  return own === undefined || own === null || (typeof own === "string" && own.trim() === "") ? { ...record, provider } : record;
}

async function canBeReadTwice(name: string): Promise<boolean> {
  return name !== STANDARD_INPUT && (await stat(name).then((found) => found.isFile(), () => false));
}

function nameOf(name: string): string {
  return name === STANDARD_INPUT ? STANDARD_INPUT_NAME : name;
}
