import { join } from "node:path";
import { type AccountBook, type AssetCode, EMPTY_BOOK, type UtcMillis } from "../../../../core/mod.ts";
import { StoreError } from "../../shared/store_error.ts";
import { ACCOUNTS, accountDocument, PREVIOUS_ACCOUNTS, readAccounts } from "../accounts.ts";
import { BACKUP, type Folder, listOrNone, MANIFEST, SUBDIRECTORIES } from "../data_directory.ts";
import { createHealth, DataDamaged } from "../errors.ts";
import { codeOf, type FileSystem, nodeFileSystem } from "../file_system.ts";
import { acquireLock } from "../lock/directory_lock.ts";
import type { FileDamage } from "../log/damage.ts";
import { readSegmentHeader } from "../log/segment_header.ts";
import { type Manifest, readManifest, writeManifest } from "../manifest.ts";
import { replaceDocument } from "../replace_document.ts";
import { repairCounters } from "./repair_counters.ts";
import { repairImports } from "./repair_imports.ts";
import { repairObservations } from "./repair_observations.ts";

/** One thing that is repaired. */
export interface Repair {
  /** Its path within the store. */
  readonly file: string;
  /** What becomes of it, as the end of a sentence that begins with the file. */
  readonly what: string;
}

/** A place of which something is lost. */
export interface Loss extends FileDamage {
  /** The asset and the business time of a price, as far as they can be read. */
  readonly code?: AssetCode;
  readonly time?: UtcMillis;
}

/** What a repair would do, and at what price. */
export interface RepairPlan {
  readonly repairs: readonly Repair[];
  readonly lost: readonly Loss[];
}

/** A repair that is ready to be made. */
export interface RepairStep extends Repair {
  readonly lost?: readonly Loss[];
  /** Makes it. What it leaves out of the store is in the quarantine before. */
  apply(): Promise<void>;
}

/** What all parts of a repair share. */
export interface RepairJob extends Folder {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly now: UtcMillis;
  /** Links a file into the quarantine, where there is one; it also stays where it is. */
  quarantineFile(file: string): Promise<void>;
}

/** How a store is repaired. */
export interface RepairOptions {
  readonly now: UtcMillis;
  /** Whether to make these repairs. Default: they are made. */
  readonly confirm?: (plan: RepairPlan) => Promise<boolean>;
  readonly fs?: FileSystem;
}

/**
 * Makes a damaged store whole again, at the price of what cannot be read: keys, counters and the numbers of imports stay, and
 * everything that is taken out is in `quarantine/`. Needs the lock. Resolves to what was done; nothing where there is no damage, or
 * `confirm` says no. Throws where it cannot help, e.g. for a file of another store or of a later version.
 */
export async function repairStore(directory: string, options: RepairOptions): Promise<readonly Repair[]> {
  const { now, confirm = async () => true, fs: whole = nodeFileSystem } = options;
  const fs: FileSystem = { ...whole, list: (path) => listOrNone(whole, path) };
  if ((await fs.list(directory)).includes(BACKUP))
    throw new StoreError(`Cannot repair "${directory}" as it is a backup. Use another backup`, 65);
  const health = createHealth(() => {});
  const lock = await acquireLock(fs, directory, { now, onLost: (error) => void health.fail(error) });
  const { generation } = lock;
  const quarantineDirectory = join(directory, "quarantine");

  async function quarantineFile(file: string): Promise<void> {
    const name = `${file.replaceAll("/", ".")}.${generation}.${now}`;
    await fs.link(join(directory, file), join(quarantineDirectory, name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    await health.synced(fs.syncDirectory(quarantineDirectory));
  }

  const begun = { fs, health, directory, generation, now, quarantineFile };
  try {
    const { manifest, step: ofManifest } = await repairManifest(begun);
    const job: RepairJob = { ...begun, manifest };
    const { book, step: ofAccounts } = await repairAccounts(job);
    const imports = await repairImports(job);
    const steps = [
      ofManifest,
      ofAccounts,
      ...(await repairCounters(job, book)),
      await repairObservations(job),
      ...imports.steps,
    ].filter((step) => step !== undefined);
    if (steps.length === 0) return [];
    const repairs = steps.map(({ file, what }) => ({ file, what }));
    if (!(await confirm({ repairs, lost: steps.flatMap(({ lost = [] }) => lost) }))) return [];
    for (const name of SUBDIRECTORIES) await fs.makeDirectory(join(directory, name));
    await health.synced(fs.syncDirectory(directory));
    for (const { apply } of steps) await apply();
    // What was lost is accepted: the marks of what was repaired go, and the next clean stop makes new ones. With a new epoch, as
    // sequence numbers may come again with other content.
    const marks = Object.entries(manifest.highWater ?? {}).filter(
      ([log]) => !repairs.some(({ file }) => file.includes(`/${log}-`)),
    );
    const kept = { ...manifest, highWater: Object.fromEntries(marks), accounts: true as const };
    await writeManifest(job, { ...kept, imports: Math.max(manifest.imports ?? 0, imports.lastTaken) });
    return repairs;
  } finally {
    await lock.close();
  }
}

/** Makes an unreadable manifest anew: of its content, only the store's id matters, and every log names it. */
async function repairManifest({
  fs,
  directory,
  now,
  quarantineFile,
}: Omit<RepairJob, "manifest">): Promise<{ readonly manifest: Manifest; readonly step: RepairStep | undefined }> {
  let failure: unknown = new DataDamaged(join(directory, MANIFEST), "is missing", "Restore a backup");
  try {
    const manifest = await readManifest(fs, directory);
    if (manifest) return { manifest, step: undefined };
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
    failure = error;
  }
  const storeId = await storeIdOfLogs(fs, directory);
  if (storeId === undefined) throw failure;
  const manifest: Manifest = { kind: "store", schema: 1, storeId, epoch: "", createdAt: now, accounts: true };
  // Written behind all other steps.
  return {
    manifest,
    step: { file: MANIFEST, what: "is made anew from what the logs say", apply: () => quarantineFile(MANIFEST) },
  };
}

async function storeIdOfLogs(fs: FileSystem, directory: string): Promise<string | undefined> {
  for (const folder of ["obs", "quota"]) {
    for (const name of await fs.list(join(directory, folder))) {
      const header = name.endsWith(".ndjson") ? await readSegmentHeader(fs, join(directory, folder, name)) : undefined;
      if (header) return header.storeId;
    }
  }
  return undefined;
}

/** Replaces accounts that are unreadable or missing by their version before the last change. */
async function repairAccounts({
  fs,
  health,
  directory,
  manifest,
  quarantineFile,
}: RepairJob): Promise<{ readonly book: AccountBook; readonly step: RepairStep | undefined }> {
  const accounts = join(directory, "accounts", ACCOUNTS);
  try {
    return { book: (await readAccounts(fs, accounts, manifest)) ?? EMPTY_BOOK, step: undefined };
  } catch (error) {
    if (!(error instanceof DataDamaged)) throw error;
  }
  const previous = await readAccounts(fs, join(directory, "accounts", PREVIOUS_ACCOUNTS), manifest).catch(
    (error: unknown) => {
      if (!(error instanceof DataDamaged)) throw error;
    },
  );
  const book = previous ?? EMPTY_BOOK;
  const file = `accounts/${ACCOUNTS}`;
  const what = previous
    ? "is put back as it was before the last change, which may have been a revocation: look through the keys"
    : "is lost, and so is its version before the last change: there are no accounts and keys any more, so make new ones";
  const step: RepairStep = {
    ...{ file, what },
    async apply() {
      await quarantineFile(file);
      await quarantineFile(`accounts/${PREVIOUS_ACCOUNTS}`);
      await replaceDocument({ fs, health }, accounts, accountDocument(manifest.storeId, book));
    },
  };
  return { book, step };
}
