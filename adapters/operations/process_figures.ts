import { readdir } from "node:fs/promises";

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
