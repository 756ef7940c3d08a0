import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { counter, type Family, gauge } from "../shared/metric_types.ts";
import type { StoreCondition } from "./errors.ts";
import type { DiskSpace } from "./folder_watcher.ts";

/** The metrics of the store in `directory`. */
export async function folderMetrics(
  directory: string,
  condition: StoreCondition,
  disk: DiskSpace | undefined,
): Promise<readonly Family[]> {
  const [logBytes, quotaBytes] = await Promise.all([
    bytesIn(join(directory, "obs")),
    bytesIn(join(directory, "quota")),
  ]);
  return [
    gauge("store_log_bytes", "Bytes of the files with observations.", logBytes),
    gauge("store_quota_bytes", "Bytes of the files with counters of units.", quotaBytes),
    gauge("store_disk_free_bytes", "Bytes left on the disk of the data.", disk?.freeBytes),
    gauge("store_disk_size_bytes", "Size of the disk of the data.", disk?.totalBytes),
    gauge("store_writable", "Whether the store can write just now: 1 or 0.", condition.problem ? 0 : 1),
    counter("store_syncs_total", "Syncs to the disk that succeeded.", condition.syncs),
    counter("store_sync_seconds_total", "Time that these syncs took.", condition.syncSeconds),
  ];
}

/** Bytes of the files in a folder, without its subfolders. Files that vanish meanwhile count as empty. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
