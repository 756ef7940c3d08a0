import { constants } from "node:fs";
import * as node from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { codeOf, StoreError } from "../shared/store_error.ts";

/** An open file. Each write appends, even if another process has the file open. */
export interface OpenFile {
  /** Reads bytes at `position` into the start of `into`. Returns the number of bytes read, 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Appends bytes; returns how many were written, possibly not all. */
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Resolves when content and length are on disk. */
  datasync(): Promise<void>;
  /** Resolves when content and all metadata are on disk. */
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** An open directory. `sync` writes its file names to the disk without another file descriptor. */
export type OpenDirectory = Pick<OpenFile, "sync" | "close">;

/** How a file is opened. `read` and `append` need a regular file; `create` fails if the file exists. */
export type OpenMode = "read" | "append" | "create";

/**
 * The file system as the store uses it. All access to data goes through this interface, so a test can make any call
 * fail. Calls throw the errors of Node, with a `code`. The store needs a POSIX system with hard links, Unix sockets,
 * permission bits and syncs of directories.
 */
export interface FileSystem {
  open(path: string, how: OpenMode): Promise<OpenFile>;
  list(directory: string): Promise<string[]>;
  /** Makes a directory and its missing parents. Only the owner may access the new directories. */
  makeDirectory(path: string): Promise<void>;
  mode(path: string): Promise<number>;
  /** Gives a file a second name; fails with `EEXIST` when the name exists. */
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Opens a directory before files in it are added or removed. Syncing it later needs no further descriptor. */
  openDirectory(path: string): Promise<OpenDirectory>;
  syncDirectory(path: string): Promise<void>;
  /** Free bytes in the file system of a directory. Absent: unknown. */
  freeBytes?(directory: string): Promise<number>;
}

/** The last byte of a line. */
export const LINE_FEED = 10;
const CHUNK_BYTES = 1 << 20;

const FLAGS = {
  // With O_NONBLOCK, opening a pipe returns at once.
  read: constants.O_RDONLY | constants.O_NONBLOCK,
  // With O_APPEND, two writers cannot overwrite each other's bytes.
  append: constants.O_RDWR | constants.O_APPEND,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
} as const;

/** The file system of this machine. New files are accessible only to their owner. */
export const nodeFileSystem: FileSystem = {
  async open(path, how) {
    const handle = await openRegular(path, how);
    return {
      read: async (into, position) => (await named(path, handle.read(into, 0, into.length, position))).bytesRead,
      write: async (bytes) => (await named(path, handle.write(bytes))).bytesWritten,
      truncate: (length) => named(path, handle.truncate(length)),
      datasync: () => named(path, handle.datasync()),
      sync: () => named(path, handle.sync()),
      size: async () => (await named(path, handle.stat())).size,
      close: () => named(path, handle.close()),
    };
  },
  list: (directory) => node.readdir(directory),
  async makeDirectory(path) {
    const first = await node.mkdir(path, { recursive: true, mode: 0o700 });
    for (let made = first; made !== undefined; made = nextBelow(made, path)) await giveToOwner(made);
  },
  mode: async (path) => (await node.stat(path)).mode,
  link: node.link,
  rename: node.rename,
  remove: node.unlink,
  async openDirectory(path) {
    const handle = await node.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    return { sync: () => named(path, handle.sync()), close: () => handle.close() };
  },
  async syncDirectory(path) {
    const directory = await nodeFileSystem.openDirectory(path);
    await directory.sync().finally(() => directory.close());
  },
  async freeBytes(directory) {
    const { bavail, bsize } = await node.statfs(directory);
    return bavail * bsize;
  },
};

/** Gives a directory or socket made by root to the owner of its parent directory, who may run the server. */
export async function giveToOwner(path: string): Promise<void> {
  const owner = await ownerAround(path);
  // Does not follow links, because that owner may have put a link in the place of the directory or socket.
  if (owner) await node.lchown(path, owner.uid, owner.gid);
}

/** The owner of a path's parent directory. `undefined` if this process is not root, or the owner is root. */
async function ownerAround(path: string): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  const owner = process.getuid?.() === 0 ? await node.stat(dirname(path)) : undefined;
  return owner?.uid === 0 ? undefined : owner;
}

/** The child of `above` on the way to `path`, or `undefined` if both are the same directory. */
function nextBelow(above: string, path: string): string | undefined {
  const [name] = relative(above, path).split(sep);
  return name === undefined || name === "" ? undefined : join(above, name);
}

async function openRegular(path: string, how: OpenMode): Promise<node.FileHandle> {
  const handle = await node.open(path, FLAGS[how], 0o600);
  if (how === "create") {
    const owner = await ownerAround(path);
    if (owner) await handle.chown(owner.uid, owner.gid);
    return handle;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new StoreError(`Cannot read "${path}" because it is not a regular file`, 65);
}

/** Adds the path to the error of a call on an open file, as Node does for `open`. */
function named<T>(path: string, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    throw error instanceof Error
      ? Object.assign(new Error(`${error.message} '${path}'`, { cause: error }), { code: codeOf(error) })
      : error;
  });
}

/** Writes all bytes. A single write may write fewer bytes without an error, e.g. on a nearly full disk. */
export async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const count = await file.write(bytes.subarray(done));
    if (count === 0) throw new Error(`Cannot write ${bytes.length} bytes because only ${done} were accepted`);
    done += count;
  }
}

/** Reads `length` bytes at `position`, or fewer at the end of the file. */
export async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Opens a file for `use`, and closes it afterwards. */
export async function withFile<T>(
  fs: FileSystem,
  path: string,
  how: OpenMode,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await fs.open(path, how);
  return use(file).finally(() => file.close());
}

/** Reads `length` bytes of a file at `position`, or fewer at its end. */
export function readRange(fs: FileSystem, path: string, position: number, length: number): Promise<Buffer> {
  return withFile(fs, path, "read", (file) => readAt(file, position, length));
}

/** The result of a call, or `undefined` if the file or directory does not exist. */
export function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

/** The number of the line with this byte, counted from 1. */
export async function lineAt(fs: FileSystem, path: string, offset: number): Promise<number> {
  if (offset === 0) return 1; // Also succeeds if the file is missing.
  return withFile(fs, path, "read", async (file) => {
    let line = 1;
    for (let position = 0; position < offset; position += CHUNK_BYTES) {
      const bytes = await readAt(file, position, Math.min(CHUNK_BYTES, offset - position));
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) line++;
    }
    return line;
  });
}

/** The size of a file in bytes. */
export function sizeOf(fs: FileSystem, path: string): Promise<number> {
  return withFile(fs, path, "read", (file) => file.size());
}

/** Removes a file if it exists. */
export async function removeIfThere(fs: FileSystem, path: string): Promise<void> {
  await ifThere(fs.remove(path));
}
