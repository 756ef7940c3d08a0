import { join } from "node:path";
import { DataDamaged } from "../errors.ts";
import { codeOf } from "../fs.ts";
import { MISSING } from "../log/damage.ts";
import { endsAtMark, findLostEnd } from "../log/high_water.ts";
import type { LogEnd } from "../log/log.ts";
import type { LogPlan } from "../log/open_log.ts";
import { readSegmentHeader } from "../log/segment_header.ts";
import { scanSegments, segmentName } from "../log/segments.ts";

const REMEDY = "Restore a backup, or run the repair command";

/**
 * Throws `DataDamaged` where a day's counters are not as far as they once were: what they lack would be granted
 * again. A day in one file, as nearly all are, is not read for it: its header and its last line show it.
 */
export async function demandWhole(
  { fs, directory, storeId }: Pick<LogPlan<unknown>, "fs" | "directory" | "storeId">,
  kind: string,
  mark: LogEnd,
): Promise<void> {
  const path = join(directory, segmentName(kind, mark.segment));
  try {
    const header = await readSegmentHeader(fs, path);
    const isWhole = header?.kind === kind && header.storeId === storeId && (await endsAtMark(fs, path, mark));
    if (!isWhole) throw new DataDamaged(path, `is damaged: it does not hold the ${mark.length} bytes that it once had`, REMEDY);
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? new DataDamaged(path, MISSING, REMEDY) : error;
  }
  if (mark.segment === 1) return;
  const segments = await scanSegments(fs, directory, { kind, storeId, decode: (line) => line, accept() {}, highWater: mark });
  const damages = segments.flatMap(({ name, scan }) => scan.damages.map((damage) => ({ ...damage, file: name })));
  const first = damages[0] ?? findLostEnd(segments, kind, mark);
  if (first) throw new DataDamaged(join(directory, first.file), `is damaged at byte ${first.offset}: ${first.reason}`, REMEDY);
}
