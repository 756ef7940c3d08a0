import type { UtcClock } from "../../../core/mod.ts";
import { inTime } from "../shared/answer_in_time.ts";
import type { StoreWatcher } from "../shared/store.ts";
import type { Trouble } from "../shared/store_troubles.ts";
import type { Connection } from "./connection.ts";
import { firstOf } from "./schema.ts";

/** How long the lookup of one row may take, in milliseconds. A database that takes longer cannot serve requests. */
const LIMIT_MS = 2_000;
/** How far this clock may differ from the database's. The clocks of two instances differ by at most twice as much. */
const CLOCK_TOLERANCE_MS = 30_000;
/** Sorts more rows than fit into memory, to test the disk. The sort takes about 20 MB on disk, and no table grows. */
const FILL_DISK = "SET LOCAL work_mem = '64kB'; SELECT count(*) FROM generate_series(1, 1000000)";
const DISK_FULL: Trouble = { code: "disk-full", message: "The disk of the database is full: nothing can be imported" };

/** Reads a row to watch whether the database answers, accepts changes and agrees on the time. */
export function watchPostgres(
  { query, transaction, disk }: Pick<Connection, "query" | "transaction" | "disk">,
  clock: UtcClock,
): StoreWatcher {
  const probe =
    "SELECT current_setting('transaction_read_only') AS readonly, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time FROM mazaneh.book";
  let found: readonly Trouble[] = [];
  let probing: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    try {
      const sent = clock();
      const row = firstOf(await query<{ readonly: string; time: number }>(probe, []), "book");
      // The database read its clock after `sent` and before now.
      const ahead = Math.max(0, sent - row.time) || Math.min(0, clock() - row.time);
      found = [
        ...(row.readonly === "on" ? [READ_ONLY] : []),
        ...(Math.abs(ahead) > CLOCK_TOLERANCE_MS ? [clockDiffers(ahead)] : []),
      ];
    } catch (error) {
      found = [unreachable(error instanceof Error ? error.message : String(error))];
    }
  }

  return {
    troubles: () => (disk.isFull ? [...found, DISK_FULL] : found),
    canServe: () => found.every(({ code }) => code === "clock-differs"),
    async sweep() {
      // If the last probe is still running, waits for it, so that probes do not pile up.
      probing ??= sweep().finally(() => (probing = undefined));
      await inTime(probing, LIMIT_MS, () => {
        found = [unreachable(`no answer within ${LIMIT_MS / 1_000} seconds`)];
      });
      // A small change would not test the disk, because each table has some free space.
      if (disk.isFull) {
        const filled = transaction((filling) => filling(FILL_DISK));
        await filled.then(() => (disk.isFull = false)).catch(() => {});
      }
    },
  };
}

const READ_ONLY: Trouble = { code: "store-read-only", message: "The database accepts no changes" };

function clockDiffers(aheadMs: number): Trouble {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const message = `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's: correct the wrong one`;
  return { code: "clock-differs", message };
}

function unreachable(reason: string): Trouble {
  return { code: "store-unreachable", message: `The database cannot be reached: ${reason}` };
}
