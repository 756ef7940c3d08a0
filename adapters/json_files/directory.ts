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
  for (const name of PLACES) await fs.makeDirectory(join(directory, name));
  if ((await fs.list(directory)).includes(BACKUP)) {
    // Its sums would be wrong then, and its versions those of the store it was taken from.
    throw new StoreError(`Cannot open "${directory}" as it is a backup. Make a store of it with the restore command`, 65);
  }
  if (process.platform !== "win32" && ((await fs.mode(directory)) & 0o002) !== 0) {
    throw new StoreError(`Cannot open the store as everybody may write to "${directory}". Take that right away: chmod o-w`, 78);
  }
  await health.synced(fs.syncDirectory(directory));
  const above = dirname(resolve(directory));
  // Where we may not look into it, somebody else made the directory, long before.
  await health.synced(fs.syncDirectory(above).catch((error: unknown) => (codeOf(error) === "EACCES" ? undefined : Promise.reject(error))));
}
