import { join } from "node:path";
import type { UtcMillis } from "../../../core/mod.ts";
import { DataDamaged } from "../errors.ts";
import type { Health } from "../errors.ts";
import { readAt, writeAll } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { createLog } from "./log.ts";
import type { Log } from "./log.ts";
import { MAX_APPEND_BYTES } from "./log_lines.ts";
import { quarantine } from "./quarantine.ts";
import { TORN } from "./scan.ts";
import type { Damage, ScanPlan } from "./scan.ts";
import { LOG_SCHEMA } from "./segment_header.ts";
import { createSegment, isUnfinished, scanSegments } from "./segments.ts";
import type { Segment } from "./segments.ts";

/** How a log is opened. */
export interface LogPlan<T> {
  readonly fs: FileSystem;
  readonly health: Health;
  readonly directory: string;
  /** Where damaged bytes are copied to. */
  readonly quarantineDirectory: string;
  /** Name of the log, with which its files begin. */
  readonly kind: string;
  readonly storeId: string;
  readonly generation: number;
  readonly segmentBytes: number;
  readonly now: UtcMillis;
  /** Whether the log is refused for any damage but a torn end: right for counters, of which none may be missing. */
  readonly strict: boolean;
  readonly fastParser?: ScanPlan<T>["fastParser"];
  readonly resume?: ScanPlan<T>["resume"];
  decode(line: object): T | undefined;
  accept(record: T, sequence: number): void;
}

/** Damage with the name of its file. */
export interface FileDamage extends Damage {
  readonly file: string;
}

/** An opened log, and what was found in it. */
export interface OpenedLog {
  readonly log: Log;
  /** Lines that cannot be served; their bytes are copied to the quarantine. */
  readonly damages: readonly FileDamage[];
  /** The unacknowledged end that was cut off, where there was one. */
  readonly torn: FileDamage | undefined;
}

const LINE_FEED = 10;
const GROUP_END = Buffer.from('"e":1,"k":"');

/**
 * Reads a log and prepares it for writing: a torn end is copied to the quarantine and cut off, bad lines are copied
 * there and left in place, and all is synced, as what only the page cache holds must not be served and then vanish.
 * Throws `DataDamaged`, and changes nothing, where that could lose acknowledged data.
 */
export async function openLog<T>(plan: LogPlan<T>): Promise<OpenedLog> {
  const { fs, health, directory, kind, storeId, segmentBytes } = plan;
  const segments = await scanSegments(fs, directory, plan);
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, kind) ? segments.pop() : undefined;
  const last = segments.at(-1);
  // The lock counts from 1 again in a restored store or a copy, to which its files were not copied.
  const generation = Math.max(plan.generation, last?.scan.generation ?? 0);
  const damages = segments.flatMap((segment) => damagesOf(segment, segment === last));
  if (plan.strict && damages.length > 0) refuse(join(directory, damages[0]!.file), damages[0]!);
  // Not even its header can be read.
  if (last?.scan.torn && last.scan.end === 0) refuse(last.path, last.scan.torn);
  if (last?.scan.torn && !(await isOneGroup(fs, last, last.scan.torn))) refuse(last.path, last.scan.torn);

  for (const segment of segments) {
    const unserved = segment.scan.damages.filter((damage) => damage.length > 0);
    if (segment.scan.torn) unserved.push(segment.scan.torn);
    if (unserved.length > 0) await copyToQuarantine(plan, segment, unserved);
  }
  if (unfinished) {
    if (unfinished.scan.size > 0) await copyToQuarantine(plan, unfinished, [{ offset: 0, length: unfinished.scan.size, reason: TORN }]);
    await fs.remove(unfinished.path);
  }
  // Before the file is opened, as a failure here would leave it open.
  await health.synced(fs.syncDirectory(directory));
  const start = last
    ? { ...(await openLast(plan, last)), segment: last.number, next: last.scan.next }
    : { ...(await createSegment(fs, health, directory, firstHeader(kind, storeId))), segment: 1, next: 1 };
  const torn = last?.scan.torn && { ...last.scan.torn, file: last.name };
  const lastGeneration = last?.scan.generation ?? 0;
  const log = createLog({ fs, health, directory, kind, storeId, generation, segmentBytes, lastGeneration, ...start });
  return { log, damages, torn };
}

function firstHeader(kind: string, storeId: string) {
  return { kind, schema: LOG_SCHEMA, storeId, segment: 1, first: 1, prev: "00000000" };
}

/** Only the last segment can end in a torn write: each other one was synced before the next was begun. */
function damagesOf({ name, scan }: Segment, isLast: boolean): FileDamage[] {
  const all = scan.torn && !isLast ? [...scan.damages, scan.torn] : scan.damages;
  return all.map((damage) => ({ ...damage, file: name }));
}

async function copyToQuarantine(plan: LogPlan<never> | LogPlan<unknown>, segment: Segment, damages: readonly Damage[]): Promise<void> {
  const path = join(plan.quarantineDirectory, segment.name);
  const file = await plan.fs.open(segment.path, "read");
  try {
    await quarantine(plan.fs, file, damages, { path, file: segment.name, storeId: plan.storeId, now: plan.now });
  } finally {
    await file.close();
  }
}

async function openLast<T>({ fs, health }: LogPlan<T>, { path, scan }: Segment) {
  const file = await fs.open(path, "append");
  let offset = scan.end;
  try {
    if (scan.torn) await file.truncate(offset);
    const [lastByte] = await readAt(file, offset - 1, 1);
    if (lastByte !== LINE_FEED) {
      // Damage that stays in place must not merge with the next line.
      await writeAll(file, Uint8Array.of(LINE_FEED));
      offset++;
    }
    await health.synced(file.sync());
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, offset, check: scan.check };
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

function refuse(path: string, { offset, length, reason }: Damage): never {
  throw new DataDamaged(
    path,
    `is damaged at byte ${offset} (${length} bytes): ${reason}`,
    "Restore a backup, or run the repair command, which keeps the damaged bytes",
  );
}
