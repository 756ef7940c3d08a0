import { join } from "node:path";
import type { CalendarDate } from "../../../../core/mod.ts";
import { type DayUsage, isAskedFor, type UsageQuery } from "../../shared/store.ts";
import { askOwner } from "../connect_or_open.ts";
import { listOrNone } from "../data_directory.ts";
import { codeOf, type FileSystem, nodeFileSystem } from "../file_system.ts";
import { readLog } from "../log/read_log.ts";
import { logsIn } from "../log/segments.ts";
import { demandManifest } from "../manifest.ts";
import { createTally, decodeQuotaLine, quotaDayOf, quotaLog } from "./quota_line.ts";

/** Which quota days are read. */
export interface UsageOptions extends Pick<UsageQuery, "from" | "to"> {
  readonly fs?: FileSystem;
  /** Days that are open in the process that owns the store, as it counts them: the files have what it has reserved. Default: it is asked. */
  readonly open?: readonly DayUsage[];
  /** Whether it is a backup. Default: `false`, a backup is refused. */
  readonly isBackup?: boolean;
}

/** Reads what was used on the quota days of the store in `directory`, the newest first, without a lock. */
export async function readUsage(directory: string, options: UsageOptions = {}): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for await (const day of eachUsage(directory, options)) days.push(day);
  return days;
}

/** The same, a day at a time. */
export async function* eachUsage(
  directory: string,
  { fs = nodeFileSystem, open, isBackup = false, ...query }: UsageOptions = {},
): AsyncGenerator<DayUsage> {
  const { storeId, highWater: marks = {} } = await demandManifest(fs, directory, isBackup);
  const days = new Map(
    (open ?? (await askOwner(directory, (store) => store.usage(), fs)) ?? []).map((usage) => [usage.day, usage]),
  );
  const files = join(directory, "quota");
  // Also days whose files are lost.
  const recorded = [...logsIn(await listOrNone(fs, files)), ...Object.keys(marks)].flatMap(
    (log) => quotaDayOf(log) ?? [],
  );
  const all = [...new Set([...days.keys(), ...recorded])].filter((day) => isAskedFor(day, query));
  for (const day of all.sort().reverse()) {
    const usage = days.get(day) ?? (await readDay(day).catch(noneWhereMissing));
    if (usage) yield usage;
  }

  async function readDay(day: CalendarDate): Promise<DayUsage> {
    const { accept, accounts } = createTally();
    const { damages, unreadable } = await readLog(fs, files, {
      kind: quotaLog(day),
      storeId,
      marks,
      decode: decodeQuotaLine,
      accept,
    });
    return { day, accounts: accounts(), ...((damages.length > 0 || unreadable) && { damaged: true as const }) };
  }
}

/** The owner removes the files of old days. */
function noneWhereMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
