import { join } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { BACKUP } from "../directory.ts";
import { StoreError } from "../../store/store_error.ts";
import { createHealth } from "../errors.ts";
import { codeOf, nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { importFile } from "../imports/import_files.ts";
import { baseNumber } from "../log/base.ts";
import type { StoreAccess } from "../lock/control.ts";
import { MANIFEST } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { writeDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import { BACKUP_ACCOUNTS, BACKUP_SCHEMA } from "./backup_document.ts";
import type { Backup, BackupFile } from "./backup_document.ts";
import { copyFile, digestOf } from "./copy_file.ts";
import { createStoreDirectory } from "./new_directory.ts";

/**
 * Copies the store in `directory` to the new directory `target`, as it is at one moment: all that was
 * acknowledged before this call is in it. The process that holds the store continues meanwhile.
 */
export async function backupStore(
  store: Pick<StoreAccess, "pointInTime">,
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<Backup> {
  for (;;) {
    const base = await baseNumber(fs, join(directory, "obs"));
    try {
      return await backupOnce(store, directory, target, { now, fs });
    } catch (error) {
      // A compaction has removed files before they were copied: of what took their place, there is another point in time.
      if (codeOf(error) !== "ENOENT" || (await baseNumber(fs, join(directory, "obs"))) === base) throw error;
    }
  }
}

function backupOnce(
  store: Pick<StoreAccess, "pointInTime">,
  directory: string,
  target: string,
  { now, fs }: { readonly now: UtcMillis; readonly fs: FileSystem },
): Promise<Backup> {
  return createStoreDirectory(fs, target, async (backup) => {
    const health = createHealth(() => {});
    const { manifest, accounts, imports, files } = await store.pointInTime();
    const written: BackupFile[] = [];

    async function write(file: string, document: Document): Promise<void> {
      await writeDocument(fs, health, join(backup, file), document);
      written.push({ file, ...(await digestOf(fs, join(backup, file))) });
    }

    for (const { file, length } of files) {
      const digest = await copyFile(fs, join(directory, file), join(backup, file), { atMost: length });
      if (digest.length < length) throw new StoreError(`Cannot back up as "${file}" has become shorter`, 65);
      written.push({ file, ...digest });
    }
    // Not copied from their files, which may be of a later moment by now.
    const marked: Manifest = { ...manifest, backup: true };
    await write(MANIFEST, marked);
    await write(BACKUP_ACCOUNTS, accounts);
    for (const imported of imports) await write(`imports/${importFile(imported.id)}`, imported);
    const { storeId } = manifest;
    const document: Backup = { kind: "backup", schema: BACKUP_SCHEMA, storeId, takenAt: formatTimestamp(now), files: written };
    await writeDocument(fs, health, join(backup, BACKUP), document);
    return document;
  });
}
