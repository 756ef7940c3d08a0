import { join } from "node:path";
import { EMPTY_BOOK } from "../../../core/mod.ts";
import type { AccountBook, UtcMillis } from "../../../core/mod.ts";
import { ACCOUNTS, PREVIOUS_ACCOUNTS, accountDocument, readAccounts, readPreviousAccounts } from "../accounts.ts";
import { CHECKPOINT } from "../checkpoint/checkpoint.ts";
import { logDirectory, prepareDirectory } from "../directory.ts";
import { DataDamaged, createHealth } from "../errors.ts";
import { nodeFileSystem, readWhole, removeIfThere } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { acquireLock } from "../lock/lock.ts";
import type { LogPlan } from "../log/open_log.ts";
import { readSegmentHeader } from "../log/segment_header.ts";
import { listLogs, listSegments } from "../log/segments.ts";
import { MANIFEST, readManifest, writeManifest } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { OBSERVATIONS } from "../observations.ts";
import { replaceDocument, temporaryName } from "../replace.ts";
import { readLogEnds } from "./log_ends.ts";
import { repairImports } from "./repair_imports.ts";
import { repairCounters, repairObservations } from "./repair_log.ts";

/** One thing that was repaired. */
export interface Repair {
  /** Its path within the store. */
  readonly file: string;
  /** What was done, as the end of a sentence that begins with the file. */
  readonly what: string;
}

/** What all repairs of a run share. `directory` is the store's. */
export interface RepairJob extends Omit<LogPlan<unknown>, "storeId" | "kind" | "strict" | "decode" | "accept"> {
  readonly repairs: Repair[];
  /** Links a whole file into the quarantine; it also stays where it is. */
  quarantineFile(file: string): Promise<void>;
}

/**
 * Makes a damaged store open again, at the price of the damaged data. This is the only function that
 * removes more than a torn end, and all that it removes is in `quarantine/`. Needs the lock.
 * Throws where it cannot help, e.g. for a file of another store or of a later version.
 */
export async function repairStore(
  directory: string,
  { now, fs = nodeFileSystem, heartbeatMs = 5_000 }: { readonly now: UtcMillis; readonly fs?: FileSystem; readonly heartbeatMs?: number },
): Promise<readonly Repair[]> {
  const health = createHealth(() => {});
  await prepareDirectory(fs, health, directory, async () => []);
  const lock = await acquireLock(fs, directory, { now, heartbeatMs, onLost: (error) => void health.fail(error) });
  const { generation } = lock;
  const quarantineDirectory = join(directory, "quarantine");
  const job: RepairJob = {
    ...{ fs, health, directory, quarantineDirectory, generation, now, segmentBytes: Infinity, repairs: [] },
    async quarantineFile(file) {
      const name = `${file.replaceAll("/", ".")}.${generation}.${now}`;
      await fs.link(join(directory, file), join(quarantineDirectory, name));
      await health.synced(fs.syncDirectory(quarantineDirectory));
    },
  };
  try {
    // A checkpoint does not know what the repair changes in the log.
    await removeIfThere(fs, join(directory, "obs", CHECKPOINT));
    const manifest = await repairManifest(job);
    const book = await repairAccounts(job, manifest);
    await repairCounters(job, manifest, book);
    const end = await repairObservations(job, manifest);
    await repairImports(job, manifest);
    if (job.repairs.length > 0) {
      // What was lost is accepted: marks of what is there replace those that show it.
      // With a new epoch, as sequence numbers may come again.
      // Zeros before an end that was cut off are damage for good: a start would take them for the next incomplete write.
      const ends = await readLogEnds(fs, directory, manifest.storeId);
      // The log's own number leaves out what was lost, which the mark would tell again.
      const marked = { ...end, next: Math.min(end.next, ends[OBSERVATIONS]?.next ?? 1) };
      await writeManifest(fs, health, directory, manifest, { ...ends, [OBSERVATIONS]: marked });
    }
    return job.repairs;
  } finally {
    await lock.close();
  }
}

/** Writes an unreadable manifest anew: of its content, only the store's id matters, and every log names it. */
async function repairManifest({ fs, health, directory, repairs, quarantineFile, now }: RepairJob): Promise<Manifest> {
  const path = join(directory, MANIFEST);
  let failure: unknown = new DataDamaged(path, "is missing", "Restore a backup");
  try {
    const found = await readManifest(fs, directory);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    failure = error;
  }
  const storeId = await storeIdOfLogs(fs, directory);
  if (storeId === undefined) throw failure;
  if (await readWhole(fs, path)) await quarantineFile(MANIFEST);
  repairs.push({ file: MANIFEST, what: "was made anew from what the logs say" });
  return writeManifest(fs, health, directory, { storeId, createdAt: now });
}

async function storeIdOfLogs(fs: FileSystem, directory: string): Promise<string | undefined> {
  for (const log of [OBSERVATIONS, ...(await listLogs(fs, join(directory, "quota")))]) {
    const files = join(directory, logDirectory(log));
    for (const { name } of await listSegments(fs, files, log)) {
      const owner = await readSegmentHeader(fs, join(files, name));
      if (owner) return owner.storeId;
    }
  }
  return undefined;
}

/** Replaces accounts that are unreadable or missing by their version before the last change. */
async function repairAccounts(job: RepairJob, manifest: Manifest): Promise<AccountBook> {
  const { fs, health, directory, repairs, quarantineFile } = job;
  const accounts = join(directory, "accounts");
  const path = join(accounts, ACCOUNTS);
  const file = `accounts/${ACCOUNTS}`;
  try {
    return (await readAccounts(fs, accounts, manifest)).book;
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    const isLost = (await readWhole(fs, path)) === undefined;
    const { book, found } = await readPreviousAccounts(fs, accounts, manifest.storeId);
    if (!found && !isLost) throw error;
    if (!isLost) await quarantineFile(file);
    if (found) {
      const temporary = temporaryName(path);
      await fs.link(join(accounts, PREVIOUS_ACCOUNTS), temporary);
      await fs.rename(temporary, path);
      await health.synced(fs.syncDirectory(accounts));
      repairs.push({ file, what: "is as before the last change, which may have been a revocation: look through the keys" });
    } else {
      await replaceDocument(fs, health, path, accountDocument(manifest.storeId, 0, EMPTY_BOOK));
      repairs.push({ file, what: "was lost with all its versions: there are no accounts and keys any more, so make new ones" });
    }
    return book;
  }
}
