import { join } from "node:path";
import type { FileSystem, OpenFile } from "../fs.ts";
import type { LogPosition } from "../log/log.ts";
import { OBSERVATIONS } from "../observations.ts";
import type { Document } from "../replace.ts";
import { listLogs, listSegments } from "../log/segments.ts";

/** A file of a store, by its path in there, and how much of it counts. */
export interface FileMark {
  readonly file: string;
  readonly length: number;
}

/** A store at one moment: all that had been acknowledged by then, and nothing besides. */
export interface StoreMark {
  readonly storeId: string;
  readonly accounts: Document;
  /** The files of all logs. They only ever grow, so up to these lengths they can be read at any time after. */
  readonly files: readonly FileMark[];
}

/** The directory that a log's files are in. */
export function placeOf(log: string): string {
  return log === OBSERVATIONS ? "obs" : "quota";
}

/**
 * Marks all logs at the moment in which `note` tells where those that are open stand: it may wait for
 * that moment, but not any more once it has looked at the first.
 */
export async function markFiles(
  fs: FileSystem,
  directory: string,
  note: () => Promise<ReadonlyMap<string, LogPosition>>,
): Promise<FileMark[]> {
  const marks = new Map<string, FileMark[]>();
  for (const log of await listLogs(fs, join(directory, "quota"))) marks.set(log, await filesOf(fs, directory, log));
  // Logs that are not open by then have not changed since.
  for (const [log, position] of await note()) marks.set(log, await filesOf(fs, directory, log, position));
  return [...marks.values()].flat();
}

/** A store as it was when it was marked: what came after is not to be seen. */
export function asMarked(fs: FileSystem, directory: string, { files }: StoreMark): FileSystem {
  const lengths = new Map(files.map(({ file, length }) => [join(directory, file), length]));
  return {
    ...fs,
    list: async (place) => (await fs.list(place)).filter((name) => lengths.has(join(place, name))),
    async open(path, how) {
      const file = await fs.open(path, how);
      return limited(file, lengths.get(path) ?? Infinity);
    },
  };
}

async function filesOf(fs: FileSystem, directory: string, log: string, position?: LogPosition): Promise<FileMark[]> {
  const place = placeOf(log);
  const marks: FileMark[] = [];
  for (const { number, name } of await listSegments(fs, join(directory, place), log)) {
    if (position && number > position.segment) break;
    const length = number === position?.segment ? position.length : await sizeOf(fs, join(directory, place, name));
    marks.push({ file: `${place}/${name}`, length });
  }
  return marks;
}

async function sizeOf(fs: FileSystem, path: string): Promise<number> {
  const file = await fs.open(path, "read");
  try {
    return await file.size();
  } finally {
    await file.close();
  }
}

function limited(file: OpenFile, length: number): OpenFile {
  return {
    ...file,
    async read(into, position) {
      const rest = Math.max(0, length - position);
      return rest === 0 ? 0 : file.read(into.subarray(0, rest), position);
    },
    size: async () => Math.min(length, await file.size()),
  };
}
