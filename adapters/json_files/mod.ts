import { join } from "node:path";
import { crc32Hex, dateOfDayNumber } from "../../core/internal.ts";
import type { AccountBook, Clock, Observation, Observations, QuotaLedger } from "../../core/mod.ts";
import { openAccounts, readAccounts } from "./accounts.ts";
import type { AccountFile } from "./accounts.ts";
import { connectControl, serveControl } from "./lock/control.ts";
import type { StoreAccess } from "./lock/control.ts";
import { prepareDirectory } from "./directory.ts";
import { DirectoryInUse, StoreError, createHealth } from "./errors.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint/checkpoint.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { acquireLock, connectToHolder } from "./lock/lock.ts";
import type { LogPosition } from "./log/log.ts";
import { openManifest, readManifest } from "./manifest.ts";
import { markFiles } from "./maintenance/mark.ts";
import { OBSERVATIONS, createObservations, marketReader, readSide } from "./observations.ts";
import type { ObservationLog } from "./observations.ts";
import { openLog } from "./log/open_log.ts";
import type { FileDamage } from "./log/open_log.ts";
import { openQuota } from "./quota/quota.ts";
import { scanSegments } from "./log/segments.ts";

export { openAccountStore, readAccountBook } from "./account_store.ts";
export type { AccountStore } from "./account_store.ts";
export { backupStore } from "./maintenance/backup.ts";
export type { Backup } from "./maintenance/backup.ts";
export type { StoreAccess, StoreInfo } from "./lock/control.ts";
export { DataDamaged, DirectoryInUse, HolderGone, SchemaTooNew, StoreError } from "./errors.ts";
export type { Holder } from "./errors.ts";
export type { FileSystem, OpenFile } from "./fs.ts";
export { nodeFileSystem } from "./fs.ts";
export type { FileDamage } from "./log/open_log.ts";
export { RESTORED_QUOTA, restoreStore } from "./maintenance/restore.ts";
export type { RestoreOptions, Restored } from "./maintenance/restore.ts";
export { repairStore } from "./maintenance/repair.ts";
export type { Repair } from "./maintenance/repair.ts";
export { verifyStore } from "./maintenance/verify.ts";
export type { FileReport, StoreReport } from "./maintenance/verify.ts";

/** Everything the core reads and writes, kept in a directory of plain JSON files. */
export interface JsonFileStore {
  readonly storeId: string;
  readonly observations: ObservationLog;
  readonly accounts: Omit<AccountFile, "close">;
  readonly quota: QuotaLedger;
  /** Places of the logs that could not be read; their bytes are kept in `quarantine/`, the rest is served. */
  readonly damages: readonly FileDamage[];
  /** Unacknowledged ends of logs that a crash left, cut off and kept in `quarantine/`. */
  readonly torn: readonly FileDamage[];
  /** The same store for callers who do not care which process holds it. */
  readonly access: StoreAccess;
  /** Answers what was asked, writes what has to be, and lets the directory go. May be called again. */
  close(): Promise<void>;
}

/** How a store is opened. */
export interface JsonFileOptions {
  readonly clock: Clock;
  /**
   * Called once when the store must not go on, e.g. because a sync has failed: the program should end
   * with the error's `exitCode`, and be started again. Until then all writes are refused. Default: nothing.
   */
  readonly onFatal?: (error: StoreError) => void;
  /** Default: this machine's. */
  readonly fs?: FileSystem;
  /** Size at which the next file of observations is begun. Default: 64 MB. */
  readonly segmentBytes?: number;
  /** How often the lock is looked after. Default: 5 seconds. */
  readonly beatMs?: number;
  /**
   * Whether a clean close leaves a checkpoint of all observations, and an open begins from it where it fits
   * the log. Damage in lines of the log that the checkpoint replaces is then left to `verifyStore`.
   * Default: false, each open reads and checks the whole log.
   */
  readonly fastStart?: boolean;
}

const SEGMENT_BYTES = 64 << 20;
const BEAT_MS = 5_000;
const DAY_MS = 86_400_000;
const CONNECT_TRIES = 20;

/** Opens the store in `directory`, made when there is none. Throws a `StoreError` when it must not be opened. */
export async function openJsonFiles(directory: string, options: JsonFileOptions): Promise<JsonFileStore> {
  const { clock, onFatal = () => {}, fs = nodeFileSystem, segmentBytes = SEGMENT_BYTES, beatMs = BEAT_MS, fastStart = false } = options;
  const health = createHealth(onFatal);
  const now = clock();
  await prepareDirectory(fs, health, directory);
  const lock = await acquireLock(fs, directory, { now, beatMs, onLost: (error) => void health.fail(error) });
  const parts: { close(): Promise<void> }[] = [lock];
  try {
    const manifest = await openManifest(fs, health, directory, now);
    const { storeId, epoch } = manifest;
    const { generation } = lock;
    const quarantineDirectory = join(directory, "quarantine");
    const shared = { fs, health, quarantineDirectory, storeId, generation, segmentBytes, now };

    const { market, ...reader } = marketReader();
    const place = join(directory, "obs");
    const resume = fastStart ? await readCheckpoint(fs, place, manifest, market) : undefined;
    const opened = await openLog<Observation>({
      ...{ ...shared, directory: place, kind: OBSERVATIONS, strict: false },
      ...{ ...reader, resume },
    });
    async function keepCheckpoint(): Promise<void> {
      const end = opened.log.end();
      if (!fastStart || health.failed || opened.damages.length > 0 || end.next === resume?.next) return;
      // Only the next start is slower without it.
      await writeCheckpoint(fs, place, manifest, market, end).catch(() => {});
    }
    parts.unshift(opened.log, { close: keepCheckpoint });
    const observations = createObservations(opened.log, market, epoch, damageSuffix(opened.damages));
    const accounts = await openAccounts(fs, health, join(directory, "accounts"), storeId);
    parts.unshift(accounts);
    const today = Math.floor(now / DAY_MS);
    const days = [today - 1, today, today + 1].map(dateOfDayNumber);
    const quota = await openQuota({ ...shared, directory: join(directory, "quota") }, days);

    // First of all: it still has to write what was really used.
    parts.unshift(quota, { close: async () => health.close() });

    const access: StoreAccess = {
      append: observations.append,
      book: async () => accounts.book(),
      update: accounts.update,
      used: async (account, day) => quota.used(account, day),
      info: async () => ({
        ...{ storeId, pid: process.pid, generation },
        version: await observations.version(),
        damages: opened.damages.length,
      }),
      async mark() {
        let document = accounts.document();
        const files = await markFiles(fs, directory, async () => {
          await quota.settled();
          // Nothing is awaited from here on, so all of it is of one moment.
          document = accounts.document();
          return new Map<string, LogPosition>([[OBSERVATIONS, opened.log.position()], ...quota.positions()]);
        });
        return { storeId, accounts: document, files };
      },
    };
    lock.serve((socket) => void serveControl(access, socket));

    let closing: Promise<void> | undefined;
    return {
      ...{ storeId, observations, accounts, quota, access },
      damages: opened.damages,
      torn: [...(opened.torn ? [opened.torn] : []), ...quota.torn],
      close: () => (closing ??= closeAll(parts)),
    };
  } catch (error) {
    await closeAll(parts);
    throw error;
  }
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

/**
 * The store in `directory` for a short act, such as adding a key: opens it when it is free, or asks the
 * process that holds it, so that a change is in force there at once.
 */
export async function connectOrOpen(directory: string, options: JsonFileOptions): Promise<StoreAccess & { close(): Promise<void> }> {
  for (let tries = 1; ; tries++) {
    try {
      const store = await openJsonFiles(directory, options);
      return { ...store.access, close: store.close };
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
      const access = await connectToStore(directory, options.fs);
      if (access) return access;
      // The holder went in between.
      if (tries === CONNECT_TRIES) throw error;
    }
  }
}

/** The store in `directory` through the process that holds it; `undefined` when none does. */
export async function connectToStore(directory: string, fs = nodeFileSystem): Promise<(StoreAccess & { close(): Promise<void> }) | undefined> {
  const socket = await connectToHolder(fs, directory);
  return socket && connectControl(socket);
}

/**
 * Reads the store in `directory` as it is, without a lock and without changing anything: works beside
 * the process that holds it. What is being written at the same time may be missing.
 */
export async function readJsonFiles(
  directory: string,
  fs: FileSystem = nodeFileSystem,
): Promise<{ storeId: string; observations: Observations & { records(): Iterable<Observation> }; book: AccountBook }> {
  const manifest = await readManifest(fs, directory);
  if (!manifest) throw new StoreError(`Cannot read a store as there is none in "${directory}"`, 65);
  const { market, ...reader } = marketReader();
  const plan = { kind: OBSERVATIONS, storeId: manifest.storeId, ...reader };
  const segments = await scanSegments<Observation>(fs, join(directory, "obs"), plan);
  const damages = segments.flatMap(({ name, scan }) => scan.damages.map((damage) => ({ ...damage, file: name })));
  const suffix = damageSuffix(damages);
  const { book } = await readAccounts(fs, join(directory, "accounts"), manifest.storeId);
  return { storeId: manifest.storeId, observations: readSide(market, (code) => `${manifest.epoch}.${market.sequence(code)}${suffix}`), book };
}

/** Versions of what is left of a damaged log must not be those of the whole. */
function damageSuffix(damages: readonly FileDamage[]): string {
  return damages.length === 0 ? "" : `.${crc32Hex(damages.map(({ file, offset }) => `${file}:${offset}`).join())}`;
}
