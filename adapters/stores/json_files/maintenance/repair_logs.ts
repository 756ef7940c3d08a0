import { join } from "node:path";
import type { AccountBook, AssetCode, UtcMillis } from "../../../../core/mod.ts";
import { withoutDoubt } from "../../price_state/content_entries.ts";
import type { Entry } from "../../price_state/entries.ts";
import { findReplacedBefore } from "../../price_state/replaced_records.ts";
import { type FileSystem, LINE_FEED, readRange, removeIfThere } from "../file_system.ts";
import type { FileDamage } from "../log/damage.ts";
import { decodeEntry } from "../log/entry_line.ts";
import { BASE, OBSERVATIONS, removeBefore } from "../log/log_base.ts";
import { logSeed, unseal } from "../log/sealed_line.ts";
import { listSegments, segmentName } from "../log/segments.ts";
import type { Manifest } from "../manifest.ts";
import { readPriceLog, readPrices } from "../price_log.ts";
import { quotaDays, quotaLog, spendUnits } from "../quota/quota_line.ts";
import { readDay } from "../quota/read_usage.ts";
import { writeCounters, writePrices } from "./make_store_from_content.ts";
import type { Loss, RepairStep } from "./repair.ts";

/** Replaces the counters of damaged days. The used units are unknown, so accounts with a limit have no units left. */
export async function repairCounters(
  fs: FileSystem,
  directory: string,
  manifest: Manifest,
  book: AccountBook,
): Promise<readonly RepairStep[]> {
  const files = join(directory, "quota");
  const steps: RepairStep[] = [];
  for (const day of quotaDays(await fs.list(files), manifest.highWater)) {
    const kind = quotaLog(day);
    const { accounts, damage } = await readDay(fs, files, manifest, day);
    if (!damage) continue;
    const names = (await listSegments(fs, files, kind)).map(({ name }) => name);
    const first = segmentName(kind, 1);
    steps.push({
      file: `quota/${first}`,
      what: "is made anew: no account with a limit has units left for that day",
      lost: [{ ...damage, file: `quota/${damage.file}` }],
      taken: names.map((name) => `quota/${name}`),
      async write(plan) {
        // Counters are written before files are removed: a crash in between leaves the day damaged, but with counters.
        await writeCounters(plan, { day, accounts: spendUnits(accounts, book, "all").accounts });
        for (const name of names) if (name !== first) await removeIfThere(fs, join(files, name));
        await plan.health.synced(fs.syncDirectory(files));
      },
    });
  }
  return steps;
}

/** Writes all readable records to a new base, and removes the files before it. The quarantine keeps damaged files. */
export async function repairPrices(
  fs: FileSystem,
  directory: string,
  { storeId, highWater: marks }: Manifest,
): Promise<readonly RepairStep[]> {
  const files = join(directory, "obs");
  const prices = { fs, directory: files, storeId, marks };
  const { state, read } = await readPrices(prices);
  const { base, begin, segments, damages, unreadable, unfinished } = read;
  const [first] = damages;
  if (!first) return [];
  const good: Entry[] = [];
  const lost: Loss[] = [];
  for (const damage of damages) {
    const seed = logSeed(storeId, damage.file === base?.name ? BASE : OBSERVATIONS);
    const found = await lookInto(fs, files, damage, seed);
    lost.push(...found.lost);
    // Good lines of an unreadable end are applied last, because they are the newest.
    if (damage === unreadable) good.push(...found.good);
  }
  let next = read.next + 1;
  for (const entry of good) state.apply(entry, next++);
  const damaged = [...new Set(damages.map(({ file }) => file))];
  const places = `${damaged.length} file${damaged.length === 1 ? "" : "s"}`;
  const numbers = [segments.at(-1)?.number, unfinished?.number, begin?.segment, marks?.[OBSERVATIONS]?.segment];
  const segment = Math.max(...numbers.map((number = 0) => number)) + 1;
  const step: RepairStep = {
    file: `obs/${first.file}`,
    what: `is damaged (${places} in all): the readable records (${state.size}) are written to a new file`,
    lost,
    taken: damaged.map((file) => `obs/${file}`),
    async write(plan) {
      const before = await findReplacedBefore(state, async (take) => {
        await readPriceLog(prices, take);
        good.forEach(take);
      });
      const content = { imports: [...state.imports()], records: () => withoutDoubt(state, before), before };
      await writePrices(plan, { segment, next }, content);
      await removeBefore(fs, files, segment);
    },
  };
  return [step];
}

/** The good lines in damaged bytes, and a description of the data lost in the other lines. */
async function lookInto(fs: FileSystem, files: string, damage: FileDamage, seed: number) {
  const file = `obs/${damage.file}`;
  if (damage.length === 0) return { good: [], lost: [{ ...damage, file }] };
  const { offset, length, reason } = damage;
  const bytes = await readRange(fs, join(files, damage.file), offset, length);
  const good: Entry[] = [];
  const lost: Loss[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const stop = feed === -1 ? bytes.length : feed;
    const line = unseal(bytes.subarray(start, stop), seed);
    const entry = typeof line === "string" ? undefined : decodeEntry(line);
    const place = { file, offset: offset + start, length: stop - start, reason };
    if (entry) good.push(entry);
    else lost.push({ ...pricesIn(bytes.toString("latin1", start, stop)), ...place });
    start = stop + 1;
  }
  return { good, lost };
}

/** The asset and the times of the records that a damaged line stores, if recognizable. */
function pricesIn(text: string): Pick<Loss, "code" | "time" | "lastTime" | "records"> {
  if (text.includes('"type":"replaced"')) return {};
  const code = /"code":"([\w-]{1,64})"/.exec(text)?.[1];
  const times = /"businessTime":\[([\d,]{1,1000})/.exec(text)?.[1]?.split(",").map(Number) ?? [];
  const [time] = times;
  return {
    ...(code && { code: code as AssetCode }),
    ...(time && { time: time as UtcMillis, lastTime: times.at(-1) as UtcMillis, records: times.length }),
  };
}
