import { join } from "node:path";
import { type FileSystem, LINE_FEED, readRange, withFile } from "../file_system.ts";
import type { FileDamage } from "./damage.ts";
import { MAX_GROUP_BYTES } from "./group.ts";
import type { LogEnd } from "./log.ts";
import { BASE, findBegin, OBSERVATIONS } from "./log_base.ts";
import { findLostEnd } from "./log_end_marks.ts";
import { type ScanPlan, scanFile } from "./scan_file.ts";
import {
  demandOwn,
  isUnfinished,
  type LogBegin,
  listSegments,
  readSegmentHeader,
  type Segment,
  segmentName,
} from "./segments.ts";

/** How a log is read. */
export interface ReadPlan<T> extends Omit<ScanPlan<T>, "first" | "generation" | "synced"> {
  /** The marks of the store, by the name of the log. Default: none. */
  readonly marks?: Readonly<Record<string, LogEnd | undefined>> | undefined;
}

/** The content of a log's files. */
export interface ReadLog {
  readonly base: Segment | undefined;
  readonly begin: LogBegin | undefined;
  readonly segments: readonly Segment[];
  /** A last file with an incomplete header. */
  readonly unfinished: Segment | undefined;
  /** Unreadable places, in the order of the files. `unreadable` is the last of them. */
  readonly damages: readonly FileDamage[];
  /** An incomplete write at the end, which was never acknowledged. */
  readonly torn: FileDamage | undefined;
  /** An unreadable end that is not an incomplete write, and may hold acknowledged data. */
  readonly unreadable: FileDamage | undefined;
  /** The number that the next line will get. */
  readonly next: number;
}

const GROUP_END = Buffer.from('"e":1,"k":"');

/**
 * Reads the files of a log, beginning with its base. Changes nothing. All records of the base get the number of the
 * last line before the first segment. With lower numbers, versions would repeat after a compaction.
 */
export async function readLog<T>(
  fs: FileSystem,
  directory: string,
  { kind, storeId, marks = {}, decode, accept }: ReadPlan<T>,
): Promise<ReadLog> {
  const plan = { storeId, decode, accept };
  const begin = kind === OBSERVATIONS ? await findBegin(fs, directory) : undefined;
  const damages: (FileDamage | undefined)[] = [];
  let base: Segment | undefined;
  if (begin) {
    // The base was synced before it got its name, so damage in it is never an incomplete write.
    const ofBase = { kind: BASE, first: 1, synced: Infinity };
    const acceptBase = (record: T): void => accept(record, begin.next - 1);
    base = await scanSegment(fs, directory, begin.segment, { ...plan, ...ofBase, accept: acceptBase });
    damages.push(...damagesOf(base), tornOf(base));
  }
  if (kind === OBSERVATIONS) damages.push(findLostEnd(base ? [base] : [], BASE, marks[BASE]));

  const mark = marks[kind];
  const segments: Segment[] = [];
  for (const { number } of await listSegments(fs, directory, kind)) {
    if (number < (begin?.segment ?? 0)) continue;
    const { next: first = begin?.next ?? 1, generation = 0 } = segments.at(-1)?.scan ?? {};
    const synced = syncedOf(number, mark);
    segments.push(await scanSegment(fs, directory, number, { ...plan, kind, first, generation, synced }));
  }
  const lost = findLostEnd(segments, kind, mark, begin);
  const unfinished = segments.length > 0 && isUnfinished(segments.at(-1)!, kind) ? segments.pop() : undefined;
  const last = segments.at(-1);
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1];
    const expected = before ? before.number + 1 : (begin?.segment ?? 1);
    damages.push(...linkDamages(segment, before, segmentName(kind, expected)), ...damagesOf(segment));
    // Only the last segment can end in an incomplete write: a segment is synced before the next one is begun.
    if (segment !== last) damages.push(tornOf(segment));
  }
  const end = last && tornOf(last);
  const isTorn = end !== undefined && end.offset > 0 && (await isOneGroup(fs, last!, end));
  const unreadable = isTorn ? undefined : end;
  damages.push(lost, unreadable);
  return {
    ...{ base, begin, segments, unfinished, unreadable },
    damages: damages.filter((damage) => damage !== undefined),
    torn: isTorn ? end : undefined,
    next: last?.scan.next ?? begin?.next ?? 1,
  };
}

async function scanSegment<T>(fs: FileSystem, directory: string, number: number, plan: ScanPlan<T>): Promise<Segment> {
  const name = segmentName(plan.kind, number);
  const path = join(directory, name);
  const scan = await withFile(fs, path, "read", async (file) => {
    const header = await readSegmentHeader(file);
    if (header) demandOwn(path, header, plan);
    return scanFile(file, plan);
  });
  return { number, name, path, scan };
}

function damagesOf({ name, scan }: Segment): FileDamage[] {
  return scan.damages.map((damage) => ({ ...damage, file: name }));
}

function tornOf({ name, scan: { torn } }: Segment): FileDamage | undefined {
  return torn && { ...torn, file: name };
}

/** How many bytes of a segment were certainly synced. */
function syncedOf(number: number, mark: LogEnd | undefined): number {
  if (!mark || number > mark.segment) return 0;
  return number === mark.segment ? mark.length : Infinity;
}

/** Damage between a segment and the previous one: a missing file, or another file in its place. */
function linkDamages({ name, scan: { header } }: Segment, before: Segment | undefined, expected: string): FileDamage[] {
  const damages: FileDamage[] = [];
  const place = { file: name, offset: 0, length: 0 };
  if (name !== expected) damages.push({ ...place, reason: `${expected} is missing before it` });
  // Each header has the checksum of the last line before this header.
  const isOther = before && header && header.prev !== before.scan.check;
  if (isOther) damages.push({ ...place, reason: "does not continue where the previous file ends" });
  return damages;
}

/** Whether an unreadable end can be a single write. Otherwise it could hold acknowledged data, and must be kept. */
async function isOneGroup(fs: FileSystem, { path }: Segment, torn: FileDamage): Promise<boolean> {
  if (torn.length > MAX_GROUP_BYTES) return false;
  const bytes = await readRange(fs, path, torn.offset, torn.length);
  const groupEnd = bytes.indexOf(GROUP_END);
  const lineEnd = groupEnd === -1 ? -1 : bytes.indexOf(LINE_FEED, groupEnd);
  return lineEnd === -1 || lineEnd === bytes.length - 1;
}
