import type { Clock } from "../../core/mod.ts";
import type { Engine, OpenOptions, ReachedAccounts, ReachedStore, StoreReader } from "../store/engine.ts";
import type { Store, UsageQuery } from "../store/store.ts";
import type { StoreError } from "../store/store_error.ts";
import { openAccountStore, readAccountBook } from "./account_store.ts";
import { openAccess } from "./connect.ts";
import { diskUse } from "./disk_use.ts";
import { storeInFolder } from "./engine_store.ts";
import { nodeFileSystem } from "./fs.ts";
import type { StoreAccess } from "./lock/control.ts";
import { connectToStore } from "./lock/control_client.ts";
import type { ClosableAccess } from "./lock/control_client.ts";
import { backupStore } from "./maintenance/backup.ts";
import type { Backup } from "./maintenance/backup_document.ts";
import type { Compaction } from "./maintenance/compact.ts";
import { repairStore } from "./maintenance/repair.ts";
import type { Repair } from "./maintenance/repair.ts";
import { readMirrorStates } from "./mirror_state.ts";
import type { FoundMirrorState } from "./mirror_state.ts";
import { verifyStore } from "./maintenance/verify.ts";
import type { Waiting } from "./patience.ts";
import { readQuotaDays, usageBeside, usageOfHolder } from "./quota/usage.ts";
import { readJsonFiles } from "./read_store.ts";
import { accessThrough, createSession, takeDirectory } from "./session.ts";
import type { StoreSession } from "./session.ts";
import { openJsonFiles } from "./store.ts";
import { verificationOf } from "./verification.ts";

/** How the engine of a directory works. */
export interface JsonFilesEngineOptions {
  readonly clock: Clock;
  /** As `openJsonFiles` says. Default: false. */
  readonly fastStart?: boolean;
  /** How it waits for commands that hold the directory; a server is not waited for. Absent: it does not wait before it opens the store. */
  readonly waiting?: Waiting;
}

/** An engine that keeps a store in a directory of JSON files, and what only files need. */
export interface JsonFilesEngine extends Engine {
  readonly directory: string;
  status(): Promise<unknown>;
  /** Takes superseded records out of the files. */
  compact(): Promise<Compaction>;
  /** Copies the data as of one moment to a new directory. */
  backup(target: string): Promise<Backup>;
  /** Changes damaged data so that it can be opened again. */
  repair(): Promise<readonly Repair[]>;
  /** What the mirrors that fill it, or have filled it, have saved. */
  mirrorStates(): Promise<readonly FoundMirrorState[]>;
}

/** The engine of a directory. Touches nothing before it is asked to. */
export function jsonFilesEngine(directory: string, { clock, fastStart = false, waiting }: JsonFilesEngineOptions): JsonFilesEngine {
  async function open({ describe, reopenAfterMs = 0 }: OpenOptions = {}): Promise<Store> {
    let fail: (error: StoreError) => void = () => undefined;
    const failed = new Promise<StoreError>((resolve) => (fail = resolve));
    const take = () => openJsonFiles(directory, { clock, fastStart, onFatal: fail, ...(describe && { describe }) });
    const store = await (waiting ? takeDirectory(directory, take, waiting) : take());
    return storeInFolder(store, { directory, reopenAfterMs, failed, fail });
  }

  function session(): StoreSession<StoreAccess> {
    return createSession<StoreAccess>(directory, () => openAccess(directory, { clock }), waiting ?? {});
  }

  async function throughSession<Value>(work: (access: StoreAccess) => Promise<Value>): Promise<Value> {
    const { use, close } = session();
    try {
      return await work(accessThrough(use));
    } finally {
      await close();
    }
  }

  return {
    ...{ name: directory, directory, open },
    async reach() {
      const { use, close } = session();
      return reachedThrough({ ...accessThrough(use), close });
    },
    async reachAccounts(): Promise<ReachedAccounts> {
      const { use, close } = createSession<Pick<StoreAccess, "book" | "update">>(directory, () => openAccountStore(directory, { clock }), waiting ?? {});
      return { accounts: { book: () => use(({ book }) => book()), update: (changes) => use(({ update }) => update(changes)) }, close };
    },
    async connect() {
      const access = await connectToStore(directory);
      return access && reachedThrough(access);
    },
    read: async () => readerOf(directory),
    verify: async () => verificationOf(await verifyStore(directory)),
    async status() {
      const access = await connectToStore(directory);
      try {
        return await access?.status();
      } finally {
        await access?.close();
      }
    },
    compact: () => throughSession(({ compact }) => compact()),
    backup: (target) => throughSession((access) => backupStore(access, directory, target, { now: clock() })),
    repair: () => repairStore(directory, { now: clock() }),
    mirrorStates: () => readMirrorStates(directory),
  };
}

function reachedThrough({ append, removeProvider, coverage, book, update, imports, close }: ClosableAccess): ReachedStore {
  return { observations: { append, removeProvider, coverage }, accounts: { book, update }, imports, close };
}

function readerOf(directory: string): StoreReader {
  return {
    book: () => readAccountBook(directory),
    async *usage({ from, asRecorded = false }: UsageQuery = {}) {
      yield* asRecorded ? readQuotaDays(directory, { from }) : usageBeside(await usageOfHolder(directory, nodeFileSystem), directory, { from });
    },
    async market({ isQuick = false } = {}) {
      const { storeId, observations, damages, torn } = await readJsonFiles(directory, nodeFileSystem, { fastStart: isQuick });
      return { storeId, observations, damages, torn, bytes: () => diskUse(directory) };
    },
    close: async () => undefined,
  };
}
