import { parseObject } from "../../../../core/internal.ts";
import type { Folder } from "../data_directory.ts";
import { DataDamaged, SchemaTooNew } from "../errors.ts";
import { type FileSystem, LINE_FEED, type OpenFile, readAt } from "../file_system.ts";
import type { LogEnd } from "./log.ts";
import type { Scan } from "./scan_file.ts";
import { logSeed, sealProblem } from "./sealed_line.ts";

/** The schema of log files. Earlier schemas were never released. */
export const LOG_SCHEMA = 3;
/** The maximum length of a header that this version writes, without its `kind`. */
const HEADER_BYTES = 130;
/** No version writes a longer header. */
const MAX_HEADER_BYTES = 1_024;

/** The beginning of a log's file. */
export interface SegmentStart {
  readonly kind: string;
  /** Number of the file within its log, from 1. */
  readonly segment: number;
  /** Sequence number of the first line after the header. */
  readonly first: number;
  /** Checksum of the last line of the previous file. Default: there is none. */
  readonly prev?: string;
  /** In a base, the sequence number of the first line after the base. */
  readonly next?: number;
}

/** The first line of a log's file. */
export interface SegmentHeader extends SegmentStart {
  readonly schema: number;
  readonly storeId: string;
}

/** A scanned file of a log. */
export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly path: string;
  readonly scan: Scan;
}

/** Lists the files of a log in order, such as `obs-00000001.ndjson`. */
export async function listSegments(
  fs: FileSystem,
  directory: string,
  kind: string,
): Promise<Pick<Segment, "number" | "name">[]> {
  const found: Pick<Segment, "number" | "name">[] = [];
  for (const name of await fs.list(directory)) {
    const [, log, digits] = FILE_NAME.exec(name) ?? [];
    if (log === kind) found.push({ number: Number(digits), name });
  }
  return found.sort((a, b) => a.number - b.number);
}

const FILE_NAME = /^(.+)-(\d{8})\.ndjson$/;

/** The logs of the files among these names; a log with several files is repeated. */
export function logsIn(names: readonly string[]): string[] {
  return names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
}

/** The name of the file with this number in a log. */
export function segmentName(kind: string, number: number): string {
  return `${kind}-${String(number).padStart(8, "0")}.ndjson`;
}

/** Where the segments after the base of a log begin. */
export interface LogBegin {
  /** Number of the log's first segment. */
  readonly segment: number;
  /** Sequence number of the first line in that segment. */
  readonly next: number;
}

/** Needed to write the files of logs. */
export interface LogWriter extends Folder {
  readonly storeId: string;
  /** Generation of the lock, written into every line. */
  readonly generation: number;
  /** Called when a segment is on disk, before its first line is appended. If this fails, the segment is not begun. */
  readonly onSegment?: ((log: string, end: LogEnd) => Promise<void>) | undefined;
}

/** Reads the header of a log's file, whichever store and log it belongs to; returns `undefined` if it is damaged. */
export async function readSegmentHeader(file: OpenFile): Promise<SegmentHeader | undefined> {
  const start = await readAt(file, 0, MAX_HEADER_BYTES);
  const line = start.subarray(0, Math.max(start.indexOf(LINE_FEED), 0));
  const claim = parseObject(line.toString()) as SegmentHeader | undefined; // Checked in the next line.
  return claim && !sealProblem(line, logSeed(claim.storeId, claim.kind)) ? claim : undefined;
}

/** Throws if a later version has written a file, or if the file belongs to another store or log. */
export function demandOwn(
  path: string,
  { schema, storeId, kind }: SegmentHeader,
  own: Pick<SegmentHeader, "storeId" | "kind">,
): void {
  if (schema > LOG_SCHEMA) throw new SchemaTooNew(path, schema, LOG_SCHEMA);
  if (storeId === own.storeId && kind === own.kind) return;
  const remedy = "Move it out of the directory, or back to where it was";
  throw new DataDamaged(path, `belongs to the store "${storeId}" and its log "${kind}"`, remedy);
}

/** Whether the process ended while it made this file: the header is incomplete, and the file is too short to contain a line. */
export function isUnfinished({ scan }: Segment, kind: string): boolean {
  return scan.header === undefined && scan.lines === 0 && scan.size <= kind.length + HEADER_BYTES;
}
