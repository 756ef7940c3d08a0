import { dirname, join, resolve } from "node:path";
import { codeOf, StoreError } from "../shared/store_error.ts";
import { DataDamaged, type Health } from "./errors.ts";
import { type FileSystem, ifThere } from "./file_system.ts";

/** The subdirectories with data. */
export const DATA_FOLDERS = ["obs", "accounts", "quota"] as const;

/** The subdirectories of a store. */
export const SUBDIRECTORIES = [...DATA_FOLDERS, "quarantine"] as const;

/** The subdirectory for the state of mirrors, which is created when a mirror first saves its state. */
export const MIRROR = "mirror";

/** A directory for writing. */
export interface Folder {
  readonly fs: FileSystem;
  /** Shared by all parts of the store. A failed sync stops the whole store. */
  readonly health: Health;
  readonly directory: string;
}

/** The name of the manifest file. */
export const MANIFEST = "MANIFEST.json";

/** The file that marks a directory as a backup. */
export const BACKUP = "BACKUP.json";

const LOST_REMEDY = "Put the directory back or restore a backup; the repair command makes an empty one instead";

/** The error when a backup is opened as a store. */
export function backupRefused(directory: string): StoreError {
  return new StoreError(
    `Cannot open "${directory}" because it is a backup. Make a store from it with the restore command`,
    65,
  );
}

/**
 * Makes missing subdirectories; returns warnings. Throws if a subdirectory with data of an existing store is missing,
 * or if no store may be opened in this directory.
 */
export async function prepareDirectory({ fs, health, directory }: Folder): Promise<readonly string[]> {
  const present = await listOrNone(fs, directory);
  if (present.includes(BACKUP)) {
    // Writes would break the checksums of the backup, and would use data versions that the original store also uses.
    throw backupRefused(directory);
  }
  const lost = present.includes(MANIFEST) ? DATA_FOLDERS.find((name) => !present.includes(name)) : undefined;
  if (lost !== undefined) throw new DataDamaged(join(directory, lost), "is missing", LOST_REMEDY);
  for (const name of SUBDIRECTORIES) if (!present.includes(name)) await fs.makeDirectory(join(directory, name));
  const mode = await fs.mode(directory);
  if ((mode & 0o002) !== 0) {
    throw new StoreError(
      `Cannot open the store because everyone may write to "${directory}". Remove that right: chmod o-w`,
      78,
    );
  }
  const parent = dirname(resolve(directory));
  // If this process may not read the parent, somebody else has made the directory, so its name is already on disk.
  const parentSynced = fs
    .syncDirectory(parent)
    .catch((error: unknown) => (codeOf(error) === "EACCES" ? undefined : Promise.reject(error)));
  await Promise.all([health.synced(fs.syncDirectory(directory)), health.synced(parentSynced)]);
  if ((mode & 0o077) === 0) return [];
  return [
    `Other users of this machine may enter the data directory (mode ${(mode & 0o777).toString(8)}). Make it private: chmod 700 "${directory}"`,
  ];
}

/** The names in a directory. Empty if the directory is missing. */
export async function listOrNone(fs: FileSystem, directory: string): Promise<string[]> {
  return (await ifThere(fs.list(directory))) ?? [];
}
