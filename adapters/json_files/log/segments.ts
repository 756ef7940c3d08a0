import { dirname, join } from "node:path";
import type { Health } from "../errors.ts";
import { removeIfThere, writeAll } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import type { Damage } from "./damage.ts";
import { checkOf, logSeed, seal } from "./line.ts";
import type { LogEnd } from "./log.ts";
import { scanFile } from "./scan.ts";
import type { Scan, ScanPlan } from "./scan.ts";
import { demandKnownSchema, demandNotForeign } from "./segment_header.ts";
import type { SegmentHeader } from "./segment_header.ts";

/** A header without its `kind` is no longer than this. */
const HEADER_BYTES = 130;

/** A file of a log, scanned. */
export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly path: string;
  readonly scan: Scan;
}

/** Lists the files of a log in order, e.g. `obs-00000001.ndjson`. */
export async function listSegments(fs: FileSystem, directory: string, kind: string): Promise<{ number: number; name: string }[]> {
  const found: { number: number; name: string }[] = [];
  for (const name of await fs.list(directory)) {
    const digits = name.startsWith(`${kind}-`) ? /^(\d{8})\.ndjson$/.exec(name.slice(kind.length + 1))?.[1] : undefined;
    if (digits) found.push({ number: Number(digits), name });
  }
  return found.sort((a, b) => a.number - b.number);
}

/** The names of the logs of which there are files among these names. */
export function logsIn(names: readonly string[]): string[] {
  const kinds = names.map((name) => /^(.+)-\d{8}\.ndjson$/.exec(name)?.[1]);
  return [...new Set(kinds.filter((kind) => kind !== undefined))].sort();
}

/** The name of a log's file with this number. */
export function segmentName(kind: string, number: number): string {
  return `${kind}-${String(number).padStart(8, "0")}.ndjson`;
}

/** Where a log begins behind its base. */
export interface LogBegin {
  /** Number of its first segment. */
  readonly segment: number;
  /** Sequence number of its first line. */
  readonly next: number;
}

/** How the files of a log are read. */
interface SegmentsPlan<T> extends Omit<ScanPlan<T>, "first" | "generation" | "synced"> {
  /** Default: segment 1 and line 1. */
  readonly begin?: LogBegin | undefined;
  /** How far the log went at the last clean stop. */
  readonly mark?: LogEnd | undefined;
}

/** Reads the files of a log in order; changes nothing. */
export async function scanSegments<T>(fs: FileSystem, directory: string, plan: SegmentsPlan<T>): Promise<Segment[]> {
  const segments: Segment[] = [];
  const { mark, begin, ...whole } = plan;
  for (const { number, name } of await listSegments(fs, directory, plan.kind)) {
    if (number < (begin?.segment ?? 0)) continue;
    const path = join(directory, name);
    const file = await fs.open(path, "read");
    try {
      const before = segments.at(-1);
      const first = before?.scan.next ?? begin?.next ?? 1;
      const scan = await scanFile(file, { ...whole, first, generation: before?.scan.generation, synced: syncedOf(number, mark) });
      if (scan.header) demandKnownSchema(path, scan.header);
      else await demandNotForeign(fs, path, plan.storeId);
      segments.push({ number, name, path, scan: { ...scan, damages: [...linkDamages(number, scan, before, plan), ...scan.damages] } });
    } finally {
      await file.close();
    }
  }
  return segments;
}

/** What segments are made with. */
export interface SegmentMaker {
  readonly fs: FileSystem;
  readonly health: Health;
  readonly directory: string;
  /** Called when a segment is on the device and before the first line is appended to it. A failure undoes it. */
  readonly onSegment?: ((log: string, end: LogEnd) => Promise<void>) | undefined;
}

/**
 * Makes the next file of a log with its header; resolves when both content and name are on the device.
 *
 * @param generation That of the last line before, 0 where there is none.
 */
export async function createSegment(
  { fs, health, directory, onSegment }: SegmentMaker,
  header: SegmentHeader,
  generation: number,
): Promise<{ file: OpenFile; end: LogEnd }> {
  const path = join(directory, segmentName(header.kind, header.segment));
  // An earlier try may have left one: there was no such file when the log was read, and only the process that owns the directory makes any.
  await removeIfThere(fs, path);
  const line = seal(JSON.stringify(header).slice(0, -1), logSeed(header.storeId, header.kind));
  const file = await fs.open(path, "create");
  try {
    await writeAll(file, Buffer.from(`${line}\n`));
    await health.synced(file.sync());
    await health.synced(fs.syncDirectory(dirname(path)));
    const end = { segment: header.segment, length: line.length + 1, check: checkOf(line), next: header.first, generation };
    await onSegment?.(header.kind, end);
    return { file, end };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Whether the process ended while it made this file: the header is incomplete, and there is no room for a line. */
export function isUnfinished({ scan }: Segment, kind: string): boolean {
  return scan.header === undefined && scan.lines === 0 && scan.size <= kind.length + HEADER_BYTES;
}

/** How many bytes of a segment are known to have been synced. */
function syncedOf(number: number, mark: LogEnd | undefined): number {
  if (!mark || number > mark.segment) return 0;
  return number === mark.segment ? mark.length : Infinity;
}

/** Damage between a segment and the one before: a missing file, or one that took another one's place. */
function linkDamages<T>(number: number, { header }: Scan, before: Segment | undefined, { kind, begin }: SegmentsPlan<T>): Damage[] {
  const damages: Damage[] = [];
  const expected = before ? before.number + 1 : (begin?.segment ?? 1);
  if (number !== expected) damages.push({ offset: 0, length: 0, reason: `${segmentName(kind, expected)} is missing before it` });
  // Each header holds the checksum of the last line before it.
  const isOther = before && header && header.prev !== before.scan.check;
  if (isOther) damages.push({ offset: 0, length: 0, reason: "does not go on where the file before ends" });
  return damages;
}
