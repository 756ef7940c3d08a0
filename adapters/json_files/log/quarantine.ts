import { dirname } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { codeOf, readRange, readWhole, writeAll } from "../fs.ts";
import type { Damage } from "./scan_types.ts";

/** Where damaged bytes of one file are kept, and since when. */
export interface Quarantine {
  readonly path: string;
  /** Name of the file they come from. */
  readonly file: string;
  readonly storeId: string;
  readonly now: UtcMillis;
}

/**
 * Copies damaged bytes of `from` to the quarantine, one JSON line each: file, offset, length, reason
 * and the bytes in base 64; returns when they are on the device. The program never deletes them.
 * Damage that stays in its file is found again at each start, and noted once.
 */
export async function quarantine(fs: FileSystem, from: OpenFile, damages: readonly Damage[], place: Quarantine): Promise<void> {
  const before = (await readWhole(fs, place.path))?.toString("latin1") ?? "";
  const noted = before.slice(0, before.lastIndexOf("\n") + 1);
  const fresh = damages.filter((damage) => damage.reason === TORN || !noted.includes(noteOf(place.file, damage)));
  if (fresh.length === 0) return;
  const target = await openForAppending(fs, place.path);
  try {
    if (noted === "") {
      const header = { kind: "quarantine", schema: 1, storeId: place.storeId };
      await writeAll(target, Buffer.from(`${JSON.stringify(header)}\n`));
    }
    // Ends a line that a crash cut short.
    if (noted !== before) await writeAll(target, Buffer.from("\n"));
    for (const damage of fresh) {
      const bytes = await readRange(from, damage.offset, damage.length);
      const line = `${noteOf(place.file, damage)},"at":"${formatTimestamp(place.now)}","b64":"${bytes.toString("base64")}"}\n`;
      await writeAll(target, Buffer.from(line));
    }
    await target.sync();
  } finally {
    await target.close();
  }
  await fs.syncDirectory(dirname(place.path));
}

/** The reason given for a group that a write did not get through. */
export const TORN = "torn write";

function noteOf(file: string, { offset, length, reason }: Damage): string {
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
