import { join } from "node:path";
import { logDirectory } from "../directory.ts";
import type { FileSystem } from "../fs.ts";
import { BASE, endOfBase, findBegin, readBase } from "../log/base.ts";
import type { LogEnd } from "../log/log.ts";
import type { Scan } from "../log/scan.ts";
import { isUnfinished, listLogs, scanSegments } from "../log/segments.ts";
import { OBSERVATIONS } from "../observations.ts";

/**
 * Reads how far the logs of a store go, for the high-water marks in its manifest. A log that is damaged gets no mark
 * where the mark could turn damage that a start accepts into damage that it refuses.
 */
export async function readLogEnds(fs: FileSystem, directory: string, storeId: string): Promise<Readonly<Record<string, LogEnd>>> {
  const ends: Record<string, LogEnd> = {};
  const reading = { storeId, decode: (line: object) => line, accept() {} };
  const base = await readBase(fs, join(directory, logDirectory(BASE)), reading, undefined);
  if (base.segment && base.damages.length === 0) ends[BASE] = endOfBase(base.segment);
  for (const log of [OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota")))]) {
    const files = join(directory, logDirectory(log));
    const begin = log === OBSERVATIONS ? await findBegin(fs, files) : undefined;
    const segments = await scanSegments(fs, files, { ...reading, kind: log, begin });
    const last = segments.findLast((segment) => !isUnfinished(segment, log));
    if (!last || (log !== OBSERVATIONS && segments.some(({ scan }) => isDamaged(scan)))) continue;
    const { end, size, check, next, generation } = last.scan;
    if (end > 0) ends[log] = { segment: last.number, length: Math.min(end, size), check, next, generation };
  }
  return ends;
}

function isDamaged({ damages, torn }: Scan): boolean {
  return damages.length > 0 || torn !== undefined;
}
