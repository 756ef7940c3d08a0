import { join } from "node:path";
import { dateOfDayNumber, dayNumber, parseDate } from "../../../core/internal.ts";
import type { CalendarDate, UtcMillis } from "../../../core/mod.ts";
import { readAccounts } from "../accounts.ts";
import { BACKUP } from "../directory.ts";
import { StoreError, createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { listLogs } from "../log/segments.ts";
import { readManifest, writeManifest } from "../manifest.ts";
import { quotaLog } from "../quota/quota_line.ts";
import { readDocument } from "../replace.ts";
import { BACKUP_SCHEMA } from "./backup.ts";
import type { Backup } from "./backup.ts";
import { copyFile } from "./copy_file.ts";
import { exhaustDay } from "./exhaust.ts";
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

/** The files that a backup may hold: a backup from elsewhere must not write to any other path. */
const FILE = /^(?:MANIFEST\.json|accounts\/accounts\.json|(?:obs|quota)\/[a-z]+(?:-\d+)+\.ndjson)$/;

/**
 * Makes a store of a backup in `target`, which must be free or an empty directory. The store appears when
 * all checksums are right. It gets a new epoch, as its versions would otherwise repeat with other content.
 */
export async function restoreStore(from: string, target: string, options: RestoreOptions): Promise<Restored> {
  const { fs = nodeFileSystem } = options;
  const remedy = "Use another backup";
  const backup = (await readDocument(fs, join(from, BACKUP), "backup", BACKUP_SCHEMA, remedy)) as Backup | undefined;
  if (!backup) throw new StoreError(`Cannot restore "${from}" as it is no backup: it has no ${BACKUP}`, 65);
  return createStoreDirectory(fs, target, async (directory) => {
    for (const { file, length, sha256 } of backup.files) {
      if (!FILE.test(file)) throw new StoreError(`Cannot restore "${from}" as a backup has no such file: received "${file}"`, 65);
      const digest = await copyFile(fs, join(from, file), join(directory, file));
      if (digest.length === length && digest.sha256 === sha256) continue;
      throw new StoreError(`Cannot restore "${from}" as "${file}" is damaged: its checksum is wrong. ${remedy}`, 65);
    }
    const manifest = await readManifest(fs, directory);
    if (!manifest) throw new StoreError(`Cannot restore "${from}" as it has no manifest`, 65);
    await writeManifest(fs, createHealth(() => {}), directory, manifest);
    return { backup, spent: await exhaustDays(fs, directory, manifest.storeId, options) };
  });
}

async function exhaustDays(fs: FileSystem, directory: string, storeId: string, { now, today, quota }: RestoreOptions): Promise<Restored["spent"]> {
  if (quota === "as-backed-up") return [];
  const quotaDirectory = join(directory, "quota");
  const plan = {
    ...{ fs, health: createHealth(() => {}), directory: quotaDirectory, quarantineDirectory: join(directory, "quarantine") },
    ...{ storeId, generation: 1, segmentBytes: Infinity, now },
  };
  const { book } = await readAccounts(fs, join(directory, "accounts"), storeId);
  const logged = (await listLogs(fs, quotaDirectory)).flatMap((log) => parseDate(log.slice(quotaLog("" as CalendarDate).length)) ?? []);
  // The day before as well: the server may count in a time zone west of the one given here.
  const days = new Set(logged.filter((day) => day >= dateOfDayNumber(dayNumber(today) - 1)));
  if (quota === "all-spent") days.add(today);
  const spent: Restored["spent"][number][] = [];
  for (const day of [...days].sort()) {
    const who = quota === "all-spent" && day === today ? "all" : "users";
    spent.push({ day, accounts: await exhaustDay(plan, day, book, who) });
  }
  return spent;
}
