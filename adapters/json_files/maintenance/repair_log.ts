import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseDate } from "../../../core/internal.ts";
import type { AccountBook, CalendarDate } from "../../../core/mod.ts";
import { DataDamaged } from "../errors.ts";
import { readAt } from "../fs.ts";
import { logSeed, unseal } from "../log/line.ts";
import { findLostEnd } from "../log/high_water.ts";
import { observationLines } from "../log/observation_line.ts";
import { isOneGroup, openLog } from "../log/open_log.ts";
import { quarantine } from "../log/quarantine.ts";
import { decodeMarketLine, isRemoval, removalLines } from "../log/removal_line.ts";
import type { MarketLine } from "../log/removal_line.ts";
import { BASE, readBase } from "../log/base.ts";
import type { LogEnd } from "../log/log.ts";
import type { Damage } from "../log/damage.ts";
import { isUnfinished, listLogs, scanSegments, segmentName } from "../log/segments.ts";
import type { Segment } from "../log/segments.ts";
import { writeManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import { decodeQuotaLine, quotaLog } from "../quota/quota_line.ts";
import { createTally } from "../quota/usage.ts";
import { exhaustDay } from "./exhaust.ts";
import type { RepairJob } from "./repair.ts";

const CUT = "its end, which could not be read, was cut off";

/**
 * Cuts off an unreadable end of the observations that the store refuses to cut by itself, and appends the
 * good lines in it again. Bad lines elsewhere stay where they are: the store opens with them. Resolves to the log's end.
 */
export async function repairObservations(job: RepairJob, manifest: Manifest): Promise<LogEnd> {
  const { fs, health, repairs } = job;
  const directory = join(job.directory, "obs");
  const { storeId, highWater: marks = {} } = manifest;
  const highWater = marks[OBSERVATIONS];
  const reading = { storeId, decode: decodeMarketLine, accept() {} };
  const base = await readBase(fs, directory, reading, marks[BASE]);
  // Other damage of a base stays where it is, as that of segments does.
  const lostBase = base.segment ? findLostEnd([base.segment], BASE, marks[BASE]) : base.damages[0];
  if (lostBase) repairs.push({ file: `obs/${lostBase.file}`, what: `${lostBase.reason} at byte ${lostBase.offset}: what is lost was given up` });
  const plan = { ...reading, kind: OBSERVATIONS, base, begin: base.begin, highWater };
  const segments = await scanSegments(fs, directory, plan);
  const lost = findLostEnd(segments, OBSERVATIONS, highWater, base.begin);
  if (lost) repairs.push({ file: `obs/${lost.file}`, what: `${lost.reason} at byte ${lost.offset}: what is lost was given up` });
  const last = segments.findLast((segment) => !isUnfinished(segment, OBSERVATIONS));
  let rescued: MarketLine[] = [];
  if (last?.scan.torn && !(await isOneGroup(fs, last, last.scan.torn))) {
    // Before the cut: sequence numbers repeat with other content from here on, and versions are made of them.
    await writeManifest(fs, health, job.directory, manifest);
    rescued = await cutEnd(job, manifest.storeId, last, last.scan.torn);
    repairs.push({ file: `obs/${last.name}`, what: `${CUT}; ${rescued.length} good lines of it were appended again` });
  }
  const { log, torn, readOnly } = await openLog({ ...job, ...plan, directory, strict: false });
  if (readOnly) throw readOnly;
  try {
    if (torn) repairs.push({ file: `obs/${torn.file}`, what: CUT });
    await Promise.all(rescued.map((line) => log.append(isRemoval(line) ? removalLines([line]) : observationLines([line]), () => undefined)));
    return log.end();
  } finally {
    await log.close();
  }
}

/** Cuts off the end of a log's file when a copy of it is on the device. Returns the records in it. */
async function cutEnd({ fs, health, quarantineDirectory, now }: RepairJob, storeId: string, { name, path }: Segment, end: Damage): Promise<MarketLine[]> {
  const file = await fs.open(path, "append");
  try {
    const bytes = await readAt(file, end.offset, end.length);
    await quarantine(fs, file, [end], { path: join(quarantineDirectory, name), file: name, storeId, now, health });
    await file.truncate(end.offset);
    await health.synced(file.sync());
    return goodLines(bytes, logSeed(storeId, OBSERVATIONS));
  } finally {
    await file.close();
  }
}

/** The records of a torn end. None of them is out of sequence: such a line would not be part of the torn end. */
function goodLines(bytes: Buffer, seed: number): MarketLine[] {
  const lines: MarketLine[] = [];
  for (let start = 0, stop = bytes.indexOf(10); stop !== -1; start = stop + 1, stop = bytes.indexOf(10, start)) {
    const line = unseal(bytes, start, stop, seed);
    const decoded = typeof line === "string" ? undefined : decodeMarketLine(line);
    if (decoded) lines.push(decoded);
  }
  return lines;
}

/**
 * Replaces the counters of each day that the store refuses to open. Nobody can tell whose units a bad line
 * counted, so every account with a limit has no unit left of such a day.
 */
export async function repairCounters(job: RepairJob, { storeId, highWater = {} }: Manifest, book: AccountBook): Promise<void> {
  const directory = join(job.directory, "quota");
  for (const kind of new Set([...(await listLogs(job.fs, directory)), ...Object.keys(highWater)])) {
    const date = parseDate(kind.slice(quotaLog("" as CalendarDate).length));
    if (!date) continue;
    try {
      const plan = { ...job, directory, storeId, kind, strict: true, decode: decodeQuotaLine, accept() {}, highWater: highWater[kind] };
      const { log, torn, readOnly } = await openLog(plan);
      await log.close();
      if (readOnly) throw readOnly;
      if (torn) job.repairs.push({ file: `quota/${torn.file}`, what: CUT });
    } catch (error) {
      if (!(error instanceof DataDamaged)) throw error;
      await renewDay(job, storeId, date, book);
    }
  }
}

async function renewDay({ repairs, quarantineFile, ...job }: RepairJob, storeId: string, date: CalendarDate, book: AccountBook): Promise<void> {
  const { fs, health } = job;
  const directory = join(job.directory, "quota");
  const kind = quotaLog(date);
  const { accept, accounts } = createTally();
  const segments = await scanSegments(fs, directory, { kind, storeId, decode: decodeQuotaLine, accept });
  for (const { name } of segments) await quarantineFile(`quota/${name}`);
  const temporary = join(directory, "repair.tmp");
  await rm(temporary, { recursive: true, force: true });
  await fs.makeDirectory(temporary);
  await exhaustDay({ ...job, storeId, directory: temporary }, date, book, "all", accounts());
  const first = segmentName(kind, 1);
  // In this order, a crash in between leaves a day that the store refuses again, and never one without counters.
  await fs.rename(join(temporary, first), join(directory, first));
  for (const { name } of segments) if (name !== first) await fs.remove(join(directory, name));
  await health.synced(fs.syncDirectory(directory));
  await rm(temporary, { recursive: true, force: true });
  repairs.push({ file: `quota/${first}`, what: "was made anew: every account with a limit has no unit left of that day" });
}
