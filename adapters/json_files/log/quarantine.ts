import { dirname } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { Health } from "../errors.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { codeOf, readAt, readWhole, writeAll } from "../fs.ts";
import { TORN } from "./damage.ts";
import type { Damage } from "./damage.ts";

/** Where damaged bytes of one file are copied to. */
export interface QuarantineTarget {
  readonly path: string;
  /** Name of the file that they come from. */
  readonly file: string;
  readonly storeId: string;
  readonly now: UtcMillis;
  readonly health: Health;
}

/**
 * Copies damaged bytes of `from` to the quarantine, one JSON line each: file, offset, length, reason, time and the
 * bytes in base 64; resolves when they are on the device. The program never deletes them. Damage that stays in its
 * file is found again at each start, and copied once.
 */
export async function quarantine(fs: FileSystem, from: OpenFile, damages: readonly Damage[], target: QuarantineTarget): Promise<void> {
  const { path, file: name, storeId, now, health } = target;
  const before = (await readWhole(fs, path))?.toString("latin1") ?? "";
  const whole = before.slice(0, before.lastIndexOf("\n") + 1);
  const copied = new Set(whole.split("\n").map((line) => line.slice(0, line.indexOf(KEY_END))));
  // A torn end may come again at the same place with other bytes.
  const fresh = damages.filter((damage) => damage.reason === TORN || !copied.has(keyOf(name, damage)));
  if (fresh.length > 0) {
    const file = await openForAppending(fs, path);
    try {
      // Ends a line that a crash cut short.
      let text = whole === before ? "" : "\n";
      if (whole === "") text += `${JSON.stringify({ kind: "quarantine", schema: 1, storeId })}\n`;
      for (const damage of fresh) {
        const end = `"b64":"${(await readAt(from, damage.offset, damage.length)).toString("base64")}"}\n`;
        if (copied.has(keyOf(name, damage)) && whole.includes(end)) continue;
        text += `${keyOf(name, damage)}${KEY_END}${formatTimestamp(now)}",${end}`;
        if (text.length < WRITE_LENGTH) continue;
        await writeAll(file, Buffer.from(text));
        text = "";
      }
      await writeAll(file, Buffer.from(text));
      await health.synced(file.sync());
    } finally {
      await file.close();
    }
  }
  // Also where all was copied by an earlier try, which may have failed here.
  await health.synced(fs.syncDirectory(dirname(path)));
}

/** Lines are gathered into writes of this length, as there may be many of them. */
const WRITE_LENGTH = 1 << 20;
/** What follows the key of a line. A key does not hold it, as quotes in a reason are escaped. */
const KEY_END = ',"at":"';

/** The part of a line that tells one damage from another. */
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
