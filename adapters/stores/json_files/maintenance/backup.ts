import { join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";
import type { CopyCounts } from "../../shared/store_copying.ts";
import { BACKUP } from "../data_directory.ts";
import { createHealth, DataDamaged } from "../errors.ts";
import { codeOf, type FileSystem, nodeFileSystem, readAt, writeAll } from "../file_system.ts";
import { demandManifest } from "../manifest.ts";
import { type Document, readDocument, replaceDocument, writeDocument } from "../replace_document.ts";
import { writeStore } from "./make_store_from_content.ts";
import { createStoreDirectory } from "./new_directory.ts";
import { readContent } from "./read_content.ts";

// A backup is a store that was made of the content of another one, with the same id. It is marked, so that nobody serves it or
// writes to it: its units would be granted again.

/** The content of `BACKUP.json`, by which a backup is known. */
export interface BackupDocument extends Document {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
  /** How many places of the store could not be read. Default: 0. */
  readonly damages?: number;
  /** The files that they are in, by their paths within the store; copies of them are in the backup's `quarantine/`. */
  readonly damagedFiles?: readonly string[];
}

/** A backup, and how much is in it. */
export type Backup = Required<Omit<BackupDocument, keyof Document>> & CopyCounts;

/** A backup that was made just now. */
export interface MadeBackup extends Backup {
  /** Whether the store notes that there is one: not where it cannot be written, and not of one that lacks something. */
  readonly isNoted: boolean;
}

/** Schema 1 listed the files of the backup with checksums of their own, beside those in each line. */
const SCHEMA = 2;
const REMEDY = "Use another backup";
const CHUNK_BYTES = 1 << 20;

/** What tells of the last good backup, in the directory of the store. */
interface LastBackup extends Document {
  readonly at: UtcMillis;
}

const LAST_BACKUP = "last-backup.json";
const NOTE = "last-backup";
const NOTE_SCHEMA = 1;

/**
 * Copies the store in `directory` to the new directory `target`: all that was acknowledged before this call is in it. A process
 * that owns the store goes on meanwhile. Of a damaged store, the backup holds what can be read and, in its `quarantine/`, the damaged
 * files as they are. Throws a `StoreError` where nothing can be read, as the manifest or the accounts are damaged.
 */
export async function backupStore(
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<MadeBackup> {
  const takenAt = formatTimestamp(now);
  const made = await createStoreDirectory(fs, target, async (backup) => {
    const content = await readContent(directory, { fs });
    const { storeId, lastImport, damaged } = content;
    const counts = await writeStore(backup, content, { fs, storeId, now, progress() {}, lastImport, backup: true });
    const damages = damaged.length;
    const damagedFiles = [...new Set(damaged.map(({ file }) => file))];
    for (const file of damagedFiles)
      await copyFile(fs, join(directory, file), join(backup, "quarantine", file.replaceAll("/", ".")));
    const document: BackupDocument = {
      kind: "backup",
      schema: SCHEMA,
      storeId,
      takenAt,
      ...(damages > 0 && { damages, damagedFiles }),
    };
    await writeDocument({ fs, health: createHealth(() => {}) }, join(backup, BACKUP), document);
    return { storeId, takenAt, damages, damagedFiles, ...counts };
  });
  return { ...made, isNoted: made.damages === 0 && (await noteBackup(fs, directory, now)) };
}

/** Notes in the store that it was backed up. Resolves to false where it cannot be written. */
async function noteBackup(fs: FileSystem, directory: string, at: UtcMillis): Promise<boolean> {
  const document: LastBackup = { kind: NOTE, schema: NOTE_SCHEMA, at };
  return replaceDocument({ fs, health: createHealth(() => {}) }, join(directory, LAST_BACKUP), document).then(
    () => true,
    () => false,
  );
}

/** When the last backup of a store was taken that lacks nothing; `undefined` where that is not known. */
export async function lastBackupOf(directory: string, fs: FileSystem = nodeFileSystem): Promise<UtcMillis | undefined> {
  const plan = { kind: NOTE, schema: NOTE_SCHEMA, remedy: "Remove it" };
  const document = await readDocument(fs, join(directory, LAST_BACKUP), plan).catch(() => undefined);
  return (document as LastBackup | undefined)?.at;
}

/** Copies a file, also one that is not there: then there is nothing to copy. Resolves when its content is on the device. */
async function copyFile(fs: FileSystem, from: string, to: string): Promise<void> {
  const source = await fs.open(from, "read").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  const file = source && (await fs.open(to, "create"));
  try {
    for (let at = 0, size = (await source?.size()) ?? 0; at < size; at += CHUNK_BYTES)
      await writeAll(file!, await readAt(source!, at, Math.min(CHUNK_BYTES, size - at)));
    await file?.sync();
  } finally {
    await source?.close();
    await file?.close();
  }
}

/** Reads the `BACKUP.json` of a backup; `undefined` where there is none. Throws for one that is damaged. */
export async function readBackup(fs: FileSystem, directory: string): Promise<BackupDocument | undefined> {
  const path = join(directory, BACKUP);
  const document = await readDocument(fs, path, { kind: "backup", schema: SCHEMA, remedy: REMEDY });
  if (!document) return undefined;
  const found = document as BackupDocument; // Its checksum is right, so it is as a backup has written it.
  const { storeId } = await demandManifest(fs, directory, true);
  if (storeId !== found.storeId) throw new DataDamaged(path, `belongs to the store "${found.storeId}"`, REMEDY);
  return found;
}
