import { join } from "node:path";
import type { AccountBook } from "../../../../core/mod.ts";
import { removeIfThere } from "../file_system.ts";
import { readLog } from "../log/read_log.ts";
import { listSegments, logsIn, segmentName } from "../log/segments.ts";
import { createTally, decodeQuotaLine, quotaDayOf, quotaLog, spendUnits } from "../quota/quota_line.ts";
import type { RepairJob, RepairStep } from "./repair.ts";
import { writeCounters } from "./write_log.ts";

/**
 * Makes the counters of each damaged day anew. Nobody can tell whose units a bad line counted, so every account with a
 * limit has no unit left of such a day.
 */
export async function repairCounters(
  { fs, health, directory, manifest, generation, quarantineFile }: RepairJob,
  book: AccountBook,
): Promise<readonly RepairStep[]> {
  const files = join(directory, "quota");
  const { storeId, highWater: marks = {} } = manifest;
  const steps: RepairStep[] = [];
  for (const day of new Set(
    [...logsIn(await fs.list(files)), ...Object.keys(marks)].flatMap((log) => quotaDayOf(log) ?? []),
  )) {
    const kind = quotaLog(day);
    const { accept, accounts } = createTally();
    const { damages, unreadable } = await readLog(fs, files, { kind, storeId, marks, decode: decodeQuotaLine, accept });
    const [damage = unreadable] = damages;
    if (!damage) continue;
    const first = segmentName(kind, 1);

    async function apply(): Promise<void> {
      const segments = await listSegments(fs, files, kind);
      for (const { name } of segments) await quarantineFile(`quota/${name}`);
      // In this order, a crash in between leaves a day that the store refuses again, and never one without counters.
      await writeCounters(
        { fs, health, directory, storeId, generation },
        { day, accounts: spendUnits(accounts(), book, "all").accounts },
      );
      for (const { name } of segments) if (name !== first) await removeIfThere(fs, join(files, name));
      await health.synced(fs.syncDirectory(files));
    }
    const lost = [{ ...damage, file: `quota/${damage.file}` }];
    steps.push({
      file: `quota/${first}`,
      what: "is made anew: every account with a limit has no unit left of that day",
      lost,
      apply,
    });
  }
  return steps;
}
