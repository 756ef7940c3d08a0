import { join } from "node:path";
import { dateOfDayNumber, dayNumber, parseDate } from "../../../core/internal.ts";
import type { CalendarDate, UtcMillis } from "../../../core/mod.ts";
import { readAccounts } from "../accounts.ts";
import { BACKUP_SCHEMA } from "./backup.ts";
import type { Backup } from "./backup.ts";
import { buildDirectory, copyFile } from "./copy.ts";
import { BACKUP } from "../directory.ts";
import { StoreError, createHealth } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { readManifest, writeManifest } from "../manifest.ts";
import { quotaLog } from "../quota/quota_line.ts";
import { readDocument } from "../replace.ts";
import { listLogs } from "../log/segments.ts";
import { spendDay } from "./spend.ts";

/** What becomes of the units that were used after the backup, which it cannot know. */
export const RESTORED_QUOTA = ["spent", "all-spent", "as-backed-up"] as const;

/** How a backup is restored. */
export interface RestoreOptions {
  readonly now: UtcMillis;
  /** The current quota day. */
  readonly today: CalendarDate;
  /**
   * `spent`: accounts that have used a unit of the current day by the backup have used all of them;
   * `all-spent`: so have all others; `as-backed-up`: what the backup says, which gives units again.
   */
  readonly quota: (typeof RESTORED_QUOTA)[number];
  /** Default: this machine's. */
  readonly fs?: FileSystem;
}

/** A store made of a backup. */
export interface Restored {
  readonly backup: Backup;
  /** Accounts whose units of a day were set to used up. */
  readonly spent: readonly { readonly day: CalendarDate; readonly accounts: number }[];
}

/** What a backup may write: else one made by somebody else could put files anywhere. */
const FILE = /^(?:MANIFEST\.json|accounts\/accounts\.json|(?:obs|quota)\/[a-z]+(?:-\d+)+\.ndjson)$/;

/**
 * Makes a store of a backup in `target`, which must not exist or be empty. Nothing is there until all
 * sums are right. The store gets a new epoch, as its versions would else come again with other content.
 */
export async function restoreStore(from: string, target: string, options: RestoreOptions): Promise<Restored> {
  const { fs = nodeFileSystem } = options;
  const todo = "Use another backup";
  const backup = (await readDocument(fs, join(from, BACKUP), "backup", BACKUP_SCHEMA, todo)) as Backup | undefined;
  if (!backup) throw new StoreError(`Cannot restore "${from}" as it is no backup: it has no ${BACKUP}`, 65);
  return buildDirectory(fs, target, async (directory) => {
    for (const { file, length, sha256 } of backup.files) {
      if (!FILE.test(file)) throw new StoreError(`Cannot restore "${from}" as a backup has no such file: received "${file}"`, 65);
      const sum = await copyFile(fs, join(from, file), join(directory, file));
      if (sum.length === length && sum.sha256 === sha256) continue;
      throw new StoreError(`Cannot restore "${from}" as "${file}" is damaged: its sum is wrong. ${todo}`, 65);
    }
    const manifest = await readManifest(fs, directory);
    if (!manifest) throw new StoreError(`Cannot restore "${from}" as it has no manifest`, 65);
    await writeManifest(fs, createHealth(() => {}), directory, manifest);
    return { backup, spent: await spendDays(fs, directory, manifest.storeId, options) };
  });
}

async function spendDays(fs: FileSystem, directory: string, storeId: string, { now, today, quota }: RestoreOptions): Promise<Restored["spent"]> {
  if (quota === "as-backed-up") return [];
  const place = join(directory, "quota");
  const plan = {
    ...{ fs, health: createHealth(() => {}), directory: place, quarantineDirectory: join(directory, "quarantine") },
    ...{ storeId, generation: 1, segmentBytes: Infinity, now },
  };
  const { book } = await readAccounts(fs, join(directory, "accounts"), storeId);
  const logged = (await listLogs(fs, place)).flatMap((log) => parseDate(log.slice(quotaLog("" as CalendarDate).length)) ?? []);
  // One day more, should the server count in a time zone to the west of the one given here.
  const open = new Set(logged.filter((day) => day >= dateOfDayNumber(dayNumber(today) - 1)));
  if (quota === "all-spent") open.add(today);
  const spent: Restored["spent"][number][] = [];
  for (const day of [...open].sort()) {
    const who = quota === "all-spent" && day === today ? "all" : "users";
    spent.push({ day, accounts: await spendDay(plan, day, book, who) });
  }
  return spent;
}
