import { join } from "node:path";
import type { AssetCode, UtcMillis } from "../../../../core/mod.ts";
import { readAt } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import { BASE, groupsOf, OBSERVATIONS, removeBefore } from "../log/log_base.ts";
import { readLog } from "../log/read_log.ts";
import { decodeMarketLine, type MarketLine } from "../log/removal_line.ts";
import { logSeed, sealReader } from "../log/sealed_line.ts";
import { marketReader } from "../observation_log.ts";
import type { Loss, RepairJob, RepairStep } from "./repair.ts";
import { writeObservations } from "./write_log.ts";

const LINE_FEED = 10;

/**
 * Writes all records that can be read to a new base of the log, as a compaction does, and takes the files before it out of the
 * store: the damaged ones stay in the quarantine.
 */
export async function repairObservations(job: RepairJob): Promise<RepairStep | undefined> {
  const { fs, health, directory, manifest, generation, quarantineFile } = job;
  const { storeId, highWater: marks } = manifest;
  const files = join(directory, "obs");
  const { market, reader, finish } = marketReader();
  const read = await readLog<MarketLine>(fs, files, { kind: OBSERVATIONS, storeId, marks, ...reader });
  const { base, begin, segments, damages, unreadable } = read;
  if (damages.length === 0 && !unreadable) return undefined;
  const lost: Loss[] = [];
  for (const damage of damages)
    lost.push(...(await lookInto(job, damage, damage.file === base?.name ? BASE : OBSERVATIONS)).lost);
  const last = segments.at(-1);
  let next = (last?.scan.next ?? begin?.next ?? 1) + 1;
  // Good lines of an unreadable end come last, so nothing newer is undone by them.
  const end = unreadable && (await lookInto(job, unreadable, OBSERVATIONS));
  for (const line of end?.good ?? []) reader.accept(line, next++);
  lost.push(...(end?.lost ?? []));
  finish();
  const damaged = new Set([...damages, ...(unreadable ? [unreadable] : [])].map(({ file }) => file));
  const segment =
    Math.max(
      last?.number ?? 0,
      read.unfinished?.number ?? 0,
      begin?.segment ?? 0,
      marks?.[OBSERVATIONS]?.segment ?? 0,
    ) + 1;

  async function apply(): Promise<void> {
    for (const file of damaged) await quarantineFile(`obs/${file}`);
    await writeObservations({ fs, health, directory, storeId, generation }, { segment, next }, groupsOf(market.all()));
    await removeBefore(fs, files, segment);
  }
  const places = `${damaged.size} file${damaged.size === 1 ? "" : "s"}`;
  return {
    file: `obs/${[...damaged][0]}`,
    what: `cannot be read everywhere (${places} in all): the ${market.size} prices that can be read are written anew`,
    lost,
    apply,
  };
}

/** The good lines in damaged bytes, and what is lost of the others. */
async function lookInto(
  job: RepairJob,
  damage: FileDamage,
  log: string,
): Promise<{ readonly good: readonly MarketLine[]; readonly lost: readonly Loss[] }> {
  if (damage.length === 0) return { good: [], lost: [{ ...damage, file: `obs/${damage.file}` }] };
  const file = await job.fs.open(join(job.directory, "obs", damage.file), "read");
  try {
    const bytes = await readAt(file, damage.offset, damage.length);
    const { unseal } = sealReader(bytes, logSeed(job.manifest.storeId, log));
    const good: MarketLine[] = [];
    const lost: Loss[] = [];
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, start);
      const stop = feed === -1 ? bytes.length : feed;
      const line = unseal(start, stop);
      const decoded = typeof line === "string" ? undefined : decodeMarketLine(line);
      if (decoded) good.push(decoded);
      else
        lost.push({
          ...priceIn(bytes.toString("latin1", start, stop)),
          file: `obs/${damage.file}`,
          offset: damage.offset + start,
          length: stop - start,
          reason: damage.reason,
        });
      start = stop + 1;
    }
    return { good, lost };
  } finally {
    await file.close();
  }
}

/** The asset and the time in a damaged line, as far as they look like some. */
function priceIn(text: string): Pick<Loss, "code" | "time"> {
  const code = /"c":"([\w-]{1,64})"/.exec(text)?.[1];
  const time = /"t":(\d{1,13})\b/.exec(text)?.[1];
  return { ...(code && { code: code as AssetCode }), ...(time && { time: Number(time) as UtcMillis }) };
}
