import type { Store } from "../shared/store.ts";
import type { StoreError } from "../shared/store_error.ts";
import { folderMetrics } from "./folder_metrics.ts";
import { watchStore } from "./folder_watcher.ts";
import { lastBackupOf } from "./maintenance/backup.ts";
import { mirrorStateFile } from "./mirror_state_file.ts";
import { eachUsage } from "./quota/read_usage.ts";
import type { JsonFileStore } from "./store.ts";

/** Where a store lies, and how it ends. */
export interface StorePlace {
  readonly directory: string;
  readonly failed: Promise<StoreError>;
  /** Makes `failed` settle. */
  readonly fail: (error: StoreError) => void;
}

/** A store in a directory, as a server knows all stores. Begins to watch its folders: what they are now is what they should stay. */
export async function storeInFolder(store: JsonFileStore, { directory, failed, fail }: StorePlace): Promise<Store> {
  const { observations, accounts, quota, imports, access, warnings, condition, close } = store;
  try {
    const watcher = await watchStore({ directory, condition });
    return {
      observations,
      accounts,
      quota: {
        ...quota,
        async *usage(query) {
          yield* eachUsage(directory, { ...query, open: await access.usage() });
        },
      },
      imports,
      async info() {
        const { storeId, version, damages } = await access.info();
        const found = {
          records: observations.size(),
          pending: observations.pending(),
          lastBackup: await lastBackupOf(directory),
        };
        return { storeId, version, damages, ...found, diskFreeBytes: watcher.disk()?.freeBytes };
      },
      failed,
      watcher,
      metrics: () => folderMetrics(directory, condition(), watcher.disk()),
      warnings,
      mirrorState: (upstream) => mirrorStateFile(directory, upstream, { onFatal: fail }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
