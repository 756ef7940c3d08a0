import { join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";
import type { Health } from "../errors.ts";
import { codeOf, type FileSystem, type OpenFile, readAt, readRange, writeAll } from "../file_system.ts";
import type { FileDamage } from "./damage.ts";

const LINE_FEED = 10;

/** Where bytes that are cut off a log are copied to. */
export interface Quarantine {
  readonly fs: FileSystem;
  readonly health: Health;
  readonly quarantineDirectory: string;
  readonly now: UtcMillis;
}

/**
 * Copies bytes of the file at `from` that are about to be cut off to the quarantine, as a JSON line with file, offset, length, reason, time
 * and the bytes in base 64; resolves when they are on the device. The program never deletes them.
 */
export async function quarantine(
  { fs, health, quarantineDirectory, now }: Quarantine,
  from: string,
  { file: name, offset, length, reason }: FileDamage,
): Promise<void> {
  const bytes = await readRange(fs, from, offset, length);
  const note = { file: name, offset, length, reason, at: formatTimestamp(now), b64: bytes.toString("base64") };
  const file = await openForAppending(fs, join(quarantineDirectory, name));
  try {
    const size = await file.size();
    const isCutShort = size > 0 && (await readAt(file, size - 1, 1))[0] !== LINE_FEED; // by a crash
    await writeAll(file, Buffer.from(`${isCutShort ? "\n" : ""}${JSON.stringify(note)}\n`));
    await health.synced(file.sync());
  } finally {
    await file.close();
  }
  await health.synced(fs.syncDirectory(quarantineDirectory));
}

async function openForAppending(fs: FileSystem, path: string): Promise<OpenFile> {
  try {
    return await fs.open(path, "append");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return fs.open(path, "create");
  }
}
