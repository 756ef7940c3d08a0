import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { counter, type Family, gauge } from "../shared/metric_types.ts";
import type { StoreCondition } from "./errors.ts";
import type { DiskSpace } from "./folder_watcher.ts";

/** The metrics of the store in `directory`. */
export async function folderMetrics(
  directory: string,
  condition: StoreCondition,
  disk: DiskSpace | undefined,
): Promise<readonly Family[]> {
  const bytes = await diskUse(directory).catch(() => undefined);
  return [
    gauge("store_log_bytes", "Bytes of the files with observations.", bytes?.observations ?? 0),
    gauge("store_quota_bytes", "Bytes of the files with counters of units.", bytes?.quota ?? 0),
    gauge("store_disk_free_bytes", "Free bytes on the disk of the data.", disk?.freeBytes),
    gauge("store_disk_size_bytes", "Size of the disk of the data.", disk?.totalBytes),
    gauge("store_writable", "Whether the store can write at the moment: 1 or 0.", condition.problem ? 0 : 1),
    counter("store_syncs_total", "Successful syncs to the disk.", condition.syncs),
    counter("store_sync_seconds_total", "Total time of the successful syncs to the disk.", condition.syncSeconds),
  ];
}

/** The total sizes of the files in a data directory by part, in display order. Skips files removed meanwhile. */
export async function diskUse(directory: string) {
  const use = { observations: 0, accounts: 0, quota: 0, quarantine: 0, other: 0 };
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [folder = ""] = relative(directory, path).split(sep);
    const part = folder === "obs" ? "observations" : folder;
    use[Object.hasOwn(use, part) ? (part as keyof typeof use) : "other"] += await lstat(path).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return use;
}
