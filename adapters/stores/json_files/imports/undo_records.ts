import { createSeriesStore, type SeriesStore } from "../../../../core/internal.ts";
import { type Observation, Unavailable } from "../../../../core/mod.ts";
import { codeOf, type FileSystem } from "../file_system.ts";
import type { Log } from "../log/log.ts";
import { decodeObservation, observationLines } from "../log/observation_line.ts";
import { type LogPlan, openLog } from "../log/open_log.ts";
import { readLog } from "../log/read_log.ts";
import { listSegments } from "../log/segments.ts";
import { type ImportDocument, undoLog } from "./import_files.ts";

/** What the logs of undo records are written with. */
export type UndoPlan = Pick<
  LogPlan<unknown>,
  "fs" | "health" | "directory" | "quarantineDirectory" | "storeId" | "generation" | "segmentBytes" | "now"
>;

/** The observations that an import has replaced, as they were before; written before the import replaces them. */
export interface UndoRecords extends Pick<Log, "end" | "close"> {
  /** Resolves when the observations are on the device. */
  append(observations: readonly Observation[]): Promise<void>;
}

/** Opens the undo records of an import for writing; makes their first file where there is none. */
export async function openUndoRecords(plan: UndoPlan, id: number): Promise<UndoRecords> {
  const opened = openLog<Observation>({
    ...plan,
    kind: undoLog(id),
    strict: false,
    decode: decodeObservation,
    accept() {},
  });
  const { log } = await opened.catch((error: unknown) => {
    throw codeOf(error) === undefined
      ? error
      : new Unavailable(`Nothing can be written: ${String(error)}`, 5, { cause: error });
  });
  return {
    append: (observations) => log.append(observationLines(observations), () => undefined),
    end: log.end,
    close: log.close,
  };
}

/** Whether an import has undo records. */
export async function hasUndoRecords(fs: FileSystem, directory: string, id: number): Promise<boolean> {
  return (await listSegments(fs, directory, undoLog(id))).length > 0;
}

/** The undo records of an import as they were read. */
export interface ReadUndoRecords {
  /** Of several for one code and business time, the last one counts. */
  readonly find: SeriesStore["find"];
  readonly all: SeriesStore["all"];
  /** Whether some of them cannot be read, so that a record without one may have replaced another one all the same. */
  readonly damaged: boolean;
}

/** Reads the undo records of an import. Changes nothing. */
export async function readUndoRecords(
  fs: FileSystem,
  directory: string,
  { id, storeId, notes }: ImportDocument,
): Promise<ReadUndoRecords> {
  const kind = undoLog(id);
  const market = createSeriesStore();
  const loader = market.createLoader();
  const plan = { kind, storeId, marks: { [kind]: notes ?? undefined }, decode: decodeObservation, accept: loader.add };
  const { damages, unreadable } = await readLog<Observation>(fs, directory, plan);
  loader.finish();
  // A torn end was not acknowledged, and so the append that it was for did not follow.
  return { find: market.find, all: market.all, damaged: damages.length > 0 || unreadable !== undefined };
}
