import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Clock } from "../../../core/mod.ts";
import type { Engine, MirrorAgain, OpenOptions, ReachedStore, StoreReader } from "../shared/engine.ts";
import type { Store } from "../shared/store.ts";
import type { StoreError } from "../shared/store_error.ts";
import { readAccountBook } from "./accounts.ts";
import { askOwner, type OpenWait, sessionWith, takeDirectory } from "./connect_or_open.ts";
import { connectToStore } from "./lock/control_server.ts";
import type { ClosableAccess } from "./lock/store_access.ts";
import { backupStore, type MadeBackup } from "./maintenance/backup.ts";
import type { Compaction } from "./maintenance/compact.ts";
import { verificationOf } from "./maintenance/damage_report.ts";
import { type Repair, type RepairPlan, repairStore } from "./maintenance/repair.ts";
import { verifyStore } from "./maintenance/verify.ts";
import { eachUsage } from "./quota/read_usage.ts";
import { isReadOnly, readOnlyStore } from "./read_only_store.ts";
import { readJsonFiles } from "./read_store.ts";
import { openJsonFiles } from "./store.ts";
import { storeInFolder } from "./store_in_folder.ts";

/** How the engine of a directory works. */
export interface JsonFilesEngineOptions {
  readonly clock: Clock;
  /** How it waits for commands that have the directory in use; a server is not waited for. Absent: it does not wait before it opens the store. */
  readonly waiting?: OpenWait;
}

/** An engine that keeps a store in a directory of JSON files, and what only files need. */
export interface JsonFilesEngine extends Engine {
  readonly directory: string;
  status(): Promise<unknown>;
  mirrorAgain(...asked: Parameters<MirrorAgain>): Promise<boolean | undefined>;
  /** Takes superseded records out of the files. */
  compact(): Promise<Compaction>;
  /** Copies the data as of one moment to a new directory. */
  backup(target: string): Promise<MadeBackup>;
  /** Makes damaged data whole again, as `repairStore` does. */
  repair(confirm: (plan: RepairPlan) => Promise<boolean>): Promise<readonly Repair[]>;
}

/** The engine of a directory. Touches nothing before it is asked to. */
export function jsonFilesEngine(directory: string, { clock, waiting }: JsonFilesEngineOptions): JsonFilesEngine {
  async function open({ describe, mirrorAgain, onChange }: OpenOptions = {}): Promise<Store> {
    let fail: (error: StoreError) => void = () => undefined;
    const failed = new Promise<StoreError>((resolve) => (fail = resolve));
    const openOptions = {
      ...(describe && { describe }),
      ...(mirrorAgain && { mirrorAgain }),
      ...(onChange && { onChange }),
    };
    const take = () => openJsonFiles(directory, { clock, onFatal: fail, ...openOptions });
    const place = { directory, failed, fail };
    try {
      return await storeInFolder(await (waiting ? takeDirectory(directory, take, waiting) : take()), place);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      return readOnlyStore(place);
    }
  }

  return {
    ...{ name: directory, directory, open },
    reach: async () => reachedThrough(sessionWith(directory, { clock }, waiting)),
    async connect() {
      const store = await connectToStore(directory);
      return store && reachedThrough(store);
    },
    read: async () => readerOf(directory),
    verify: async () => verificationOf(await verifyStore(directory)),
    status: () => askOwner(directory, (store) => store.status()),
    mirrorAgain: (...asked) => askOwner(directory, (store) => store.mirrorAgain(...asked)),
    async compact() {
      const store = sessionWith(directory, { clock }, waiting);
      return store.compact().finally(store.close);
    },
    backup: (target) => backupStore(directory, target, { now: clock() }),
    repair: (confirm) => repairStore(directory, { now: clock(), confirm }),
  };
}

function reachedThrough({ append, coverage, book, update, imports, close }: ClosableAccess): ReachedStore {
  return { observations: { append, coverage }, accounts: { book, update }, imports, close };
}

function readerOf(directory: string): StoreReader {
  return {
    book: () => readAccountBook(directory),
    usage: ({ asRecorded = false, ...days } = {}) => eachUsage(directory, { ...days, ...(asRecorded && { open: [] }) }),
    async market() {
      const { storeId, observations, damages, torn } = await readJsonFiles(directory);
      return { storeId, observations, damages, torn, bytes: () => diskUse(directory) };
    },
    close: async () => undefined,
  };
}

/** The parts of a data directory, in the order in which they are shown. */
const DISK_PARTS = ["observations", "accounts", "quota", "imports", "quarantine", "other"] as const;
type DiskUse = Record<(typeof DISK_PARTS)[number], number>;

const FOLDERS: Readonly<Record<string, keyof DiskUse>> = {
  obs: "observations",
  accounts: "accounts",
  quota: "quota",
  imports: "imports",
  quarantine: "quarantine",
};

/** Adds up the lengths of the files in a data directory. Files that are removed meanwhile are left out. */
async function diskUse(directory: string): Promise<DiskUse> {
  const use = Object.fromEntries(DISK_PARTS.map((part) => [part, 0])) as DiskUse;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [folder = ""] = relative(directory, path).split(sep);
    use[FOLDERS[folder] ?? "other"] += await lstat(path).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return use;
}
