import { join } from "node:path";
import type { CalendarDate } from "../../../../core/mod.ts";
import { type AccountUsage, type DayUsage, isAskedFor, type UsageQuery } from "../../shared/store.ts";
import { askOwner } from "../connect_or_open.ts";
import { listOrNone } from "../data_directory.ts";
import { type FileSystem, ifThere, nodeFileSystem } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import { readLog } from "../log/read_log.ts";
import { demandManifest, type Manifest } from "../manifest.ts";
import { createTally, decodeQuotaLine, quotaDays, quotaLog } from "./quota_line.ts";

/** Which quota days are read, and how. */
export interface UsageOptions extends Pick<UsageQuery, "from" | "to"> {
  readonly fs?: FileSystem;
  /** Used units on open days, as the owner counts them. Files have only reserved units. Default: asks the owner. */
  readonly open?: readonly DayUsage[];
  /** Whether the directory is a backup. By default, backups are refused. */
  readonly isBackup?: boolean;
}

/** Reads the used units of each quota day, newest day first, without a lock. */
export async function readUsage(directory: string, options: UsageOptions = {}): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for await (const day of eachUsage(directory, options)) days.push(day);
  return days;
}

/** Like `readUsage`, but one day at a time. */
export async function* eachUsage(
  directory: string,
  { fs = nodeFileSystem, open, isBackup = false, ...query }: UsageOptions = {},
): AsyncGenerator<DayUsage> {
  const manifest = await demandManifest(fs, directory, isBackup);
  const known = open ?? (await askOwner(directory, (store) => store.usage(), fs)) ?? [];
  const files = join(directory, "quota");
  // Includes days whose files are lost.
  const recorded = quotaDays(await listOrNone(fs, files), manifest.highWater);
  const all = new Set([...known.map(({ day }) => day), ...recorded]);
  for (const day of [...all].sort().reverse()) {
    if (!isAskedFor(day, query)) continue;
    const usage = known.find((one) => one.day === day);
    // The owner may be removing the files of an old day.
    const read = usage ? undefined : await ifThere(readDay(fs, files, manifest, day));
    if (usage) yield usage;
    else if (read) yield { day, accounts: read.accounts, ...(read.damage && { damaged: true as const }) };
  }
}

/** Reads the log of a quota day. Also returns the log's first unreadable place. */
export async function readDay(
  fs: FileSystem,
  directory: string,
  { storeId, highWater: marks }: Pick<Manifest, "storeId" | "highWater">,
  day: CalendarDate,
): Promise<{ readonly accounts: readonly AccountUsage[]; readonly damage: FileDamage | undefined }> {
  const { accept, accounts } = createTally();
  const plan = { kind: quotaLog(day), storeId, marks, decode: decodeQuotaLine, accept };
  const { damages } = await readLog(fs, directory, plan);
  return { accounts: accounts(), damage: damages[0] };
}
