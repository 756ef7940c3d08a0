import { createSeriesStore } from "../../../core/internal.ts";
import type { SeriesStore } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import type { FileSystem } from "../fs.ts";
import { findLostEnd } from "../log/high_water.ts";
import type { Log, LogEnd, LogPosition } from "../log/log.ts";
import { decodeObservation, observationLines } from "../log/observation_line.ts";
import { openLog } from "../log/open_log.ts";
import type { LogPlan } from "../log/open_log.ts";
import { isUnfinished, listSegments, scanSegments } from "../log/segments.ts";
import { notesLog } from "./import_files.ts";
import type { ImportDocument } from "./import_files.ts";

/** What the logs of notes are written with. */
export type NotesPlan = Pick<LogPlan<unknown>, "fs" | "health" | "directory" | "quarantineDirectory" | "storeId" | "generation" | "segmentBytes" | "now">;

/** The observations that an import has replaced, as they were before; written before the import replaces them. */
export interface Notes {
  /** Resolves when the observations are on the device. */
  append(observations: readonly Observation[]): Promise<void>;
  end(): LogEnd;
  position(): LogPosition;
  close(): Promise<void>;
}

/** Opens the notes of an import for writing; makes their first file where there is none. */
export async function openNotes(plan: NotesPlan, id: number): Promise<Notes> {
  const { log, readOnly } = await openLog<Observation>({ ...plan, kind: notesLog(id), strict: false, decode: decodeObservation, accept() {} });
  if (readOnly) {
    await log.close();
    throw readOnly;
  }
  return notesIn(log);
}

function notesIn(log: Log): Notes {
  return {
    append: (observations) => log.append(observationLines(observations), () => undefined),
    end: log.end,
    position: log.position,
    close: log.close,
  };
}

/** Whether an import has notes. */
export async function hasNotes(fs: FileSystem, directory: string, id: number): Promise<boolean> {
  return (await listSegments(fs, directory, notesLog(id))).length > 0;
}

/** The notes of an import as they were read. */
export interface ReadNotes {
  /** Of several notes for one code and business time, the last one counts. */
  readonly find: SeriesStore["find"];
  readonly all: SeriesStore["all"];
  /** Whether some of them cannot be read, so that a record without a note may have replaced another one all the same. */
  readonly damaged: boolean;
}

/** Reads the notes of an import. Changes nothing. */
export async function readNotes(fs: FileSystem, directory: string, { id, storeId, notes }: ImportDocument): Promise<ReadNotes> {
  const kind = notesLog(id);
  const market = createSeriesStore();
  const loader = market.createLoader();
  const highWater = notes ?? undefined;
  const segments = await scanSegments<Observation>(fs, directory, { kind, storeId, decode: decodeObservation, accept: loader.add, highWater });
  loader.finish();
  const lost = findLostEnd(segments, kind, highWater);
  // A torn end was not acknowledged, and so the append that it was for did not follow.
  const damaged = lost !== undefined || segments.some((segment) => !isUnfinished(segment, kind) && segment.scan.damages.length > 0);
  return { find: market.find, all: market.all, damaged };
}
