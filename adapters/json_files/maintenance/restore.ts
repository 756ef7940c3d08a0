import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { dateOfDayNumber, dayNumber } from "../../../core/internal.ts";
import type { CalendarDate, UtcMillis } from "../../../core/mod.ts";
import { EMPTY_BOOK } from "../../../core/mod.ts";
import { readAccounts } from "../accounts.ts";
import { BACKUP, SUBDIRECTORIES } from "../directory.ts";
import { StoreError } from "../../store/store_error.ts";
import { createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { openLog } from "../log/open_log.ts";
import { logsIn } from "../log/segments.ts";
import { readBackupManifest, writeManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { appendLines, createTally, decodeQuotaLine, quotaDayOf, quotaLog, spentLines } from "../quota/quota_line.ts";
import { demandListed, readBackup } from "./backup_document.ts";
import type { Backup } from "./backup_document.ts";
import { copyFile } from "./copy_file.ts";
import { createStoreDirectory } from "./new_directory.ts";

/** What a restore does about units that were used after the backup was taken, which the backup does not know. */
export const RESTORED_QUOTA = ["spent", "all-spent", "as-backed-up"] as const;

/** How a backup is restored. */
export interface RestoreOptions {
  readonly now: UtcMillis;
  /** The current quota day. */
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
 * Makes a store of a backup in `target`, which must be free or an empty directory. The store appears when all
 * files are as the backup lists them. It gets a new epoch, as its versions would otherwise repeat with other
 * content. The backup may come from elsewhere: only regular files are read, no links are followed, and no file
 * is read further than the backup lists it.
 */
export async function restoreStore(from: string, target: string, options: RestoreOptions): Promise<Restored> {
  const { fs = nodeFileSystem } = options;
  const backup = await readBackup(fs, from);
  if (!backup) throw new StoreError(`Cannot restore "${from}" as it is no backup: it has no ${BACKUP}`, 65);
  await demandNoLinks(from);
  return createStoreDirectory(fs, target, async (directory) => {
    for (const listed of backup.files) {
      await demandListed(listed, (reading) => copyFile(fs, join(from, listed.file), join(directory, listed.file), reading));
    }
    const manifest = await readBackupManifest(fs, directory);
    if (manifest?.storeId !== backup.storeId) throw new StoreError(`Cannot restore "${from}" as its manifest is that of another store`, 65);
    const spent = await spendDays(fs, directory, manifest, options);
    await writeManifest(fs, createHealth(() => {}), directory, manifest);
    return { backup, spent };
  });
}

async function demandNoLinks(backup: string): Promise<void> {
  for (const name of SUBDIRECTORIES) {
    const found = await lstat(join(backup, name)).catch(() => undefined); // A missing one shows in its files.
    if (found?.isSymbolicLink()) throw new StoreError(`Cannot restore "${backup}" as its directory "${name}" is a link`, 65);
  }
}

async function spendDays(fs: FileSystem, directory: string, manifest: Manifest, { now, today, quota }: RestoreOptions): Promise<Restored["spent"]> {
  if (quota === "as-backed-up") return [];
  const folder = join(directory, "quota");
  const plan = {
    ...{ fs, health: createHealth(() => {}), directory: folder, quarantineDirectory: join(directory, "quarantine") },
    ...{ storeId: manifest.storeId, generation: 1, segmentBytes: Infinity, now, strict: true, decode: decodeQuotaLine },
  };
  const book = (await readAccounts(fs, join(directory, "accounts"), manifest)) ?? EMPTY_BOOK;
  // The day before as well: the server may count in a time zone west of the one given here.
  const since = dateOfDayNumber(dayNumber(today) - 1);
  const days = new Set(logsIn(await fs.list(folder)).flatMap((log) => quotaDayOf(log) ?? []).filter((day) => day >= since));
  if (quota === "all-spent") days.add(today);
  const spent: Restored["spent"][number][] = [];
  for (const day of [...days].sort()) {
    const { accept, accounts: used } = createTally();
    const { log } = await openLog({ ...plan, kind: quotaLog(day), accept });
    try {
      const { lines, accounts } = spentLines(used(), book, quota === "all-spent" && day === today ? "all" : "users");
      await appendLines(log, lines);
      spent.push({ day, accounts });
    } finally {
      await log.close();
    }
  }
  return spent;
}
