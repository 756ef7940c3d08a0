import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PLACES } from "../directory.ts";
import { StoreError } from "../errors.ts";
import { codeOf, readRange, readWhole, writeAll } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { temporaryName } from "../replace.ts";

/** What a file holds: its length, and the SHA-256 of its bytes as hex digits. */
export interface FileSum {
  readonly length: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1 << 20;

/** Copies a file, or its first `length` bytes, to a new one; returns when they are on the device. */
export async function copyFile(fs: FileSystem, from: string, to: string, length = Infinity): Promise<FileSum> {
  const source = await fs.open(from, "read");
  try {
    const target = await fs.open(to, "create");
    try {
      const hash = createHash("sha256");
      let done = 0;
      for (;;) {
        const bytes = await readRange(source, done, Math.min(CHUNK_BYTES, length - done));
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

/** The sum of a small file. */
export async function sumOf(fs: FileSystem, path: string): Promise<FileSum> {
  const bytes = (await readWhole(fs, path)) ?? Buffer.alloc(0);
  return { length: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/**
 * Makes a directory with those of a store in it. It appears under its name when `fill` is done and all
 * is on the device, or not at all. There must be nothing of that name, or an empty directory.
 */
export async function buildDirectory<T>(fs: FileSystem, path: string, fill: (temporary: string) => Promise<T>): Promise<T> {
  const target = resolve(path);
  if ((await namesIn(fs, target))?.length) throw new StoreError(`Cannot write to "${path}" as it is not empty`, 64);
  // It is not made here, as its own name would have to be brought to the device, and so on above it.
  if (!(await namesIn(fs, dirname(target)))) throw new StoreError(`Cannot write to "${path}" as there is no directory to hold it`, 64);
  const temporary = temporaryName(target);
  try {
    for (const place of PLACES) await fs.makeDirectory(join(temporary, place));
    const result = await fill(temporary);
    for (const place of PLACES) await fs.syncDirectory(join(temporary, place));
    await fs.syncDirectory(temporary);
    await fs.rename(temporary, target);
    await fs.syncDirectory(dirname(target));
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function namesIn(fs: FileSystem, directory: string): Promise<string[] | undefined> {
  try {
    return await fs.list(directory);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}
