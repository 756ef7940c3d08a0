import { join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { CalendarDate, UtcMillis } from "../../../../core/mod.ts";
import type { CopyCounts, StoreContent } from "../../shared/store_copying.ts";
import { StoreError } from "../../shared/store_error.ts";
import { BACKUP } from "../data_directory.ts";
import { createHealth, DataDamaged } from "../errors.ts";
import { type FileSystem, ifThere, nodeFileSystem, readAt, withFile, writeAll } from "../file_system.ts";
import { noteBackup } from "../last_backup.ts";
import { demandManifest } from "../manifest.ts";
import { spendUnits } from "../quota/quota_line.ts";
import { readDocument, writeDocument } from "../replace_document.ts";
import { writeStore } from "./make_store_from_content.ts";
import { createStoreDirectory } from "./new_directory.ts";
import { demandWhole, readContent } from "./read_content.ts";

// A backup is a store made from the content of another store, with the same store id.
// The file `BACKUP.json` prevents opening a backup as a store: a server on the backup would grant used units again.

interface BackupNote {
  readonly storeId: string;
  /** ISO 8601. */
  readonly takenAt: string;
  readonly damages: number;
  /** The files with unreadable places, by path within the store. `quarantine/` of the backup has copies of them. */
  readonly damagedFiles: readonly string[];
}

/** A backup, and how many records, accounts, keys, days and imports it has. */
export type Backup = BackupNote & CopyCounts;

/** Schema 1 was never released. */
const PLAN = { kind: "backup", schema: 2, remedy: "Use another backup" };
const CHUNK_BYTES = 1 << 20;

/**
 * Copies the store in `directory` to the new directory `target`. The copy has everything that was acknowledged before
 * this call. The owner of the store can keep working meanwhile. If the store is damaged, the backup gets the readable
 * data and, in its `quarantine/`, copies of the damaged files. Throws a `StoreError` if the manifest or the accounts
 * are damaged.
 */
export async function backupStore(
  directory: string,
  target: string,
  { now, fs = nodeFileSystem }: { readonly now: UtcMillis; readonly fs?: FileSystem },
): Promise<Backup> {
  const made = await createStoreDirectory(fs, target, async (backup) => {
    const content = await readContent(directory, { fs });
    const { storeId, damaged } = content;
    const counts = await writeStore(backup, content, { fs, storeId, now, progress() {}, backup: true });
    const damagedFiles = [...new Set(damaged.map(({ file }) => file))];
    for (const file of damagedFiles)
      await copyFile(fs, join(directory, file), join(backup, "quarantine", file.replaceAll("/", ".")));
    const found = { storeId, takenAt: formatTimestamp(now), damages: damaged.length, damagedFiles };
    await writeDocument({ fs, health: createHealth() }, join(backup, BACKUP), PLAN, found);
    return { ...found, ...counts };
  });
  if (made.damages === 0) await noteBackup(fs, directory, now);
  return made;
}

/** Copies a file if it exists. Resolves when its content is on disk. */
async function copyFile(fs: FileSystem, from: string, to: string): Promise<void> {
  const copying = withFile(fs, from, "read", (source) =>
    withFile(fs, to, "create", async (file) => {
      for (let at = 0, size = await source.size(); at < size; at += CHUNK_BYTES)
        await writeAll(file, await readAt(source, at, Math.min(CHUNK_BYTES, size - at)));
      await file.sync();
    }),
  );
  await ifThere(copying);
}

/** Reads the `BACKUP.json` of a backup; returns `undefined` if there is none. Throws if it is damaged. */
export async function readBackup(fs: FileSystem, directory: string): Promise<BackupNote | undefined> {
  const path = join(directory, BACKUP);
  const found = await readDocument<BackupNote>(fs, path, PLAN);
  if (!found) return undefined;
  const { storeId } = await demandManifest(fs, directory, true);
  if (storeId !== found.storeId) throw new DataDamaged(path, `belongs to the store "${found.storeId}"`, PLAN.remedy);
  return found;
}

/** How a restore counts units that were used after the backup and are therefore unknown. */
export const RESTORED_QUOTA = ["spent", "all-spent", "as-backed-up"] as const;

/** How a backup is restored. */
export interface RestoreOptions {
  readonly now: UtcMillis;
  /** The current quota day in the server's time zone. Earlier days are restored without a change. */
  readonly today: CalendarDate;
  /**
   * With `spent`, accounts that have used a unit on the current day have no units left. With `all-spent`, no account
   * has units left. With `as-backed-up`, the counters of the backup apply, so units may be granted twice.
   */
  readonly quota: (typeof RESTORED_QUOTA)[number];
  readonly fs?: FileSystem;
}

/** The outcome of a restore. */
export interface Restored {
  readonly backup: Backup;
  /** For each day, how many accounts have no unit left because of the restore. */
  readonly spent: readonly { readonly day: CalendarDate; readonly accounts: number }[];
}

/** Makes a store from a backup in `target`, which must be empty or absent. The store appears when it is complete. */
export async function restoreStore(from: string, target: string, options: RestoreOptions): Promise<Restored> {
  const { fs = nodeFileSystem, now } = options;
  const found = await readBackup(fs, from);
  if (!found)
    throw new StoreError(
      `Cannot restore "${from}" because it is not a backup: it has no ${BACKUP}. Use another backup`,
      65,
    );
  return createStoreDirectory(fs, target, async (directory) => {
    const content = await readContent(from, { fs, isBackup: true });
    demandWhole(from, content);
    const { usage, spent } = spendDays(content, options);
    const counts = await writeStore(
      directory,
      { ...content, usage },
      { fs, storeId: found.storeId, now, progress() {} },
    );
    return { backup: { ...found, ...counts }, spent };
  });
}

function spendDays({ usage, book }: StoreContent, { today, quota }: RestoreOptions) {
  if (quota === "as-backed-up") return { usage, spent: [] };
  const isMissing = quota === "all-spent" && !usage.some(({ day }) => day === today);
  const spent: Restored["spent"][number][] = [];
  const changed = [...(isMissing ? [{ day: today, accounts: [] }] : []), ...usage].map(({ day, accounts }) => {
    // The counters of past days are not changed, because their units cannot be granted again.
    if (day < today) return { day, accounts };
    const after = spendUnits(accounts, book, quota === "all-spent" && day === today ? "all" : "users");
    spent.push({ day, accounts: after.spent });
    return { day, accounts: after.accounts };
  });
  return { usage: changed, spent: spent.sort((a, b) => (a.day < b.day ? -1 : 1)) };
}
