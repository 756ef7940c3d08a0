import { dirname, join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";
import type { Folder } from "../data_directory.ts";
import { ifThere, LINE_FEED, readAt, readRange, writeAll } from "../file_system.ts";
import type { FileDamage } from "./damage.ts";

/**
 * Copies bytes of the file `from` to the quarantine of the store before they are cut off. Writes a JSON line: file,
 * offset, length, reason, time, and the bytes in base 64. Resolves when the copy is on disk. The program never deletes
 * such copies.
 */
export async function quarantine(
  { fs, health, directory, now }: Folder & { readonly now: UtcMillis },
  from: string,
  { file: name, offset, length, reason }: FileDamage,
): Promise<void> {
  const bytes = await readRange(fs, from, offset, length);
  const note = { file: name, offset, length, reason, at: formatTimestamp(now), b64: bytes.toString("base64") };
  const kept = join(dirname(directory), "quarantine");
  const path = join(kept, name);
  const file = (await ifThere(fs.open(path, "append"))) ?? (await fs.open(path, "create"));
  try {
    const size = await file.size();
    const isCutShort = size > 0 && (await readAt(file, size - 1, 1))[0] !== LINE_FEED; // by a crash
    await writeAll(file, Buffer.from(`${isCutShort ? "\n" : ""}${JSON.stringify(note)}\n`));
    await health.synced(file.sync());
  } finally {
    await file.close();
  }
  await health.synced(fs.syncDirectory(kept));
}
