import { join } from "node:path";
import { DAY_MS, dateOfDayNumber } from "../../core/internal.ts";
import type { Clock, QuotaLedger, UtcMillis } from "../../core/mod.ts";
import { openAccounts } from "./accounts.ts";
import type { AccountFile } from "./accounts.ts";
import { prepareDirectory } from "./directory.ts";
import { createHealth } from "./errors.ts";
import type { StoreError } from "../store/store_error.ts";
import type { StoreCondition } from "./errors.ts";
import { nodeFileSystem } from "./fs.ts";
import type { FileSystem } from "./fs.ts";
import { createImports } from "./imports/imports.ts";
import { createControlServer } from "./lock/control.ts";
import type { StoreAccess } from "./lock/control.ts";
import { acquireLock } from "./lock/lock.ts";
import type { FileDamage } from "./log/damage.ts";
import { openHighWaterMarks } from "./log/high_water.ts";
import type { Compaction } from "./maintenance/compact.ts";
import { lostDirectories, openManifest, readManifest } from "./manifest.ts";
import type { ObservationLog } from "./observations.ts";
import { openObservations } from "./open_observations.ts";
import type { ObservationPlan } from "./open_observations.ts";
import { openQuota } from "./quota/quota.ts";
import { notWritable, openReadOnly } from "./read_only_store.ts";
import { createAccess } from "./store_access.ts";

/** The ports of the core on a directory of plain JSON files. */
export interface JsonFileStore {
  readonly storeId: string;
  readonly observations: ObservationLog;
  readonly accounts: Omit<AccountFile, "close">;
  readonly quota: QuotaLedger;
  /** Places in the logs that could not be read. Copies of their bytes are in `quarantine/`; the rest is served. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes at the ends of logs, which a crash left. They are cut off before anything is appended; copies are in `quarantine/`. */
  readonly torn: readonly FileDamage[];
  /** Why nothing could be written when the store was opened, e.g. as the disk was full; `undefined` where all could. */
  readonly readOnly: string | undefined;
  /** What the owner of the data should know and change, each a sentence or two for people. */
  readonly warnings: readonly string[];
  /** Whether it can write just now, and how long its syncs take. */
  condition(): StoreCondition;
  /** The same store for callers to whom it does not matter which process holds it. */
  readonly access: StoreAccess;
  /** Takes out of the files what was replaced or removed since. The store is read and written meanwhile. */
  compact(): Promise<Compaction>;
  /** Finishes what was begun, writes what is still to be written and releases the directory. May be called again. */
  close(): Promise<void>;
}

/** How a store is opened. */
export interface JsonFileOptions {
  readonly clock: Clock;
  /**
   * Called once when the store must stop, e.g. because a sync has failed: the program should end with the
   * error's `exitCode` and be started again. All writes are refused from then on. Default: nothing.
   */
  readonly onFatal?: (error: StoreError) => void;
  /** What `access.status` answers to other processes, a JSON value. Default: nothing. */
  readonly describe?: () => unknown;
  /** Default: this machine's. */
  readonly fs?: FileSystem;
  /** Size at which the next file of observations is begun. Default: 64 MB. */
  readonly segmentBytes?: number;
  /** How often the holder of the lock shows that it is alive. Default: 5 seconds. */
  readonly heartbeatMs?: number;
  /**
   * Whether a clean close writes a checkpoint of all observations, and an open starts from one that fits the
   * log. Only `verifyStore` then finds damage in the lines that the checkpoint covers.
   * Default: false, each open reads and checks the whole log.
   */
  readonly fastStart?: boolean;
}

const SEGMENT_BYTES = 64 << 20;
const HEARTBEAT_MS = 5_000;

/**
 * Opens the store in `directory`; makes one where there is none. Where the disk is full, or the directory must not
 * be written to, a store that is there is opened read-only. Throws a `StoreError` when it must not be opened.
 */
export async function openJsonFiles(directory: string, options: JsonFileOptions): Promise<JsonFileStore> {
  try {
    return await openForWriting(directory, options);
  } catch (error) {
    const { fs = nodeFileSystem } = options;
    const reason = notWritable(error);
    if (reason === undefined || !(await readManifest(fs, directory))) throw error;
    return openReadOnly(directory, fs, reason);
  }
}

async function openForWriting(directory: string, options: JsonFileOptions): Promise<JsonFileStore> {
  const { clock, onFatal = () => {}, fs = nodeFileSystem, segmentBytes = SEGMENT_BYTES, heartbeatMs = HEARTBEAT_MS } = options;
  const now = clock();
  const health = createHealth(onFatal);
  const warnings = await prepareDirectory(fs, health, directory, (missing) => lostDirectories(fs, directory, missing));
  const lock = await acquireLock(fs, directory, { now, heartbeatMs, onLost: (error) => void health.fail(error) });

  /** What is open. It is closed in the reverse order. */
  const parts: Closable[] = [lock];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse(parts));
  try {
    const manifest = await openManifest(fs, health, directory, now);
    const { generation } = lock;
    const plan: ObservationPlan = {
      ...{ fs, health, storeId: manifest.storeId, generation, segmentBytes, now },
      quarantineDirectory: join(directory, "quarantine"),
    };
    const marks = openHighWaterMarks(fs, health, directory, manifest);
    // Closed when all logs are: the next start then knows how far they went. Without it, it only knows less.
    parts.push({ close: async () => (health.failed ? undefined : marks.save().catch(() => {})) });
    const fastStart = options.fastStart ?? false;
    const { observations: unwatched, opened, compactor, tidy } = await openObservations(join(directory, "obs"), plan, { manifest, marks, fastStart }, parts);
    const accounts = await openAccounts(fs, health, join(directory, "accounts"), manifest);
    parts.push(accounts);
    // The counters are closed before all writes are refused: they still write what was really used.
    parts.push({ close: async () => health.close() });
    parts.push(compactor);
    const quota = await openQuota({ ...plan, directory: join(directory, "quota"), marks }, daysAround(now));
    parts.push(quota);

    const imports = createImports({ ...plan, directory: join(directory, "imports"), clock, observations: unwatched });
    parts.push(imports);
    const observations = imports.watch(unwatched);
    await tidy();

    const access = createAccess({ fs, directory, describe: options.describe, manifest, marks, generation, observations, opened, compactor, accounts, quota, imports });
    // Closed first: what other processes have asked for is carried out by then, or by the next holder.
    const control = createControlServer(access);
    parts.push(control);
    lock.serve(control.accept);
    const torn = [...(opened.torn ? [opened.torn] : []), ...quota.torn];
    const readOnly = (opened.readOnly ?? quota.readOnly)?.message;
    return {
      ...{ storeId: manifest.storeId, observations, accounts, quota, damages: opened.damages, torn, readOnly, access, close },
      compact: compactor.compact,
      condition: () => health.condition,
      warnings: [...warnings, ...(readOnly === undefined ? [] : [`The data is served, and each write is tried anew: ${readOnly}`])],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Closable {
  close(): Promise<void>;
}

/** The day of `now` in UTC and its neighbours: one of them is the quota day in every time zone. */
function daysAround(now: UtcMillis) {
  const today = Math.floor(now / DAY_MS);
  return [today - 1, today, today + 1].map(dateOfDayNumber);
}

async function closeInReverse(parts: readonly Closable[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
