import { constants } from "node:fs";
import * as node from "node:fs/promises";

/** An open file. Writes go to its end, whatever else has the file open. */
export interface OpenFile {
  /** Fills `into` from its start with the bytes at `position`; tells how many there were, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Adds bytes at the end; tells how many went in, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Returns when content and length are on the device. */
  datasync(): Promise<void>;
  /** Returns when content and all metadata are on the device. */
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/**
 * All that the store asks of a file system. Everything on disk goes through it, so that a test can
 * make any call fail. Failures are thrown as Node throws them, with a `code`.
 */
export interface FileSystem {
  /** Opens a file to `read` or `append`, both of which it must exist for, or to `create`, for which it must not. */
  open(path: string, how: "read" | "append" | "create"): Promise<OpenFile>;
  /** Names in a directory. */
  list(directory: string): Promise<string[]>;
  /** Makes a directory, for its owner only, and those above it where missing. */
  makeDirectory(path: string): Promise<void>;
  /** Permission bits of a file or directory. */
  mode(path: string): Promise<number>;
  /** Gives a file a second name; fails with `EEXIST` when there is such a name. */
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns when the names in a directory are on the device. */
  syncDirectory(path: string): Promise<void>;
  /** Marks a file as changed now. */
  touch(path: string): Promise<void>;
  /** When a file was last changed, in milliseconds of that file system's clock. */
  changedAt(path: string): Promise<number>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  // Appending also keeps two writers, should there ever be two, from overwriting each other unseen.
  append: constants.O_RDWR | constants.O_APPEND,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
} as const;

/** The file system of this machine. New files are readable and writable by their owner only. */
export const nodeFileSystem: FileSystem = {
  async open(path, how) {
    const handle = await node.open(path, FLAGS[how], 0o600);
    return {
      read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
      write: async (bytes) => (await handle.write(bytes)).bytesWritten,
      truncate: (length) => handle.truncate(length),
      datasync: () => handle.datasync(),
      sync: () => handle.sync(),
      size: async () => (await handle.stat()).size,
      close: () => handle.close(),
    };
  },
  list: (directory) => node.readdir(directory),
  async makeDirectory(path) {
    await node.mkdir(path, { recursive: true, mode: 0o700 });
  },
  mode: async (path) => (await node.stat(path)).mode,
  link: node.link,
  rename: node.rename,
  remove: node.unlink,
  async syncDirectory(path) {
    if (process.platform === "win32") return; // Has no such call; NTFS journals names by itself.
    const handle = await node.open(path, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async touch(path) {
    const now = new Date();
    await node.utimes(path, now, now);
  },
  changedAt: async (path) => (await node.stat(path)).mtimeMs,
};

/** Writes all bytes. A single write may take fewer than given without an error, e.g. on a disk nearly full. */
export async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await file.write(bytes.subarray(done));
    if (count === 0) throw new Error(`Cannot write ${bytes.length} bytes as the file took only ${done}`);
    done += count;
  }
}

/** Reads `length` bytes at `position`, fewer where the file ends earlier. */
export async function readRange(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** The whole of a small file; `undefined` when there is none. */
export async function readWhole(fs: FileSystem, path: string): Promise<Buffer | undefined> {
  let file: OpenFile;
  try {
    file = await fs.open(path, "read");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return await readRange(file, 0, await file.size());
  } finally {
    await file.close();
  }
}

/** Removes a file; it is no failure when there is none. */
export async function removeIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.remove(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** The `code` of a failed system call, e.g. `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
