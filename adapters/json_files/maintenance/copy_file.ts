import { createHash } from "node:crypto";
import { readAt, readWhole, writeAll } from "../fs.ts";
import type { FileSystem } from "../fs.ts";

/** Identifies the content of a file: its length, and the SHA-256 of its bytes as hex digits. */
export interface FileDigest {
  readonly length: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1 << 20;

/** Copies a file, or its first `length` bytes, to a new one. Resolves when they are on the device. */
export async function copyFile(fs: FileSystem, from: string, to: string, length = Infinity): Promise<FileDigest> {
  const source = await fs.open(from, "read");
  try {
    const target = await fs.open(to, "create");
    try {
      const hash = createHash("sha256");
      let done = 0;
      for (;;) {
        const bytes = await readAt(source, done, Math.min(CHUNK_BYTES, length - done));
        if (bytes.length === 0) break;
        hash.update(bytes);
        await writeAll(target, bytes);
        done += bytes.length;
      }
      await target.sync();
      return { length: done, sha256: hash.digest("hex") };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The digest of a small file. */
export async function digestOf(fs: FileSystem, path: string): Promise<FileDigest> {
  const bytes = (await readWhole(fs, path)) ?? Buffer.alloc(0);
  return { length: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
