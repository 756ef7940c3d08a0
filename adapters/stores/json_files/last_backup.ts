import { join } from "node:path";
import type { UtcMillis } from "../../../core/mod.ts";
import { createHealth } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { readDocument, replaceDocument } from "./replace_document.ts";

const FILE = "last-backup.json";
const PLAN = { kind: "last-backup", schema: 1, remedy: "Remove it" };

/** Writes the time of a backup into the store, unless this process may not write there. */
export async function noteBackup(fs: FileSystem, directory: string, at: UtcMillis): Promise<void> {
  await replaceDocument({ fs, health: createHealth() }, join(directory, FILE), PLAN, { at }).catch(() => {});
}

/** When the last complete backup of a store was taken, or `undefined` if unknown. */
export async function lastBackupOf(directory: string, fs: FileSystem = nodeFileSystem): Promise<UtcMillis | undefined> {
  const note = await readDocument<{ readonly at: UtcMillis }>(fs, join(directory, FILE), PLAN).catch(() => undefined);
  return note?.at;
}
