import type { CalendarDate, UtcMillis } from "../../../../core/mod.ts";
import type { DayUsage } from "../../shared/store.ts";
import type { StoreContent } from "../../shared/store_copying.ts";
import { StoreError } from "../../shared/store_error.ts";
import { BACKUP } from "../data_directory.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import { spendUnits } from "../quota/quota_line.ts";
import { type Backup, readBackup } from "./backup.ts";
import { writeStore } from "./make_store_from_content.ts";
import { createStoreDirectory } from "./new_directory.ts";
import { demandWhole, readContent } from "./read_content.ts";

/** What a restore does about units that were used after the backup was taken, which the backup does not know. */
export const RESTORED_QUOTA = ["spent", "all-spent", "as-backed-up"] as const;

/** How a backup is restored. */
export interface RestoreOptions {
  readonly now: UtcMillis;
  /** The current quota day in the time zone of the server. Days before it are restored as they were. */
  readonly today: CalendarDate;
  /**
   * `spent`: accounts that had used a unit of the current day have none left;
   * `all-spent`: neither have all others; `as-backed-up`: counters as in the backup, which gives units again.
   */
  readonly quota: (typeof RESTORED_QUOTA)[number];
  /** Default: this machine's. */
  readonly fs?: FileSystem;
}

/** The outcome of a restore. */
export interface Restored {
  readonly backup: Backup;
  /** How many accounts have no unit left of a day because of the restore. */
  readonly spent: readonly { readonly day: CalendarDate; readonly accounts: number }[];
}

/**
 * Makes a store of a backup in `target`, which must be free or an empty directory. The store appears when all of the backup
 * was read without damage. It gets a new epoch, as its versions would otherwise repeat with other content.
 */
export async function restoreStore(from: string, target: string, options: RestoreOptions): Promise<Restored> {
  const { fs = nodeFileSystem, now } = options;
  const found = await readBackup(fs, from);
  if (!found) throw new StoreError(`Cannot restore "${from}" as it is no backup: it has no ${BACKUP}`, 65);
  const { storeId, takenAt, damages = 0, damagedFiles = [] } = found;
  return createStoreDirectory(fs, target, async (directory) => {
    const content = await readContent(from, { fs, isBackup: true });
    demandWhole(from, content);
    const { usage, spent } = spendDays(content, options);
    const counts = await writeStore(
      directory,
      { ...content, usage },
      { fs, storeId, now, progress() {}, lastImport: content.lastImport },
    );
    return { backup: { storeId, takenAt, damages, damagedFiles, ...counts }, spent };
  });
}

function spendDays(
  { usage, book }: StoreContent,
  { today, quota }: RestoreOptions,
): { readonly usage: readonly DayUsage[]; readonly spent: Restored["spent"] } {
  if (quota === "as-backed-up") return { usage, spent: [] };
  const isMissing = quota === "all-spent" && !usage.some(({ day }) => day === today);
  const spent: Restored["spent"][number][] = [];
  const changed = [...(isMissing ? [{ day: today, accounts: [] }] : []), ...usage].map(({ day, accounts }) => {
    // A day that is over is as it was: nothing of it can be given again.
    if (day < today) return { day, accounts };
    const after = spendUnits(accounts, book, quota === "all-spent" && day === today ? "all" : "users");
    spent.push({ day, accounts: after.spent });
    return { day, accounts: after.accounts };
  });
  return { usage: changed, spent: spent.sort((a, b) => (a.day < b.day ? -1 : 1)) };
}
