import { join } from "node:path";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { StoreAccess } from "../lock/control.ts";
import { buildDirectory, copyFile, sumOf } from "./copy.ts";
import type { FileSum } from "./copy.ts";
import { BACKUP } from "../directory.ts";
import { StoreError, createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { MANIFEST } from "../manifest.ts";
import { writeDocument } from "../replace.ts";
import type { Document } from "../replace.ts";

/** What a backup says of itself. */
export interface Backup extends Document {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
  readonly files: readonly (FileSum & { readonly file: string })[];
}

/** The highest schema of backups that this version reads, and the one it writes. */
export const BACKUP_SCHEMA = 1;

/**
 * Copies the store in `directory` to the new directory `target`, as it is at one moment: all that was
 * acknowledged before this is called is in it. Who holds the store goes on meanwhile.
 */
export async function backupStore(
  store: Pick<StoreAccess, "mark">,
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<Backup> {
  return buildDirectory(fs, target, async (copy) => {
    const health = createHealth(() => {});
    const { storeId, accounts, files } = await store.mark();
    const sums: Backup["files"][number][] = [];

    async function take(file: string, from: string, length?: number): Promise<void> {
      const sum = await copyFile(fs, join(from, file), join(copy, file), length);
      if (length !== undefined && sum.length < length) throw new StoreError(`Cannot back up as "${file}" has become shorter`, 65);
      sums.push({ file, ...sum });
    }

    for (const { file, length } of files) await take(file, directory, length);
    await take(MANIFEST, directory);
    // From the mark and not from its file, which may be of a later moment by now.
    const file = "accounts/accounts.json";
    await writeDocument(fs, health, join(copy, file), accounts);
    sums.push({ file, ...(await sumOf(fs, join(copy, file))) });
    const backup: Backup = { kind: "backup", schema: BACKUP_SCHEMA, storeId, takenAt: formatTimestamp(now), files: sums };
    await writeDocument(fs, health, join(copy, BACKUP), backup);
    return backup;
  });
}
