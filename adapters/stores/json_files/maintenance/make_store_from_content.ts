import { join } from "node:path";
import { contentEntries, type PriceContent } from "../../price_state/content_entries.ts";
import { type Before, keepReplaced, nothingBefore } from "../../price_state/replaced_records.ts";
import type { StoredRecord } from "../../shared/imports.ts";
import type { DayUsage } from "../../shared/store.ts";
import { type CopyCounts, countsOf, type MakeOptions, type StoreContent } from "../../shared/store_copying.ts";
import { replaceAccounts } from "../accounts.ts";
import { createHealth } from "../errors.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import type { LogEnd } from "../log/log.ts";
import { BASE, groupsOf, OBSERVATIONS } from "../log/log_base.ts";
import { writeLogFile } from "../log/log_file.ts";
import type { LogBegin, LogWriter } from "../log/segments.ts";
import { newStoreId, writeManifest } from "../manifest.ts";
import { encodeQuotaLines, quotaLog } from "../quota/quota_line.ts";
import { createStoreDirectory } from "./new_directory.ts";

/** How the files of a store are written. */
export interface WriteStoreOptions extends MakeOptions {
  readonly fs: FileSystem;
  readonly storeId: string;
  readonly backup?: true;
}

/** Makes a store in `target`, which must be empty or absent. The store appears when it is complete and on disk. */
export function makeStore(
  target: string,
  content: StoreContent,
  options: MakeOptions & { readonly fs?: FileSystem },
): Promise<CopyCounts> {
  const { fs = nodeFileSystem } = options;
  return createStoreDirectory(fs, target, (directory) =>
    writeStore(directory, content, { ...options, fs, storeId: newStoreId() }),
  );
}

/** Writes all files of a store into an empty directory made by `createStoreDirectory`. */
export async function writeStore(
  directory: string,
  content: StoreContent,
  { fs, storeId, now, progress, backup }: WriteStoreOptions,
): Promise<CopyCounts> {
  const { book, usage } = content;
  const plan: LogWriter = { fs, health: createHealth(), directory, storeId, generation: 1 };
  let records = 0;
  async function* counted(): AsyncGenerator<StoredRecord> {
    for await (const record of content.records()) {
      records++;
      yield record;
    }
  }
  // The count excludes records that imports have replaced, although they are also written.
  const prices = { ...(await pricesOf(content)), records: counted };
  const marks = [await writePrices(plan, { segment: 1, next: 2 }, prices, () => progress(records))];
  for (const day of usage) marks.push(await writeCounters(plan, day));
  await replaceAccounts(plan, storeId, book);
  const highWater: Readonly<Record<string, LogEnd>> = Object.assign({}, ...marks);
  await writeManifest(plan, { storeId, createdAt: now, accounts: true, highWater, ...(backup && { backup }) });
  return countsOf(content, records);
}

/** Loads into memory the records that imports have replaced. */
async function pricesOf({ imports, records, before }: StoreContent): Promise<PriceContent> {
  const all = new Map<number, Before>();
  for (const imported of imports) {
    const own = nothingBefore();
    for await (const { isTaken = false, ...record } of before(imported)) {
      const { code, businessTime: time, source, qualityStatus } = record;
      keepReplaced(own, {
        ...{ import: imported.id, code, time, record, act: isTaken ? "taken" : "replaced" },
        source: qualityStatus === "PENDING" ? source : null,
      });
    }
    own.records.finishLoading();
    all.set(imported.id, own);
  }
  return { imports, records, before: all };
}

/**
 * Writes all prices as the base of a log that continues at `begin`. If a record changes meanwhile, the base may have
 * the old or the new value; the next segment has the new value. Resolves to the place where the base ends, once all of
 * it is on disk.
 *
 * @param plan With the directory of the store.
 * @param progress Called from time to time with the number of records written since the previous call.
 */
export async function writePriceBase(
  plan: LogWriter,
  begin: LogBegin,
  content: PriceContent,
  progress?: (records: number) => void,
): Promise<LogEnd> {
  const { fs, health } = plan;
  const directory = join(plan.directory, "obs");
  const start = { kind: BASE, segment: begin.segment, first: 1, next: begin.next };
  const end = await writeLogFile({ ...plan, directory }, start, groupsOf(contentEntries(content), progress));
  await health.synced(fs.syncDirectory(directory));
  return end;
}

/** Like `writePriceBase`, but first makes the empty segment after the base. */
export async function writePrices(
  plan: LogWriter,
  begin: LogBegin,
  content: PriceContent,
  progress?: (records: number) => void,
): Promise<Readonly<Record<string, LogEnd>>> {
  const start = { kind: OBSERVATIONS, segment: begin.segment, first: begin.next };
  const log = await writeLogFile({ ...plan, directory: join(plan.directory, "obs") }, start, []);
  return { [OBSERVATIONS]: log, [BASE]: await writePriceBase(plan, begin, content, progress) };
}

/** Replaces the first file of a log with the counters of a day. The caller removes later files. */
export async function writeCounters(
  plan: LogWriter,
  { day, accounts }: Pick<DayUsage, "day" | "accounts">,
): Promise<Readonly<Record<string, LogEnd>>> {
  const kind = quotaLog(day);
  const lines = accounts.flatMap((used) => encodeQuotaLines("u", used)).map((line) => [line]);
  const start = { kind, segment: 1, first: 1 };
  return { [kind]: await writeLogFile({ ...plan, directory: join(plan.directory, "quota") }, start, lines) };
}
