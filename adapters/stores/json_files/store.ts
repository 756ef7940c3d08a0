import { join } from "node:path";
import { DAY_MS, dateOfDayNumber } from "../../../core/internal.ts";
import type { Clock, QuotaLedger, UtcMillis } from "../../../core/mod.ts";
import { thisProcess } from "../../server/this_process.ts";
import type { MirrorAgain } from "../shared/engine.ts";
import type { ImportAccess } from "../shared/imports.ts";
import { reportingChanges } from "../shared/report_changes.ts";
import type { ChangedBy, StoreChange } from "../shared/store.ts";
import type { StoreError } from "../shared/store_error.ts";
import { type AccountFile, openAccounts } from "./accounts.ts";
import { prepareDirectory } from "./data_directory.ts";
import { createHealth, type StoreCondition } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { createImports } from "./imports/imports.ts";
import { createControlServer } from "./lock/control_server.ts";
import { acquireLock } from "./lock/directory_lock.ts";
import type { StoreAccess } from "./lock/store_access.ts";
import type { FileDamage } from "./log/damage.ts";
import { BASE, endOfBase, OBSERVATIONS, removeBefore } from "./log/log_base.ts";
import { openMarks } from "./log/log_end_marks.ts";
import { openLog } from "./log/open_log.ts";
import type { MarketLine } from "./log/removal_line.ts";
import { type Compaction, createCompactor } from "./maintenance/compact.ts";
import { openManifest } from "./manifest.ts";
import { createObservations, marketReader, type ObservationLog } from "./observation_log.ts";
import { openQuota } from "./quota/quota_log.ts";
import { versionName } from "./read_store.ts";

/** The ports of the core on a directory of plain JSON files. */
export interface JsonFileStore {
  readonly storeId: string;
  readonly observations: ObservationLog;
  readonly accounts: Omit<AccountFile, "close">;
  readonly quota: QuotaLedger;
  /** Changes of many observations, each under a number by which it can be undone. */
  readonly imports: ImportAccess;
  /** Places in the logs that could not be read. Copies of their bytes are in `quarantine/`; the rest is served. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes at the ends of logs, which a crash left. They are cut off before anything is appended; copies are in `quarantine/`. */
  readonly torn: readonly FileDamage[];
  /** What the owner of the data should know and change, each a sentence or two for people. */
  readonly warnings: readonly string[];
  /** Whether it can write just now, and how long its syncs take. */
  condition(): StoreCondition;
  /** The same store for callers to whom it does not matter which process owns it. */
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
  /** What `access.mirrorAgain` does. Default: there is no mirror. */
  readonly mirrorAgain?: MirrorAgain;
  /** Told of each change that this process or another has made. Default: nobody. */
  readonly onChange?: (change: StoreChange) => void;
  /** Default: this machine's. */
  readonly fs?: FileSystem;
  /** Size at which the next file of observations is begun. Default: 64 MB. */
  readonly segmentBytes?: number;
}

const SEGMENT_BYTES = 64 << 20;
/** A log of less than this part of a file's largest size, 16 MB by default, is not compacted by itself. */
const SMALL = 4;

/** Opens the store in `directory`; makes one where there is none. Throws a `StoreError` when it must not be opened. */
export async function openJsonFiles(directory: string, options: JsonFileOptions): Promise<JsonFileStore> {
  const { clock, onFatal = () => {}, fs = nodeFileSystem, segmentBytes = SEGMENT_BYTES } = options;
  const now = clock();
  const health = createHealth(onFatal);
  const folder = { fs, health, directory };
  const warnings = await prepareDirectory(folder);
  const lock = await acquireLock(fs, directory, {
    now,
    onLost: (error) => void health.fail(error),
    onReadOnly: health.refused,
  });

  /** What is open. It is closed in the reverse order. */
  const parts: Closable[] = [lock];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse(parts));
  try {
    const manifest = await openManifest(folder, now);
    const { storeId, epoch } = manifest;
    const { generation } = lock;
    const plan = {
      fs,
      health,
      storeId,
      generation,
      segmentBytes,
      now,
      quarantineDirectory: join(directory, "quarantine"),
    };
    const marks = openMarks(folder, manifest);
    // Closed when all logs are: the next start then knows how far they went. Without it, it only knows less.
    parts.push({ close: async () => (health.failed ? undefined : marks.save().catch(() => {})) });

    const files = join(directory, "obs");
    const { market, reader, finish } = marketReader();
    const of = { kind: OBSERVATIONS, marks: manifest.highWater, onSegment: marks.record, strict: false };
    const { log, base, begin, damages, torn } = await openLog<MarketLine>({
      ...plan,
      ...of,
      ...reader,
      directory: files,
    });
    finish();

    parts.push({ close: async () => marks.set(OBSERVATIONS, log.end()) }, log);
    if (base && damages.length === 0) marks.set(BASE, endOfBase(base));

    const accounts = await openAccounts({ fs, health, directory: join(directory, "accounts") }, manifest);
    parts.push(accounts);
    // The counters are closed before all writes are refused: they still write what was really used.
    parts.push({ close: async () => health.close() });
    const compactor = createCompactor({
      fs,
      health,
      directory: files,
      storeId,
      generation,
      log,
      market,
      marks,
      begin,
      damages: damages.length,
    });
    parts.push(compactor);
    const quota = await openQuota(
      { ...plan, directory: join(directory, "quota"), planOf: (key) => accounts.find(key)?.plan },
      marks,
      daysAround(now),
    );
    parts.push(quota);

    const unwatched = createObservations({
      log,
      market,
      version: (sequence) => versionName(epoch, damages, sequence),
      demand: health.demand,
    });
    const imports = createImports({
      ...plan,
      directory: join(directory, "imports"),
      clock,
      observations: unwatched,
      lastTaken: manifest.imports ?? 0,
    });
    parts.push(imports);
    const observations = imports.watch(unwatched);
    // Now that the whole store is open: one that is refused stays as it is.
    if (base && damages.length === 0) await removeBefore(fs, files, base.number);
    compactor.compactAtStart(segmentBytes / SMALL);

    const plain: StoreAccess = {
      append: observations.append,
      coverage: async (codes) => observations.coverage(codes),
      book: async () => accounts.book(),
      update: accounts.update,
      usage: async () => quota.usage(),
      info: async () => ({
        storeId,
        pid: process.pid,
        generation,
        version: await observations.version(),
        damages: damages.length,
      }),
      status: async () => options.describe?.(),
      mirrorAgain: async (...asked) => options.mirrorAgain?.(...asked) ?? false,
      compact: compactor.compact,
      imports,
    };
    const reporting = (by: ChangedBy): StoreAccess =>
      options.onChange ? reportingChanges(plain, by, options.onChange) : plain;
    const access = reporting(thisProcess());
    // Closed first: what other processes have asked for is carried out by then, or by the next owner.
    const control = createControlServer(reporting);
    parts.push(control);
    lock.serve(control.accept);
    return {
      ...{ storeId, quota, damages, access, close, warnings: [...warnings, ...damageWarning(damages)] },
      observations: { ...observations, append: access.append },
      accounts: { ...accounts, update: access.update },
      imports: access.imports,
      torn: [...(torn ? [torn] : []), ...quota.torn],
      compact: compactor.compact,
      condition: () => health.condition,
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

/** What to do about damages: a copy that lacks something without a trace is never made. */
function damageWarning([first, ...more]: readonly FileDamage[]): readonly string[] {
  if (!first) return [];
  const places = more.length === 0 ? "A place in the prices" : `${more.length + 1} places in the prices`;
  const where = `obs/${first.file}, byte ${first.offset}: ${first.reason}${more.length === 0 ? "" : ", and others"}`;
  return [
    `${places} could not be read (${where}). The rest is served; compact and copy refuse until repair, with the server stopped, has shown what is lost, or a backup is restored`,
  ];
}
