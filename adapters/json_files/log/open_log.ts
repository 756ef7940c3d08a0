import { join } from "node:path";
import { Unavailable } from "../../../core/mod.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { DataDamaged } from "../errors.ts";
import { codeOf, lineAt, readAt, removeIfThere, writeAll } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import type { ReadBase } from "./base.ts";
import { MISSING, TORN } from "./damage.ts";
import type { Damage, FileDamage } from "./damage.ts";
import { createDeferredLog } from "./deferred_log.ts";
import { findLostEnd } from "./high_water.ts";
import { createLog } from "./log.ts";
import type { Log, LogEnd, LogStart } from "./log.ts";
import { MAX_APPEND_BYTES } from "./log_lines.ts";
import { quarantine } from "./quarantine.ts";
import { LOG_SCHEMA } from "./segment_header.ts";
import { createSegment, isUnfinished, scanSegments } from "./segments.ts";
import type { Segment, SegmentMaker, SegmentsPlan } from "./segments.ts";

/** How a log is opened. */
export interface LogPlan<T> extends SegmentsPlan<T>, SegmentMaker {
  /** Where damaged bytes are copied to. */
  readonly quarantineDirectory: string;
  /** Generation of the lock. */
  readonly generation: number;
  readonly segmentBytes: number;
  readonly now: UtcMillis;
  /** Whether the log is refused for any damage but a torn end: right for counters, of which none may be missing. */
  readonly strict: boolean;
  /** The log's base, as it was read. */
  readonly base?: ReadBase | undefined;
}

/** An opened log, and what was found in it. */
export interface OpenedLog {
  readonly log: Log;
  /** Lines that cannot be served; their bytes are copied to the quarantine. */
  readonly damages: readonly FileDamage[];
  /** The unacknowledged end, where there was one. It was cut off, or is before the first append. */
  readonly torn: FileDamage | undefined;
  /** Why nothing can be appended just now. Each append tries again. */
  readonly readOnly: Unavailable | undefined;
}

const LINE_FEED = 10;
const GROUP_END = Buffer.from('"e":1,"k":"');

/**
 * Reads a log and prepares it for writing: a torn end is copied to the quarantine and cut off, bad lines are copied
 * there and left in place, and all is synced, as what only the page cache holds must not be served and then vanish.
 * Throws `DataDamaged`, and changes nothing, where that could lose acknowledged data. Where nothing can be written,
 * e.g. as the disk is full, the log can be read all the same.
 */
export async function openLog<T>(plan: LogPlan<T>): Promise<OpenedLog> {
  const { fs, health, directory, kind, highWater } = plan;
  const segments = await scanSegments(fs, directory, plan);
  const lost = findLostEnd(segments, kind, highWater, plan.begin);
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, kind) ? segments.pop() : undefined;
  const last = segments.at(-1);
  const damages = [...(plan.base?.damages ?? []), ...segments.flatMap((segment) => damagesOf(segment, segment === last))];
  if (lost) damages.push(lost);
  if (plan.strict && damages.length > 0) await refuse(fs, join(directory, damages[0]!.file), damages[0]!);
  // Not even its header can be read.
  if (last?.scan.torn && last.scan.end === 0) await refuse(fs, last.path, last.scan.torn);
  if (last?.scan.torn && !(await isOneGroup(fs, last, last.scan.torn))) await refuse(fs, last.path, last.scan.torn);

  const prepareFiles = createPreparation(plan, segments, unfinished);
  const prepare = (): Promise<Log> =>
    prepareFiles().catch((error: unknown) => {
      health.refused(kind, `Nothing can be written: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    });
  const torn = last?.scan.torn && { ...last.scan.torn, file: last.name };
  try {
    return { log: await prepare(), damages, torn, readOnly: undefined };
  } catch (error) {
    // A failed sync stops the store, and a mistake in the program must not look like a full disk.
    if (health.failed || !(error instanceof Unavailable || codeOf(error) !== undefined)) throw error;
    const readOnly = error instanceof Unavailable ? error : new Unavailable(`Nothing can be written: ${String(error)}`, 5, { cause: error });
    return { log: createDeferredLog(health, endOf(plan, last), prepare), damages, torn, readOnly };
  }
}

/** Makes what brings the files of a log into the state in which lines can be appended. May be tried again. */
function createPreparation<T>(plan: LogPlan<T>, segments: readonly Segment[], unfinished: Segment | undefined): () => Promise<Log> {
  const { fs, health, directory, kind, storeId, segmentBytes, onSegment } = plan;
  const last = segments.at(-1);
  const end = endOf(plan, last);
  // The lock counts from 1 again in a restored store or a copy, to which its files were not copied.
  const generation = Math.max(plan.generation, end.generation);
  let isCopied = false;

  async function copyDamages(): Promise<void> {
    for (const segment of plan.base?.segment ? [plan.base.segment, ...segments] : segments) {
      const unserved = segment.scan.damages.filter((damage) => damage.length > 0);
      if (segment.scan.torn) unserved.push(segment.scan.torn);
      if (unserved.length > 0) await copyToQuarantine(plan, segment, unserved);
    }
    const size = unfinished?.scan.size ?? 0;
    if (unfinished && size > 0) await copyToQuarantine(plan, unfinished, [{ offset: 0, length: size, reason: TORN }]);
    isCopied = true;
  }

  return async () => {
    if (!isCopied) await copyDamages();
    if (unfinished) await removeIfThere(fs, unfinished.path);
    // Before the file is opened, as a failure here would leave it open.
    await health.synced(fs.syncDirectory(directory));
    const header = { kind, schema: LOG_SCHEMA, storeId, segment: end.segment, first: end.next, prev: end.check };
    const begun = last ? await openLast(plan, last, end) : await createSegment(plan, header, end.generation);
    return createLog({ fs, health, directory, onSegment, kind, storeId, generation, segmentBytes, ...begun });
  };
}

/**
 * Where a log goes on: behind its last good line, and behind the sequence numbers of lines that are known to be lost.
 * Where a file is lost, of which nobody knows the lines, a number is left out: so the loss shows at every start.
 */
function endOf<T>({ highWater, begin }: LogPlan<T>, last: Segment | undefined): LogEnd {
  const isFileLost = (last?.number ?? 0) < Math.max(highWater?.segment ?? 0, begin?.segment ?? 0);
  const next = Math.max((last?.scan.next ?? begin?.next ?? 1) + (isFileLost ? 1 : 0), highWater?.next ?? 1);
  if (!last) return { segment: begin?.segment ?? 1, length: 0, check: highWater?.check ?? "00000000", next, generation: highWater?.generation ?? 0 };
  const { end, check, generation } = last.scan;
  return { segment: last.number, length: end, check, next, generation };
}

/** Only the last segment can end in a torn write: each other one was synced before the next was begun. */
function damagesOf({ name, scan }: Segment, isLast: boolean): FileDamage[] {
  const all = scan.torn && !isLast ? [...scan.damages, scan.torn] : scan.damages;
  return all.map((damage) => ({ ...damage, file: name }));
}

async function copyToQuarantine<T>(plan: LogPlan<T>, { path, name }: Segment, damages: readonly Damage[]): Promise<void> {
  const { fs, health, storeId, now } = plan;
  const file = await fs.open(path, "read");
  try {
    await quarantine(fs, file, damages, { path: join(plan.quarantineDirectory, name), file: name, storeId, now, health });
  } finally {
    await file.close();
  }
}

async function openLast<T>({ fs, health }: LogPlan<T>, { path, scan }: Segment, end: LogEnd): Promise<Pick<LogStart, "file" | "end" | "schema">> {
  const file = await fs.open(path, "append");
  let length = Math.min(end.length, scan.size);
  try {
    if (scan.torn) await file.truncate(length);
    const [lastByte] = await readAt(file, length - 1, 1);
    if (lastByte !== LINE_FEED) {
      // What stays in place, damaged or only without its line feed, must not merge with the next line.
      await writeAll(file, Uint8Array.of(LINE_FEED));
      length++;
    }
    await health.synced(file.sync());
  } catch (error) {
    await file.close();
    throw error;
  }
  // Of a damaged header nothing is known.
  return { file, end: { ...end, length }, schema: scan.header?.schema ?? 1 };
}

/**
 * Whether a torn end is at most one write. More than that means that acknowledged data cannot be read, or that the
 * reader is wrong: neither must lead to a cut that nobody has asked for.
 */
export async function isOneGroup(fs: FileSystem, { path }: Segment, torn: Damage): Promise<boolean> {
  if (torn.length > MAX_APPEND_BYTES) return false;
  const file = await fs.open(path, "read");
  try {
    const bytes = await readAt(file, torn.offset, torn.length);
    const groupEnd = bytes.indexOf(GROUP_END);
    const lineEnd = groupEnd === -1 ? -1 : bytes.indexOf(10, groupEnd);
    return lineEnd === -1 || lineEnd === bytes.length - 1;
  } finally {
    await file.close();
  }
}

async function refuse(fs: FileSystem, path: string, { offset, length, reason }: Damage): Promise<never> {
  const bytes = length === 0 ? "" : ` (${length} bytes)`;
  const problem = reason === MISSING ? reason : `is damaged at line ${await lineAt(fs, path, offset)}, byte ${offset}${bytes}: ${reason}`;
  throw new DataDamaged(path, problem, "Restore a backup, or run the repair command, which keeps the damaged bytes");
}
