import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { parseDate } from "../../../core/internal.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/mod.ts";
import type { AccountUsage, DayUsage } from "../../store/store.ts";
import { StoreError } from "../../store/store_error.ts";
import { HolderGone, HolderLeft } from "../errors.ts";
import { codeOf, nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { connectToStore } from "../lock/control_client.ts";
import { findLostEnd } from "../log/high_water.ts";
import { listLogs, scanSegments } from "../log/segments.ts";
import { readManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import type { Counter } from "./counter.ts";
import { decodeQuotaLine, quotaLog } from "./quota_line.ts";
import type { QuotaLine } from "./quota_line.ts";

/** How long a holder may take to answer. */
const ANSWER_MS = 10_000;

/** The usage of a day, collected of the lines of its log: the last number of units counts, and all keys. */
export function createTally(): { accept(line: QuotaLine): void; accounts(): readonly AccountUsage[] } {
  const accounts = new Map<AccountId, { account: AccountId; units: number; keys: KeyId[] }>();
  return {
    accept({ account, units, keys }) {
      let known = accounts.get(account);
      if (!known) accounts.set(account, (known = { account, units, keys: [] }));
      known.units = units;
      known.keys.push(...keys);
    },
    accounts: () => [...accounts.values()],
  };
}

/** The usage of a day that is open. */
export function usageOf(counters: Iterable<Pick<Counter, "account" | "used">>, keys: ReadonlyMap<KeyId, AccountId>): readonly AccountUsage[] {
  const { accept, accounts } = createTally();
  for (const { account, used } of counters) accept({ account, units: used, keys: [] });
  const known = new Map(accounts().map((usage) => [usage.account, usage.units]));
  for (const [key, account] of keys) accept({ account, units: known.get(account) ?? 0, keys: [key] });
  return accounts();
}

/**
 * Reads what was used on the quota days of the store in `directory`, the newest first, without a lock. Of days that are
 * open in the process that holds the store, that process tells it: the files have what it has reserved.
 *
 * @param from The first day. Default: all that there are, of which a store keeps 35.
 */
export async function readUsage(
  directory: string,
  { from, fs = nodeFileSystem }: { readonly from?: CalendarDate; readonly fs?: FileSystem } = {},
): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for await (const day of usageBeside(await usageOfHolder(directory, fs), directory, { from, fs })) days.push(day);
  return days;
}

/** What was used by day, the newest first: on the `open` days as they say, on all others as the files do. */
export async function* usageBeside(
  open: readonly DayUsage[],
  directory: string,
  { from, fs = nodeFileSystem }: { readonly from?: CalendarDate | undefined; readonly fs?: FileSystem } = {},
): AsyncGenerator<DayUsage> {
  const waiting = open.filter(({ day }) => from === undefined || day >= from).sort((a, b) => (a.day < b.day ? 1 : -1));
  for await (const recorded of readQuotaDays(directory, { from, except: new Set(waiting.map(({ day }) => day)), fs })) {
    while (waiting[0] && waiting[0].day > recorded.day) yield waiting.shift()!;
    yield recorded;
  }
  yield* waiting;
}

/** Which quota days are read of files. */
export interface QuotaDaysOptions {
  readonly from?: string | undefined;
  readonly except?: ReadonlySet<CalendarDate>;
  readonly fs?: FileSystem;
  /** The manifest of a point in time, to which the files are limited. Default: as it is now. */
  readonly manifest?: Manifest;
}

/** Reads the quota days of a store from its files alone, the newest first. */
export async function* readQuotaDays(
  directory: string,
  { from = "", except = new Set(), fs = nodeFileSystem, manifest: known }: QuotaDaysOptions = {},
): AsyncGenerator<DayUsage> {
  const manifest = known ?? (await readManifest(fs, directory));
  if (!manifest) throw new StoreError(`Cannot read a store as there is none in "${directory}"`, 65);
  const files = join(directory, "quota");
  const days = (await logsIn(fs, files)).flatMap((log) => parseDate(log.slice(quotaLog("" as CalendarDate).length)) ?? []);
  for (const day of days.filter((one) => one >= from && !except.has(one)).sort().reverse()) {
    const kind = quotaLog(day);
    const highWater = manifest.highWater?.[kind];
    const { accept, accounts } = createTally();
    try {
      const segments = await scanSegments(fs, files, { kind, storeId: manifest.storeId, decode: decodeQuotaLine, accept, highWater });
      const isDamaged = segments.some(({ scan }) => scan.damages.length > 0) || findLostEnd(segments, kind, highWater) !== undefined;
      yield { day, accounts: accounts(), ...(isDamaged && { damaged: true as const }) };
    } catch (error) {
      // The holder removes the files of old days.
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
}

async function logsIn(fs: FileSystem, files: string): Promise<readonly string[]> {
  try {
    return await listLogs(fs, files);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return [];
  }
}

/** What the process that holds the store has counted on the days that are open in it; nothing where there is none. */
export async function usageOfHolder(directory: string, fs: FileSystem): Promise<readonly DayUsage[]> {
  for (;;) {
    const holder = await connectToStore(directory, fs);
    if (!holder) return [];
    const late = new AbortController();
    try {
      const tooLate = delay(ANSWER_MS, undefined, { signal: late.signal }).then(() => {
        throw new StoreError(`Cannot tell what was used as the process that holds "${directory}" has not answered for ${ANSWER_MS / 1_000} seconds`, 69);
      });
      return await Promise.race([holder.usage(), tooLate.catch((error) => (late.signal.aborted ? [] : Promise.reject(error)))]);
    } catch (error) {
      if (error instanceof HolderLeft) continue; // There may be another by now.
      if (error instanceof HolderGone) return [];
      throw error;
    } finally {
      late.abort();
      await holder.close();
    }
  }
}
