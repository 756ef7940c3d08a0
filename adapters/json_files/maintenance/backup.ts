import { join } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { BACKUP } from "../directory.ts";
import { StoreError, createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import type { StoreAccess } from "../lock/control.ts";
import { MANIFEST } from "../manifest.ts";
import { writeDocument } from "../replace.ts";
import type { Document } from "../replace.ts";
import { copyFile, digestOf } from "./copy_file.ts";
import type { FileDigest } from "./copy_file.ts";
import { createStoreDirectory } from "./new_directory.ts";

/** The content of a backup's `BACKUP.json`. */
export interface Backup extends Document {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
  readonly files: readonly (FileDigest & { readonly file: string })[];
}

/** The highest schema of backups that this version reads, and the one it writes. */
export const BACKUP_SCHEMA = 1;

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
  return createStoreDirectory(fs, target, async (backup) => {
    const health = createHealth(() => {});
    const { storeId, accounts, files } = await store.pointInTime();
    const copied: Backup["files"][number][] = [];

    async function copy(file: string, length?: number): Promise<void> {
      const digest = await copyFile(fs, join(directory, file), join(backup, file), length);
      if (length !== undefined && digest.length < length) throw new StoreError(`Cannot back up as "${file}" has become shorter`, 65);
      copied.push({ file, ...digest });
    }

    for (const { file, length } of files) await copy(file, length);
    await copy(MANIFEST);
    // Not copied from their file, which may be of a later moment by now.
    const file = "accounts/accounts.json";
    await writeDocument(fs, health, join(backup, file), accounts);
    copied.push({ file, ...(await digestOf(fs, join(backup, file))) });
    const document: Backup = { kind: "backup", schema: BACKUP_SCHEMA, storeId, takenAt: formatTimestamp(now), files: copied };
    await writeDocument(fs, health, join(backup, BACKUP), document);
    return document;
  });
}
