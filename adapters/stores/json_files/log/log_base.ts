import { join } from "node:path";
import type { Entry } from "../../price_state/entries.ts";
import { inBatches } from "../../shared/store_copying.ts";
import { codeOf } from "../../shared/store_error.ts";
import { listOrNone } from "../data_directory.ts";
import { type FileSystem, withFile } from "../file_system.ts";
import { encodeEntries } from "./entry_line.ts";
import { type LogBegin, listSegments, readSegmentHeader, segmentName } from "./segments.ts";

// The base `base-00000006.ndjson` replaces all segments before number 6, which are no longer read.
// A base gets its name when it is complete and synced. After that, the base never changes.
// The lines of a base have the same form as the lines of a segment, and are numbered from 1.

/** The log of observations, the only one with a base. */
export const OBSERVATIONS = "obs";

/** The name of the base in the log of observations. */
export const BASE = "base";

/** The number of the last base, and of the first segment after it; 0 if the log has no base. */
export async function baseNumber(fs: FileSystem, directory: string): Promise<number> {
  return (await listSegments(fs, directory, BASE)).at(-1)?.number ?? 0;
}

/** Where the segments after the base of a log begin; `undefined` if the log has no base. */
export async function findBegin(fs: FileSystem, directory: string): Promise<LogBegin | undefined> {
  const segment = await baseNumber(fs, directory);
  if (segment === 0) return undefined;
  const header = await withFile(fs, join(directory, segmentName(BASE, segment)), "read", readSegmentHeader);
  return { segment, next: header?.next ?? 1 };
}

/** Removes the files that a base replaces. A file that cannot be removed is no longer read; the next base removes it. */
export async function removeBefore(fs: FileSystem, directory: string, base: number): Promise<void> {
  for (const log of [OBSERVATIONS, BASE]) {
    for (const { number, name } of await listSegments(fs, directory, log))
      if (number < base) await fs.remove(join(directory, name)).catch(() => {});
  }
}

/** The maximum number of tries if a file is missing. */
const MAX_TRIES = 4;

/** Reads files of a store. Starts again if the owner compacts the log or removes old days during the read. */
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

/** Lines made in one turn of the event loop: at most a thousand records. A server answers requests between turns. */
const TURN_LINES = 20;

/** Makes groups of lines from entries. Calls `progress` with the number of records in each group. */
export async function* groupsOf(
  entries: AsyncIterable<Entry>,
  progress: (records: number) => void = () => undefined,
): AsyncGenerator<string[]> {
  for await (const group of inBatches(entries, TURN_LINES)) {
    yield encodeEntries(group);
    progress(group.reduce((sum, entry) => sum + ("records" in entry ? entry.records.length : 0), 0));
  }
}
