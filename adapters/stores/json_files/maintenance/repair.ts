import { join } from "node:path";
import { type AssetCode, EMPTY_BOOK, type UtcMillis } from "../../../../core/mod.ts";
import { StoreError } from "../../shared/store_error.ts";
import { ACCOUNTS, PREVIOUS_ACCOUNTS, readAccounts, replaceAccounts } from "../accounts.ts";
import { BACKUP, listOrNone, MANIFEST, SUBDIRECTORIES } from "../data_directory.ts";
import { createHealth, DataDamaged } from "../errors.ts";
import { type FileSystem, ifThere, nodeFileSystem, withFile } from "../file_system.ts";
import { acquireLock } from "../lock/directory_lock.ts";
import type { FileDamage } from "../log/damage.ts";
import { type LogWriter, readSegmentHeader } from "../log/segments.ts";
import { type Manifest, readManifest, writeManifest } from "../manifest.ts";
import { repairCounters, repairPrices } from "./repair_logs.ts";

/** A repaired file. */
export interface Repair {
  readonly file: string;
  /** The repair of the file. Completes a sentence that begins with the name of the file. */
  readonly what: string;
}

/** A place with lost data. */
export interface Loss extends FileDamage {
  /** The asset, and the first and the last business time of its prices, if readable. */
  readonly code?: AssetCode;
  readonly time?: UtcMillis;
  readonly lastTime?: UtcMillis;
  readonly records?: number;
}

/** The repairs that are planned, and the data that is lost. */
export interface RepairPlan {
  readonly repairs: readonly Repair[];
  readonly lost: readonly Loss[];
}

/** A prepared repair. */
export interface RepairStep extends Repair {
  readonly lost?: readonly Loss[];
  /** The files that this step replaces or removes. Existing files are copied to the quarantine first. */
  readonly taken: readonly string[];
  /** Writes the readable data. Absent for the manifest, which is written last. */
  write?(plan: LogWriter): Promise<void>;
}

/** How a store is repaired. */
export interface RepairOptions {
  readonly now: UtcMillis;
  /** Whether to make these repairs. Default: always. */
  readonly confirm?: (plan: RepairPlan) => Promise<boolean>;
  readonly fs?: FileSystem;
}

/**
 * Repairs a damaged store. Unreadable data is lost. Keys and counters are kept. `quarantine/` has everything that was
 * removed. Needs the lock. Resolves to the repairs that were made: none if nothing is damaged or `confirm` returns
 * false. Throws if a repair is impossible, e.g. for a file of another store or of a later version.
 */
export async function repairStore(directory: string, options: RepairOptions): Promise<readonly Repair[]> {
  const { now, confirm = async () => true, fs: whole = nodeFileSystem } = options;
  const fs: FileSystem = { ...whole, list: (path) => listOrNone(whole, path) };
  if ((await fs.list(directory)).includes(BACKUP))
    throw new StoreError(`Cannot repair "${directory}" because it is a backup. Use another backup`, 65);
  const health = createHealth();
  const lock = await acquireLock({ fs, health, directory }, now);
  try {
    const { generation } = lock;
    const { manifest, steps: ofManifest } = await findManifest(fs, directory, now);
    const { book, steps: ofAccounts } = await findAccounts(fs, directory, manifest);
    const ofLogs = [
      ...(await repairCounters(fs, directory, manifest, book)),
      ...(await repairPrices(fs, directory, manifest)),
    ];
    const steps = [...ofManifest, ...ofAccounts, ...ofLogs];
    if (steps.length === 0) return [];
    const repairs = steps.map(({ file, what }) => ({ file, what }));
    if (!(await confirm({ repairs, lost: steps.flatMap(({ lost = [] }) => lost) }))) return [];
    for (const name of SUBDIRECTORIES) await fs.makeDirectory(join(directory, name));
    await health.synced(fs.syncDirectory(directory));
    const quarantine = join(directory, "quarantine");
    for (const file of new Set(steps.flatMap(({ taken }) => taken))) {
      const name = `${file.replaceAll("/", ".")}.${generation}.${now}`;
      await ifThere(fs.link(join(directory, file), join(quarantine, name)));
    }
    await health.synced(fs.syncDirectory(quarantine));
    const plan = { fs, health, directory, storeId: manifest.storeId, generation };
    for (const step of steps) await step.write?.(plan);
    // The operator has accepted the loss, so the marks of repaired logs are dropped. The next clean stop sets new
    // marks. The epoch is new, because sequence numbers may be reused for other content.
    const marks = Object.entries(manifest.highWater ?? {}).filter(
      ([log]) => !repairs.some(({ file }) => file.includes(`/${log}-`)),
    );
    await writeManifest(plan, { ...manifest, highWater: Object.fromEntries(marks), accounts: true });
    return repairs;
  } finally {
    await lock.close();
  }
}

/** Replaces an unreadable manifest. A new manifest needs only the store id, which is in every log. */
async function findManifest(fs: FileSystem, directory: string, now: UtcMillis) {
  const missing = new DataDamaged(join(directory, MANIFEST), "is missing", "Restore a backup");
  const found = (await orDamage(readManifest(fs, directory))) ?? missing;
  if (!(found instanceof DataDamaged)) return { manifest: found, steps: [] };
  const storeId = await storeIdOfLogs(fs, directory);
  if (storeId === undefined) throw found;
  const manifest: Manifest = { storeId, epoch: "", createdAt: now, accounts: true };
  const step: RepairStep = { file: MANIFEST, what: "is made anew from the logs", taken: [MANIFEST] };
  return { manifest, steps: [step] };
}

async function storeIdOfLogs(fs: FileSystem, directory: string): Promise<string | undefined> {
  for (const folder of ["obs", "quota"]) {
    const logs = (await fs.list(join(directory, folder))).filter((name) => name.endsWith(".ndjson"));
    for (const name of logs) {
      const header = await withFile(fs, join(directory, folder, name), "read", readSegmentHeader);
      if (header) return header.storeId;
    }
  }
  return undefined;
}

/** Replaces unreadable or missing accounts by their version before the last change. */
async function findAccounts(fs: FileSystem, directory: string, manifest: Manifest) {
  const found = await orDamage(readAccounts(fs, directory, manifest));
  if (!(found instanceof DataDamaged)) return { book: found, steps: [] };
  const previous = await orDamage(readAccounts(fs, directory, manifest, PREVIOUS_ACCOUNTS));
  const isLost = previous instanceof DataDamaged;
  const book = isLost ? EMPTY_BOOK : previous;
  const step: RepairStep = {
    file: `accounts/${ACCOUNTS}`,
    what: isLost
      ? "is lost, and so is its previous version: no accounts or keys are left, so make new ones"
      : "is put back as it was before the last change, which may have been a revocation: check the keys",
    taken: [`accounts/${ACCOUNTS}`, `accounts/${PREVIOUS_ACCOUNTS}`],
    write: (plan) => replaceAccounts(plan, manifest.storeId, book),
  };
  return { book, steps: [step] };
}

/** The content, or the damage that prevented reading it. */
function orDamage<T>(reading: Promise<T>): Promise<T | DataDamaged> {
  return reading.catch((error: unknown) => {
    if (error instanceof DataDamaged) return error;
    throw error;
  });
}
