import { join } from "node:path";
import { logDirectory } from "../directory.ts";
import { codeOf } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import type { ImportDocument } from "../imports/import_files.ts";
import type { LogPosition } from "../log/log.ts";
import { listLogFiles } from "../log/base.ts";
import { listLogs, segmentName } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import type { Document } from "../replace.ts";

/** The state of a store at one moment: all that was acknowledged by then, and nothing else. */
export interface PointInTime {
  readonly manifest: Manifest;
  readonly accounts: Document;
  /** The imports that can be read. Each is as it was before its notes were listed among the files, which so reach as far. */
  readonly imports: readonly ImportDocument[];
  /** The files of all logs. They only grow, so the bytes up to these lengths can be read at any later time. */
  readonly files: readonly FileLength[];
}

/** A file of a store, by its path in the store, and how many of its bytes belong to a point in time. */
export interface FileLength {
  readonly file: string;
  readonly length: number;
}

/**
 * The files of all logs and their lengths at the moment at which `positions` reads where the open logs
 * stand. `positions` may wait for that moment, but not between two logs.
 */
export async function logFilesAt(
  fs: FileSystem,
  directory: string,
  positions: () => Promise<ReadonlyMap<string, LogPosition>>,
): Promise<FileLength[]> {
  const files = new Map<string, FileLength[]>();
  for (const folder of ["quota", "imports"]) {
    for (const log of await listLogs(fs, join(directory, folder)).catch(noneWhereMissing)) files.set(log, await filesOf(fs, directory, log));
  }
  // A log that is not open at that moment has not changed since it was listed.
  for (const [log, position] of await positions()) files.set(log, await filesOf(fs, directory, log, position));
  return [...files.values()].flat();
}

/** A file system that shows of a store only these files, up to these lengths: as it was at a point in time. */
export function fileSystemAt(fs: FileSystem, directory: string, files: readonly FileLength[]): FileSystem {
  const lengths = new Map(files.map(({ file, length }) => [join(directory, file), length]));
  return {
    ...fs,
    list: async (path) => (await fs.list(path)).filter((name) => lengths.has(join(path, name))),
    async open(path, how) {
      const file = await fs.open(path, how);
      return limited(file, lengths.get(path) ?? Infinity);
    },
  };
}

function noneWhereMissing(error: unknown): string[] {
  if (codeOf(error) !== "ENOENT") throw error;
  return []; // A store of an earlier version that is read-only.
}

async function filesOf(fs: FileSystem, directory: string, log: string, position?: LogPosition): Promise<FileLength[]> {
  const folder = logDirectory(log);
  const files = await listLogFiles(fs, join(directory, folder), log, position?.segment);
  const last = position && segmentName(log, position.segment);
  return files.map(({ name, size }) => ({ file: `${folder}/${name}`, length: name === last ? position!.length : size }));
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
