import { dirname } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { codeOf, readAt, readWhole, writeAll } from "../fs.ts";
import { TORN } from "./scan.ts";
import type { Damage } from "./scan.ts";

/** Where damaged bytes of one file are copied to. */
export interface QuarantineTarget {
  readonly path: string;
  /** Name of the file that they come from. */
  readonly file: string;
  readonly storeId: string;
  readonly now: UtcMillis;
}

/**
 * Copies damaged bytes of `from` to the quarantine, one JSON line each: file, offset, length, reason, time and the
 * bytes in base 64; resolves when they are on the device. The program never deletes them. Damage that stays in its
 * file is found again at each start, and copied once.
 */
export async function quarantine(fs: FileSystem, from: OpenFile, damages: readonly Damage[], target: QuarantineTarget): Promise<void> {
  const { path, file: name, storeId, now } = target;
  const before = (await readWhole(fs, path))?.toString("latin1") ?? "";
  const whole = before.slice(0, before.lastIndexOf("\n") + 1);
  const fresh = damages.filter((damage) => damage.reason === TORN || !whole.includes(keyOf(name, damage)));
  if (fresh.length === 0) return;
  const file = await openForAppending(fs, path);
  try {
    if (whole === "") {
      const header = { kind: "quarantine", schema: 1, storeId };
      await writeAll(file, Buffer.from(`${JSON.stringify(header)}\n`));
    }
    // Ends a line that a crash cut short.
    if (whole !== before) await writeAll(file, Buffer.from("\n"));
    for (const damage of fresh) {
      const bytes = await readAt(from, damage.offset, damage.length);
      const line = `${keyOf(name, damage)},"at":"${formatTimestamp(now)}","b64":"${bytes.toString("base64")}"}\n`;
      await writeAll(file, Buffer.from(line));
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await fs.syncDirectory(dirname(path));
}

/** How the line of a damage begins. */
function keyOf(file: string, { offset, length, reason }: Damage): string {
  return JSON.stringify({ file, offset, length, reason }).slice(0, -1);
}

async function openForAppending(fs: FileSystem, path: string): Promise<OpenFile> {
  try {
    return await fs.open(path, "append");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return fs.open(path, "create");
  }
}
