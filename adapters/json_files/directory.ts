import { dirname, join, resolve } from "node:path";
import { StoreError } from "./errors.ts";
import type { Health } from "./errors.ts";
import { codeOf } from "./fs.ts";
import type { FileSystem } from "./fs.ts";

/** The directories of a store. */
export const PLACES = ["obs", "accounts", "quota", "quarantine"] as const;

/** Name of the file that makes a directory a backup. */
export const BACKUP = "BACKUP.json";

/** Makes a store's directories where they are missing. Throws where no store must be written to. */
export async function prepareDirectory(fs: FileSystem, health: Health, directory: string): Promise<void> {
  const present = await listOrNone(fs, directory);
  if (present.includes(BACKUP)) {
    // Its sums would be wrong then, and its versions those of the store it was taken from.
    throw new StoreError(`Cannot open "${directory}" as it is a backup. Make a store of it with the restore command`, 65);
  }
  for (const name of PLACES) if (!present.includes(name)) await fs.makeDirectory(join(directory, name));
  if (process.platform !== "win32" && ((await fs.mode(directory)) & 0o002) !== 0) {
    throw new StoreError(`Cannot open the store as everybody may write to "${directory}". Take that right away: chmod o-w`, 78);
  }
  const above = dirname(resolve(directory));
  // Where we may not look into it, somebody else made the directory, long before.
  const aboveSynced = fs.syncDirectory(above).catch((error: unknown) => (codeOf(error) === "EACCES" ? undefined : Promise.reject(error)));
  await Promise.all([health.synced(fs.syncDirectory(directory)), health.synced(aboveSynced)]);
}

async function listOrNone(fs: FileSystem, directory: string): Promise<readonly string[]> {
  try {
    return await fs.list(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
