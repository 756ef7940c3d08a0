import { createHash } from "node:crypto";
import { readAt, writeAll } from "../fs.ts";
import type { FileSystem, OpenFile, OpenMode } from "../fs.ts";

/** Identifies the content of a file: its length, and the SHA-256 of its bytes as hex digits. */
export interface FileDigest {
  readonly length: number;
  readonly sha256: string;
}

/** How a file is read. */
export interface ReadOptions {
  /** Bytes after which the file is not read on. Default: none. */
  readonly atMost?: number;
  /** Default: `read`. */
  readonly mode?: OpenMode;
}

const CHUNK_BYTES = 1 << 20;

/** Copies a file to a new one. Resolves when the copy is on the device. */
export async function copyFile(fs: FileSystem, from: string, to: string, options: ReadOptions = {}): Promise<FileDigest> {
  return withFile(fs, from, options.mode, async (source) => {
    const target = await fs.open(to, "create");
    try {
      const digest = await digestChunks(source, options.atMost, (bytes) => writeAll(target, bytes));
      await target.sync();
      return digest;
    } finally {
      await target.close();
    }
  });
}

/** The digest of a file. */
export async function digestOf(fs: FileSystem, path: string, options: ReadOptions = {}): Promise<FileDigest> {
  return withFile(fs, path, options.mode, (file) => digestChunks(file, options.atMost, async () => {}));
}

async function withFile<T>(fs: FileSystem, path: string, mode: OpenMode = "read", use: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await fs.open(path, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function digestChunks(file: OpenFile, atMost = Infinity, take: (bytes: Buffer) => Promise<void>): Promise<FileDigest> {
  const hash = createHash("sha256");
  let length = 0;
  for (;;) {
    const bytes = await readAt(file, length, Math.min(CHUNK_BYTES, atMost - length));
    if (bytes.length === 0) return { length, sha256: hash.digest("hex") };
    hash.update(bytes);
    await take(bytes);
    length += bytes.length;
  }
}
