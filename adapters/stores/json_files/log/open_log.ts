import { join } from "node:path";
import type { UtcMillis } from "../../../../core/mod.ts";
import { DataDamaged } from "../errors.ts";
import { type FileSystem, LINE_FEED, lineAt, readAt, removeIfThere, writeAll } from "../file_system.ts";
import { type FileDamage, MISSING, TORN } from "./damage.ts";
import { createLog, type LogEnd } from "./log.ts";
import { createSegment } from "./log_file.ts";
import { quarantine } from "./quarantine.ts";
import { type ReadLog, type ReadPlan, readLog } from "./read_log.ts";
import type { LogWriter, Segment } from "./segments.ts";

/** How a log is opened. */
export interface LogPlan<T> extends ReadPlan<T>, LogWriter {
  readonly now: UtcMillis;
  readonly segmentBytes: number;
  /** Whether any damage except an incomplete last write prevents opening. True for the logs of counters. */
  readonly strict: boolean;
}

/**
 * Reads a log and prepares it for writing. Cuts off an incomplete last write, after copying it to the quarantine. Syncs
 * everything, because data that is only in the page cache could vanish after it was served. Bad lines are listed in
 * `damages` and not removed. If cutting could lose acknowledged data, throws `DataDamaged` and changes nothing.
 */
export async function openLog<T>(plan: LogPlan<T>) {
  const { fs, health, directory, kind } = plan;
  const read = await readLog(fs, directory, plan);
  const { base, begin, segments, unfinished, damages, torn, unreadable } = read;
  const refused = plan.strict ? damages[0] : unreadable;
  if (refused) await refuse(fs, join(directory, refused.file), refused);
  const last = segments.at(-1);
  if (torn) await quarantine(plan, last!.path, torn);
  if (unfinished) {
    const { name: file, path, scan } = unfinished;
    if (scan.size > 0) await quarantine(plan, path, { file, offset: 0, length: scan.size, reason: TORN });
    await removeIfThere(fs, path);
  }
  // The directory is synced before the file is opened, because a failure after that would leave the file open.
  await health.synced(fs.syncDirectory(directory));
  const end = endOf(plan, read);
  // In a restored or copied store, the generation of the lock counts from 1 again.
  const maker = { ...plan, generation: Math.max(plan.generation, end.generation) };
  const start = { kind, segment: end.segment, first: end.next, prev: end.check };
  const begun = last ? await openLast(plan, last, end) : await createSegment(maker, start);
  return { base, begin, damages, torn, log: createLog({ ...maker, ...begun }) };
}

/**
 * The number of the next line: that of the last good line, plus the lost lines, plus one. If the loss is unknown, one
 * sequence number is skipped, so that every start reports the loss.
 */
function endOf<T>({ marks = {}, kind }: LogPlan<T>, { begin, segments, unfinished, next: read }: ReadLog): LogEnd {
  const mark = marks[kind];
  const last = segments.at(-1);
  // An unfinished file counts as lost only if its mark says that it was complete.
  const highest = unfinished && unfinished.number > (mark?.segment ?? 0) ? unfinished.number : (last?.number ?? 0);
  const isFileLost = highest < Math.max(mark?.segment ?? 0, begin?.segment ?? 0);
  const next = Math.max(read + (isFileLost ? 1 : 0), mark?.next ?? 1);
  const { end: length = 0, check = mark?.check ?? "00000000", generation = mark?.generation ?? 0 } = last?.scan ?? {};
  return { segment: last?.number ?? begin?.segment ?? 1, length, check, next, generation };
}

async function openLast<T>({ fs, health }: LogPlan<T>, { path, scan }: Segment, end: LogEnd) {
  const file = await fs.open(path, "append");
  let length = Math.min(end.length, scan.size);
  try {
    if (scan.torn) await file.truncate(length);
    const [lastByte] = await readAt(file, length - 1, 1);
    if (lastByte !== LINE_FEED) {
      // A damaged last line, or one that lacks its line feed, must not merge with the next line.
      await writeAll(file, Uint8Array.of(LINE_FEED));
      length++;
    }
    await health.synced(file.sync());
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, end: { ...end, length } };
}

async function refuse(fs: FileSystem, path: string, { offset, length, reason }: FileDamage): Promise<never> {
  const bytes = length === 0 ? "" : ` (${length} bytes)`;
  const problem =
    reason === MISSING
      ? reason
      : `is damaged at line ${await lineAt(fs, path, offset)}, byte ${offset}${bytes}: ${reason}`;
  throw new DataDamaged(path, problem, "Restore a backup, or run the repair command, which keeps the damaged bytes");
}
