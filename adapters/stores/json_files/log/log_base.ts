import { join } from "node:path";
import type { Entry } from "../../price_state/entries.ts";
import { inBatches } from "../../shared/store_copying.ts";
import { listOrNone } from "../data_directory.ts";
import { codeOf, type FileSystem, sizeOf } from "../file_system.ts";
import { encodeEntries } from "./entry_line.ts";
import type { LogEnd } from "./log.ts";
import { type LogGroups, type LogWriter, writeLogFile } from "./log_file.ts";
import {
  type LogBegin,
  listSegments,
  readSegmentHeader,
  type Segment,
  type SegmentStart,
  segmentName,
} from "./segments.ts";

// The base of a log stands for all segments before the one whose number it has: `base-00000006.ndjson` and the segments
// from 6 on are the log, and whatever is left of older files is not read. It gets its name when it is complete and
// synced, and is not changed after that. Its lines are those of a log, with numbers of their own, from 1.

/** Name of the log of observations, the only one that has a base. */
export const OBSERVATIONS = "obs";

/** Name of its base. */
export const BASE = "base";

/** A file of a log. */
export interface LogFile {
  readonly name: string;
  readonly size: number;
}

/** The number of the last base, which is that of the first segment behind it; 0 where there is none. */
export async function baseNumber(fs: FileSystem, directory: string): Promise<number> {
  return (await listSegments(fs, directory, BASE)).at(-1)?.number ?? 0;
}

/** The files that a log is made of, in order: its base, where it has one, and its segments. */
export async function listLogFiles(fs: FileSystem, directory: string, kind: string): Promise<LogFile[]> {
  const base = await baseNumber(fs, directory);
  const names = (await listSegments(fs, directory, kind)).flatMap(({ number, name }) => (number >= base ? [name] : []));
  if (base > 0) names.unshift(segmentName(BASE, base));
  return Promise.all(names.map(async (name) => ({ name, size: await sizeOf(fs, join(directory, name)) })));
}

/** Where a log begins behind its base; `undefined` where it has none. */
export async function findBegin(fs: FileSystem, directory: string): Promise<LogBegin | undefined> {
  const segment = await baseNumber(fs, directory);
  if (segment === 0) return undefined;
  const header = await readSegmentHeader(fs, join(directory, segmentName(BASE, segment)));
  return { segment, next: header?.next ?? 1 };
}

/** Where a base ends, for its mark. */
export function endOfBase({ number, scan }: Segment): LogEnd {
  const { size, check, next, generation } = scan;
  return { segment: number, length: size, check, next, generation };
}

/**
 * Writes the base of a log whose first segment behind it begins at `begin`. Records that are changed meanwhile may be
 * in it as they were or as they are: the segment holds their last line.
 */
export function writeBase(
  writer: LogWriter & Pick<SegmentStart, "storeId">,
  begin: LogBegin,
  groups: LogGroups,
): Promise<LogEnd> {
  const start = { kind: BASE, storeId: writer.storeId, segment: begin.segment, first: 1, next: begin.next };
  return writeLogFile(writer, start, groups);
}

/** Removes the files that a base stands for. What cannot be removed stays, is not read, and goes with the next try. */
export async function removeBefore(fs: FileSystem, directory: string, base: number): Promise<void> {
  for (const log of [OBSERVATIONS, BASE]) {
    for (const { number, name } of await listSegments(fs, directory, log))
      if (number < base) await fs.remove(join(directory, name)).catch(() => {});
  }
}

/** How often files are read of which one is missing, before that is an error. */
const MAX_TRIES = 4;

/**
 * Reads files of a store that another process owns, and reads them again when that has compacted the log in `directory` or removed
 * files of old days.
 */
export async function whileFilesStay<T>(fs: FileSystem, directory: string, read: () => Promise<T>): Promise<T> {
  const numberNow = (): Promise<number> => baseNumber({ ...fs, list: (path) => listOrNone(fs, path) }, directory);
  for (let tries = 1; ; tries++) {
    const before = await numberNow();
    const [outcome] = await Promise.allSettled([read()]);
    if ((await numberNow()) !== before) continue;
    if (outcome.status === "fulfilled") return outcome.value;
    if (codeOf(outcome.reason) !== "ENOENT" || tries === MAX_TRIES) throw outcome.reason;
  }
}

/** Lines written in a turn of the event loop: a thousand records, so that a server answers in between. */
const TURN_LINES = 20;

/** The lines of entries in groups. Calls `progress` with the number of records in each group. */
export async function* groupsOf(
  entries: AsyncIterable<Entry>,
  progress: (records: number) => void = () => undefined,
): AsyncGenerator<string[]> {
  for await (const group of inBatches(entries, TURN_LINES)) {
    yield encodeEntries(group);
    progress(group.reduce((sum, entry) => sum + ("records" in entry ? entry.records.length : 0), 0));
  }
}
