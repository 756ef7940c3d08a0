import { join } from "node:path";
import type { AccountBook, UtcMillis } from "../../../core/mod.ts";
import { ACCOUNTS, PREVIOUS_ACCOUNTS, readAccounts } from "../accounts.ts";
import { prepareDirectory } from "../directory.ts";
import { DataDamaged, createHealth } from "../errors.ts";
import { CHECKPOINT } from "../checkpoint/checkpoint.ts";
import { nodeFileSystem, readWhole, removeIfThere } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { acquireLock } from "../lock/lock.ts";
import { MANIFEST, readManifest, writeManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { placeOf } from "./mark.ts";
import { OBSERVATIONS } from "../observations.ts";
import type { LogPlan } from "../log/open_log.ts";
import { repairCounters, repairObservations } from "./repair_log.ts";
import { temporaryName } from "../replace.ts";
import { readSegmentHeader } from "../log/segment_header.ts";
import { listLogs, listSegments } from "../log/segments.ts";

/** One thing that was repaired. */
export interface Repair {
  /** Its path within the store. */
  readonly file: string;
  /** What was done, in words. */
  readonly what: string;
}

/** What all repairs of a run share. `directory` is the store's. */
export interface RepairJob extends Omit<LogPlan<unknown>, "storeId" | "kind" | "strict" | "decode" | "accept"> {
  readonly repairs: Repair[];
  /** Keeps a whole file in the quarantine under a second name; it still stands where it was. */
  keep(file: string): Promise<void>;
}

/**
 * Makes a store that does not open for damage open again, at the price of what is damaged: the only
 * act that removes more than a torn end, and all it removes is in `quarantine/`. Needs the lock.
 * Throws where nothing can be done, e.g. for a file of another store or of a later version.
 */
export async function repairStore(
  directory: string,
  { now, fs = nodeFileSystem, beatMs = 5_000 }: { readonly now: UtcMillis; readonly fs?: FileSystem; readonly beatMs?: number },
): Promise<readonly Repair[]> {
  const health = createHealth(() => {});
  await prepareDirectory(fs, health, directory);
  const lock = await acquireLock(fs, directory, { now, beatMs, onLost: (error) => void health.fail(error) });
  const { generation } = lock;
  const quarantineDirectory = join(directory, "quarantine");
  const job: RepairJob = {
    ...{ fs, health, directory, quarantineDirectory, generation, now, segmentBytes: Infinity, repairs: [] },
    async keep(file) {
      const name = `${file.replaceAll("/", ".")}.${generation}.${now}`;
      await fs.link(join(directory, file), join(quarantineDirectory, name));
      await health.synced(fs.syncDirectory(quarantineDirectory));
    },
  };
  try {
    // What comes of the log from here on, it does not know.
    await removeIfThere(fs, join(directory, "obs", CHECKPOINT));
    const manifest = await repairManifest(job);
    const book = await repairAccounts(job, manifest.storeId);
    await repairCounters(job, manifest.storeId, book);
    await repairObservations(job, manifest);
    return job.repairs;
  } finally {
    await lock.close();
  }
}

/** Makes the manifest anew where it cannot be read: all that matters of it is the owner that every log names. */
async function repairManifest({ fs, health, directory, repairs, keep, now }: RepairJob): Promise<Manifest> {
  const path = join(directory, MANIFEST);
  let failure: unknown = new DataDamaged(path, "is missing", "Restore a backup");
  try {
    const found = await readManifest(fs, directory);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    failure = error;
  }
  const storeId = await ownerOf(fs, directory);
  if (storeId === undefined) throw failure;
  if (await readWhole(fs, path)) await keep(MANIFEST);
  repairs.push({ file: MANIFEST, what: "was made anew from what the logs say" });
  return writeManifest(fs, health, directory, { storeId, createdAt: now });
}

async function ownerOf(fs: FileSystem, directory: string): Promise<string | undefined> {
  for (const log of [OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota")))]) {
    const place = join(directory, placeOf(log));
    for (const { name } of await listSegments(fs, place, log)) {
      const owner = await readSegmentHeader(fs, join(place, name));
      if (owner) return owner.storeId;
    }
  }
  return undefined;
}

/** Puts the version before the last change in the place of accounts that cannot be read. */
async function repairAccounts({ fs, health, directory, repairs, keep }: RepairJob, storeId: string): Promise<AccountBook> {
  const place = join(directory, "accounts");
  try {
    return (await readAccounts(fs, place, storeId)).book;
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    const { book, rev } = await readAccounts(fs, place, storeId, PREVIOUS_ACCOUNTS);
    if (rev === 0) throw error; // There is none.
    await keep(`accounts/${ACCOUNTS}`);
    const temporary = temporaryName(join(place, ACCOUNTS));
    await fs.link(join(place, PREVIOUS_ACCOUNTS), temporary);
    await fs.rename(temporary, join(place, ACCOUNTS));
    await health.synced(fs.syncDirectory(place));
    repairs.push({ file: `accounts/${ACCOUNTS}`, what: "is as before the last change, which may have been a revocation: look through the keys" });
    return book;
  }
}
