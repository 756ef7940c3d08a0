import { dirname, join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";
import type { Health } from "../errors.ts";
import { codeOf, type FileSystem, type OpenFile, readAt, writeAll } from "../file_system.ts";
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
 * Copies bytes of `from` that are about to be cut off to the quarantine, as a JSON line with file, offset, length, reason, time
 * and the bytes in base 64; resolves when they are on the device. The program never deletes them.
 */
export async function quarantine(
  { fs, health, quarantineDirectory, now }: Quarantine,
  from: OpenFile,
  damage: FileDamage,
): Promise<void> {
  const path = join(quarantineDirectory, damage.file);
  const file = await openForAppending(fs, path);
  try {
    const { offset, length, reason } = damage;
    const note = {
      file: damage.file,
      offset,
      length,
      reason,
      at: formatTimestamp(now),
      b64: (await readAt(from, offset, length)).toString("base64"),
    };
    const size = await file.size();
    const isCutShort = size > 0 && (await readAt(file, size - 1, 1))[0] !== LINE_FEED; // by a crash
    await writeAll(file, Buffer.from(`${isCutShort ? "\n" : ""}${JSON.stringify(note)}\n`));
    await health.synced(file.sync());
  } finally {
    await file.close();
  }
  await health.synced(fs.syncDirectory(dirname(path)));
}

async function openForAppending(fs: FileSystem, path: string): Promise<OpenFile> {
  try {
    return await fs.open(path, "append");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return fs.open(path, "create");
  }
}
