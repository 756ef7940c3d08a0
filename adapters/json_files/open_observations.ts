import { readCheckpoint, writeCheckpoint } from "./checkpoint/checkpoint.ts";
import { BASE, endOfBase, findBegin, readBase, removeBefore } from "./log/base.ts";
import type { HighWaterMarks } from "./log/high_water.ts";
import { openLog } from "./log/open_log.ts";
import type { LogPlan, OpenedLog } from "./log/open_log.ts";
import type { MarketLine } from "./log/removal_line.ts";
import { createCompactor } from "./maintenance/compact.ts";
import type { Compactor } from "./maintenance/compact.ts";
import type { Manifest } from "./manifest.ts";
import { OBSERVATIONS, createObservations, marketReader } from "./observations.ts";
import type { ObservationLog } from "./observations.ts";
import { damageSuffix } from "./read_store.ts";

/** What the plans of all logs share. */
export type ObservationPlan = Pick<LogPlan<unknown>, "fs" | "health" | "storeId" | "generation" | "segmentBytes" | "now" | "quarantineDirectory">;

/** What a store says of its log of observations. */
export interface ObservationOwner {
  readonly manifest: Manifest;
  readonly marks: HighWaterMarks;
  readonly fastStart: boolean;
}

/** The log of observations, opened for reading and writing. */
export interface OpenedObservations {
  readonly observations: ObservationLog;
  readonly opened: OpenedLog;
  readonly compactor: Compactor;
  /**
   * Removes what an interrupted compaction has left, and begins one that is due. To be called when the whole store is
   * open: one that is refused must stay as it is.
   */
  tidy(): Promise<void>;
}

/** A log of less than this part of a file's largest size, 16 MB by default, is not compacted by itself. */
const SMALL = 4;

/**
 * Reads the log of observations in `directory`, from its checkpoint where that is wanted and fits, and opens it for
 * appending. Adds to `parts` what has to be closed, in the reverse order.
 */
export async function openObservations(
  directory: string,
  plan: ObservationPlan,
  { manifest, marks, fastStart }: ObservationOwner,
  parts: { close(): Promise<void> }[],
): Promise<OpenedObservations> {
  const { fs, health, storeId, generation, segmentBytes } = plan;
  const { market, reader, finish } = marketReader();
  const resume = fastStart ? await readCheckpoint(fs, directory, manifest, market) : undefined;
  const base = resume
    ? { begin: await findBegin(fs, directory), segment: undefined, damages: [] }
    : await readBase<MarketLine>(fs, directory, { storeId, ...reader }, marks.of(BASE));
  const { begin } = base;
  const known = { resume, base, begin, highWater: marks.of(OBSERVATIONS), onSegment: marks.record };
  const opened = await openLog<MarketLine>({ ...plan, directory, kind: OBSERVATIONS, strict: false, ...reader, ...known });
  finish();
  const { log, damages, readOnly } = opened;
  const soundBase = base.damages.length === 0 ? base.segment : undefined;
  if (soundBase) marks.set(BASE, endOfBase(soundBase));

  async function checkpoint(): Promise<void> {
    const end = log.end();
    const isCovered = end.next === resume?.next && end.segment === resume.segment;
    if (!fastStart || health.failed || damages.length > 0 || isCovered) return;
    // Without a checkpoint, the next start is only slower.
    await writeCheckpoint(fs, directory, manifest, market, end).catch(() => {});
  }
  const mark = async (): Promise<void> => marks.set(OBSERVATIONS, log.end());
  const compactor = createCompactor({ fs, health, directory, storeId, generation, log, market, marks, begin, damages: damages.length });
  async function tidy(): Promise<void> {
    if (readOnly) return;
    // The base's name is on the device, as the log was prepared.
    if (soundBase) await removeBefore(fs, directory, OBSERVATIONS, soundBase.number);
    compactor.compactAtStart(segmentBytes / SMALL);
  }

  parts.push({ close: checkpoint }, { close: mark }, log);
  return { observations: createObservations(log, market, manifest.epoch, damageSuffix(damages)), opened, compactor, tidy };
}
