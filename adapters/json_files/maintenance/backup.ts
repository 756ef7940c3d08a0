import { join } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { CopyCounts } from "../../store/copy.ts";
import { BACKUP } from "../directory.ts";
import { DataDamaged, createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { demandManifest } from "../manifest.ts";
import { readDocument, writeDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import { readContent } from "./content.ts";
import { writeStore } from "./make_store.ts";
import { createStoreDirectory } from "./new_directory.ts";

// A backup is a store that was made of the content of another one, with the same id. It is marked, so that nobody serves it or
// writes to it: its units would be granted again.

/** The content of `BACKUP.json`, by which a backup is known. */
export interface BackupDocument extends Document {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
}

/** A backup, and how much is in it. */
export type Backup = Pick<BackupDocument, "storeId" | "takenAt"> & CopyCounts;

/** Schema 1 listed the files of the backup with checksums of their own, beside those in each line. */
const SCHEMA = 2;
const REMEDY = "Use another backup";

/**
 * Copies the store in `directory` to the new directory `target`: all that was acknowledged before this call is in it. A process
 * that owns the store goes on meanwhile. Throws a `StoreError` where a part of the store is damaged.
 */
export async function backupStore(
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<Backup> {
  const takenAt = formatTimestamp(now);
  return createStoreDirectory(fs, target, async (backup) => {
    const content = await readContent(directory, { fs });
    const { storeId } = content;
    const counts = await writeStore(backup, content, { fs, storeId, now, progress() {}, backup: true });
    const document: BackupDocument = { kind: "backup", schema: SCHEMA, storeId, takenAt };
    await writeDocument({ fs, health: createHealth(() => {}) }, join(backup, BACKUP), document);
    return { storeId, takenAt, ...counts };
  });
}

/** Reads the `BACKUP.json` of a backup; `undefined` where there is none. Throws for one that is damaged. */
export async function readBackup(fs: FileSystem, directory: string): Promise<Pick<BackupDocument, "storeId" | "takenAt"> | undefined> {
  const path = join(directory, BACKUP);
  const document = await readDocument(fs, path, { kind: "backup", schema: SCHEMA, remedy: REMEDY });
  if (!document) return undefined;
  const found = document as BackupDocument; // Its checksum is right, so it is as a backup has written it.
  const { storeId } = await demandManifest(fs, directory, true);
  if (storeId !== found.storeId) throw new DataDamaged(path, `belongs to the store "${found.storeId}"`, REMEDY);
  return found;
}
