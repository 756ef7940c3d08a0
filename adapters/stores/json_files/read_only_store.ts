import { indexKeys, Unavailable } from "../../../core/mod.ts";
import { countedUnits, type Store } from "../shared/store.ts";
import { codeOf, StoreError } from "../shared/store_error.ts";
import type { StoreCondition } from "./errors.ts";
import { folderMetrics } from "./folder_metrics.ts";
import { watchStore } from "./folder_watcher.ts";
import { lastBackupOf } from "./last_backup.ts";
import { accessThrough } from "./lock/store_access.ts";
import { readUsage } from "./quota/read_usage.ts";
import { readJsonFiles } from "./read_store.ts";

const MESSAGE =
  "The file system of the data is read-only, so no unit can be counted: repair it or mount it for writing";
const RETRY_SECONDS = 60;

/** Whether an error was caused by a read-only file system, e.g. because the kernel has remounted a failing disk. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && (codeOf(error) === "EROFS" || isReadOnly(error.cause));
}

/** A store in a read-only directory. Refuses units and changes. Once the directory is writable, `failed` resolves. */
export async function readOnlyStore(directory: string): Promise<Store> {
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (fail = resolve));
  const { storeId, state, observations, book, damages } = await readJsonFiles(directory);
  const keys = indexKeys(book);
  const usage = await readUsage(directory, { open: [] });
  const condition: StoreCondition = { problem: { kind: "read-only", message: MESSAGE }, syncs: 0, syncSeconds: 0 };
  const again = () => fail(new StoreError("The file system of the data is writable again: restart the server", 70));
  const watcher = await watchStore(directory, () => condition, again);
  const refuse = (): never => {
    throw new Unavailable(MESSAGE, RETRY_SECONDS);
  };
  const version = String(await observations.version());
  return {
    observations: { ...observations, append: refuse },
    accounts: { find: (id) => keys.get(id), book: () => book, update: refuse },
    quota: {
      ...{ take: refuse, giveBack: refuse },
      used(account, day) {
        const ofDay = usage.find((one) => one.day === day)?.accounts;
        return countedUnits(ofDay?.find((one) => one.account === account) ?? { units: 0 });
      },
    },
    imports: accessThrough(async () => refuse()).imports,
    async info() {
      const counts = { records: state.size, pending: state.pending, damages: damages.length };
      const lastBackup = await lastBackupOf(directory);
      return { storeId, version, ...counts, lastBackup, diskFreeBytes: watcher.disk()?.freeBytes };
    },
    ...{ failed, watcher, warnings: [MESSAGE] },
    metrics: () => folderMetrics(directory, condition, watcher.disk()),
    close: async () => undefined,
  };
}
