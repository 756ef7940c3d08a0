import { join } from "node:path";
import type { DayUsage } from "../../shared/store.ts";
import type { Folder } from "../data_directory.ts";
import type { LogEnd } from "../log/log.ts";
import { OBSERVATIONS, writeBase } from "../log/log_base.ts";
import { type LogGroups, writeLogFile } from "../log/log_file.ts";
import { textLines } from "../log/log_lines.ts";
import { LOG_SCHEMA } from "../log/segment_header.ts";
import { createSegment, type LogBegin, segmentName } from "../log/segments.ts";
import { encodeQuotaLines, quotaLog } from "../quota/quota_line.ts";

/** What whole logs are written with. */
export interface WritePlan extends Folder {
  readonly storeId: string;
  readonly generation: number;
}

/** Writes all records as the base of the log of observations, and the empty file with which the log goes on. Resolves to the ends of both. */
export async function writeObservations(
  { fs, health, directory, storeId, generation }: WritePlan,
  begin: LogBegin,
  groups: LogGroups,
): Promise<{ readonly base: LogEnd; readonly log: LogEnd }> {
  const files = join(directory, "obs");
  const base = await writeBase(fs, files, groups, { begin, storeId, generation, isOwner: () => !health.failed });
  await health.synced(fs.syncDirectory(files));
  const header = {
    kind: OBSERVATIONS,
    schema: LOG_SCHEMA,
    storeId,
    segment: begin.segment,
    first: begin.next,
    prev: "00000000",
  };
  const { file, end: log } = await createSegment({ fs, health, directory: files }, header, generation);
  await file.close();
  return { base, log };
}

/** Writes the counters of a day as the only file of their log, in place of its first one. */
export function writeCounters(plan: WritePlan, { day, accounts }: Pick<DayUsage, "day" | "accounts">): Promise<LogEnd> {
  const lines = accounts.flatMap((used) => encodeQuotaLines("u", used));
  return writeLog(
    plan,
    { folder: "quota", kind: quotaLog(day) },
    lines.map((line) => textLines([line])),
  );
}

/** Writes a log as one file, its first. */
export function writeLog(
  { fs, health, directory, storeId, generation }: WritePlan,
  { folder, kind }: { readonly folder: string; readonly kind: string },
  groups: LogGroups,
): Promise<LogEnd> {
  const header = { kind, schema: LOG_SCHEMA, storeId, segment: 1, first: 1, prev: "00000000" };
  return writeLogFile(fs, join(directory, folder, segmentName(kind, 1)), groups, {
    header,
    generation,
    isOwner: () => !health.failed,
  });
}
