import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { base62 } from "../../../core/internal.ts";
import { StoreError } from "../shared/store_error.ts";
import { readAccounts, replaceAccounts } from "./accounts.ts";
import {
  BACKUP,
  backupRefused,
  DATA_FOLDERS,
  type Folder,
  listOrNone,
  MANIFEST,
  MIRROR,
  SUBDIRECTORIES,
} from "./data_directory.ts";
import { DataDamaged } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import type { LogEnd } from "./log/log.ts";
import { readDocument, replaceDocument, TEMPORARY_ENDING } from "./replace_document.ts";

/** Identifies the store in a directory. */
export interface Manifest {
  readonly storeId: string;
  /** The first part of every version. A restore or repair changes the epoch, because sequence numbers then repeat. */
  readonly epoch: string;
  readonly createdAt: number;
  /** Present once `accounts.json` was written: from then on, the store does not open if that file is missing. */
  readonly accounts?: true;
  /** The marks of the logs, by name: see `log/log_end_marks.ts`. */
  readonly highWater?: Readonly<Record<string, LogEnd>>;
  readonly backup?: true;
}

const REMEDY = "Restore it from a backup, or run the repair command";
/** Schema 1 was never released. */
const PLAN = { kind: "store", schema: 2, remedy: REMEDY };

/** Reads the manifest, if there is one. Throws if it is damaged or too new. A backup is refused unless `isBackup`. */
export async function readManifest(fs: FileSystem, directory: string, isBackup = false): Promise<Manifest | undefined> {
  const manifest = await readDocument<Manifest>(fs, join(directory, MANIFEST), PLAN);
  if (manifest?.backup && !isBackup) throw backupRefused(directory);
  return manifest;
}

/** Reads the manifest, but throws a `StoreError` if there is none. */
export async function demandManifest(fs: FileSystem, directory: string, isBackup = false): Promise<Manifest> {
  const manifest = await readManifest(fs, directory, isBackup);
  if (!manifest) throw new StoreError(`Cannot read a store because there is none in "${directory}"`, 65);
  return manifest;
}

/** Whether a directory has a store or a backup, damaged or not. False for an empty directory. */
export async function isStoreDirectory(directory: string, fs: FileSystem = nodeFileSystem): Promise<boolean> {
  const names: ReadonlySet<string> = new Set([MANIFEST, BACKUP, ...SUBDIRECTORIES]);
  return (await fs.list(directory)).some((name) => names.has(name));
}

/** A new id of a store. */
export function newStoreId(): string {
  return base62(randomBytes(16), 22);
}

/** Replaces the manifest. */
export function replaceManifest(folder: Folder, manifest: Manifest): Promise<void> {
  return replaceDocument(folder, join(folder.directory, MANIFEST), PLAN, manifest);
}

/** Writes a manifest with a new epoch. */
export async function writeManifest(folder: Folder, content: Omit<Manifest, "epoch">): Promise<Manifest> {
  const manifest: Manifest = { ...content, epoch: base62(randomBytes(6), 9) };
  await replaceManifest(folder, manifest);
  return manifest;
}

/** Reads the manifest, or makes one with empty accounts. Removes temporary files of interrupted replacements. */
export async function openManifest(folder: Folder, now: number): Promise<Manifest> {
  const { fs, directory } = folder;
  const folders = [".", ...SUBDIRECTORIES, MIRROR];
  await Promise.all(folders.map((folder) => removeTemporaryFiles(fs, join(directory, folder))));
  const manifest = (await readManifest(fs, directory)) ?? (await createManifest(folder, now));
  return manifest.accounts ? manifest : recordAccounts(folder, manifest);
}

async function createManifest(folder: Folder, now: number): Promise<Manifest> {
  const { fs, directory } = folder;
  for (const name of DATA_FOLDERS) {
    if ((await fs.list(join(directory, name))).length === 0) continue;
    throw new DataDamaged(join(directory, MANIFEST), "is missing, but the directory has data of a store", REMEDY);
  }
  return writeManifest(folder, { storeId: newStoreId(), createdAt: now });
}

/** Writes the accounts of a new store, which are empty, and notes that the file exists. */
async function recordAccounts(folder: Folder, found: Manifest): Promise<Manifest> {
  await replaceAccounts(folder, found.storeId, await readAccounts(folder.fs, folder.directory, found));
  const manifest: Manifest = { ...found, accounts: true };
  await replaceManifest(folder, manifest);
  return manifest;
}

async function removeTemporaryFiles(fs: FileSystem, directory: string): Promise<void> {
  for (const name of await listOrNone(fs, directory)) {
    // This may remove the file of a process that wants the lock. That process then tries again.
    if (TEMPORARY_ENDING.test(name)) await fs.remove(join(directory, name)).catch(() => {});
  }
}
