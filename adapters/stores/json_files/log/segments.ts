import { dirname, join } from "node:path";
import type { Folder } from "../data_directory.ts";
import { type FileSystem, type OpenFile, removeIfThere, writeAll } from "../file_system.ts";
import type { LogEnd } from "./log.ts";
import type { Scan } from "./scan_file.ts";
import { checkOf, logSeed, seal } from "./sealed_line.ts";
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
export async function listSegments(
  fs: FileSystem,
  directory: string,
  kind: string,
): Promise<Pick<Segment, "number" | "name">[]> {
  const found: Pick<Segment, "number" | "name">[] = [];
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

/** What segments are made with. */
export interface SegmentMaker extends Folder {
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
    const end = {
      segment: header.segment,
      length: line.length + 1,
      check: checkOf(line),
      next: header.first,
      generation,
    };
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
