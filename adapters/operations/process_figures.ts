import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the process uses of the machine. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly cpuSeconds: number;
  /** Unix time in seconds. */
  readonly startedAt: number;
  /** `undefined` where the system does not tell. */
  readonly openFiles: number | undefined;
}

/** Reads the figures of this process. */
export async function processFigures(): Promise<ProcessFigures> {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  // The listing opens one itself.
  const openFiles = await readdir("/proc/self/fd").then((names) => names.length - 1, () => undefined);
  return { residentBytes: rss, heapUsedBytes: heapUsed, cpuSeconds: (user + system) / 1e6, startedAt: performance.timeOrigin / 1_000, openFiles };
}

/** Bytes of the files in a folder, without its subfolders. Files that vanish meanwhile count as empty. */
export async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then((found) => (found.isFile() ? found.size : 0), () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
