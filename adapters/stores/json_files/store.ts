import { join } from "node:path";
import { checkedClock, DAY_MS, dateOfDayNumber, HOUR_MS } from "../../../core/internal.ts";
import type {
  AppendOutcome,
  AssetCode,
  Clock,
  Observation,
  Observations,
  ObservationWriter,
  QualityStatus,
  ReferenceAccess,
  UtcMillis,
} from "../../../core/mod.ts";
import { thisProcess } from "../../server/this_process.ts";
import type { Entry } from "../price_state/entries.ts";
import { createImports } from "../price_state/imports.ts";
import { observationsOf } from "../price_state/observations.ts";
import { createPriceState, type PriceState } from "../price_state/price_state.ts";
import { createAppend } from "../price_state/writer.ts";
import type { Compaction, OpenOptions } from "../shared/engine.ts";
import type { ImportAccess } from "../shared/imports.ts";
import { reportingChanges } from "../shared/report_changes.ts";
import type { ChangedBy, Store } from "../shared/store.ts";
import type { StoreError } from "../shared/store_error.ts";
import { type AccountFile, openAccounts } from "./accounts.ts";
import { prepareDirectory } from "./data_directory.ts";
import { createHealth, DirectoryInUse, type StoreCondition } from "./errors.ts";
import { type FileSystem, nodeFileSystem } from "./file_system.ts";
import { folderMetrics } from "./folder_metrics.ts";
import { watchStore } from "./folder_watcher.ts";
import { lastBackupOf } from "./last_backup.ts";
import { createControlServer } from "./lock/control_server.ts";
import { acquireLock } from "./lock/directory_lock.ts";
import { createMarketAccess } from "./lock/market_access.ts";
import type { OpenAccess } from "./lock/store_access.ts";
import type { FileDamage } from "./log/damage.ts";
import { decodeEntry } from "./log/entry_line.ts";
import { BASE, OBSERVATIONS, removeBefore } from "./log/log_base.ts";
import { openMarks } from "./log/log_end_marks.ts";
import { openLog } from "./log/open_log.ts";
import { createCompactor } from "./maintenance/compact.ts";
import { openManifest } from "./manifest.ts";
import { mirrorStateFile } from "./mirror_state_file.ts";
import { createPriceWriter } from "./price_writer.ts";
import { openQuota } from "./quota/quota_log.ts";
import { versionName } from "./read_store.ts";

/** A store in a directory of plain JSON files. */
export interface JsonFileStore extends Store {
  readonly storeId: string;
  readonly observations: ObservationLog;
  readonly accounts: Omit<AccountFile, "close">;
  readonly imports: ImportAccess;
  /** Unreadable places in the logs. Copies of their bytes are in `quarantine/`; the rest is served. */
  readonly damages: readonly FileDamage[];
  /** Incomplete writes, left by a crash. The next append cuts them off first. Copies are in `quarantine/`. */
  readonly torn: readonly FileDamage[];
  /** Whether the store can write, and how long its syncs take. */
  condition(): StoreCondition;
  /** The methods of the store that other processes can call. */
  readonly access: OpenAccess;
  /** Removes superseded records from the files. The store remains in use. */
  compact(): Promise<Compaction>;
}

/** The observations of a store in files. */
export interface ObservationLog
  extends Observations,
    ObservationWriter,
    Pick<PriceState, "around" | keyof ReferenceAccess> {
  append(batch: readonly Observation[], source?: string): Promise<AppendOutcome>;
  find(code: AssetCode, businessTime: UtcMillis): Observation | undefined;
  records(status?: QualityStatus): Iterable<Observation>;
}

/** How a store is opened. */
export interface JsonFileOptions extends OpenOptions {
  readonly clock: Clock;
  /** Called once when `failed` settles. Default: not called. */
  readonly onFatal?: (error: StoreError) => void;
  readonly fs?: FileSystem;
  /** A file of observations that reaches this size is followed by the next one. Default: 64 MB. */
  readonly segmentBytes?: number;
}

const SEGMENT_BYTES = 64 << 20;
/** Observations of one append. The lines of this many records fit into one write, however long their texts are. */
const MAX_BATCH = 2_000;
/** A log smaller than a segment divided by this number (16 MB by default) is not compacted automatically. */
const SMALL = 4;

/** Opens the store in `directory`, or makes one if there is none. Throws a `StoreError` if opening is refused. */
export async function openJsonFiles(directory: string, options: JsonFileOptions): Promise<JsonFileStore> {
  const { fs = nodeFileSystem, segmentBytes = SEGMENT_BYTES } = options;
  const clock = checkedClock(options.clock);
  const now = clock();
  let fail: (error: StoreError) => void = () => undefined;
  const failed = new Promise<StoreError>((resolve) => (fail = resolve));
  void failed.then(options.onFatal);
  const health = createHealth(fail);
  const folder = { fs, health, directory };
  const warnings = await prepareDirectory(folder);
  const lock = await acquireLock(folder, now);

  /** The opened parts, to be closed in reverse order. */
  const parts: Closable[] = [lock];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse(parts));
  try {
    const manifest = await openManifest(folder, now);
    const { storeId, epoch } = manifest;
    const { generation } = lock;
    const plan = { fs, health, storeId, generation, segmentBytes, now };
    const marks = openMarks(folder, manifest);
    // Marks are saved after all logs are closed. Without new marks, the next start detects fewer losses.
    parts.push({ close: async () => (health.failed ? undefined : marks.save().catch(() => {})) });

    const files = join(directory, "obs");
    const state = createPriceState(now - 26 * HOUR_MS);
    const { log, base, begin, damages, torn } = await openLog<Entry>({
      ...{ ...plan, directory: files, kind: OBSERVATIONS, marks: manifest.highWater, onSegment: marks.record },
      ...{ strict: false, decode: decodeEntry, accept: state.load },
    });
    state.finishLoading();

    parts.push({ close: async () => marks.set(OBSERVATIONS, log.end()) }, log);
    if (base && damages.length === 0) {
      const { size: length, check, next, generation } = base.scan;
      marks.set(BASE, { segment: base.number, length, check, next, generation });
    }

    const accounts = await openAccounts(folder, manifest);
    parts.push(accounts);
    // Writes are refused only after the counters are closed, because closing them writes the used units.
    parts.push({ close: async () => health.close() });
    const compactor = createCompactor({
      ...{ ...folder, storeId, generation, log, state, marks, begin },
      damages: damages.length,
    });
    parts.push(compactor);
    const quota = await openQuota(
      { ...plan, directory: join(directory, "quota"), planOf: (key) => accounts.find(key)?.plan },
      marks,
      daysAround(now),
    );
    parts.push(quota);

    const write = createPriceWriter(state, log);
    const { imports, ...rest } = createImports({
      ...{ state, clock, write, readEntries: compactor.readEntries },
      isDamaged: damages.length > 0,
    });
    parts.push(rest);
    const append = createAppend(write);
    const observations: ObservationLog = {
      ...observationsOf(state, (sequence) => versionName(epoch, damages, sequence)),
      ...{ maxBatch: MAX_BATCH, append: async (...batch) => append(...batch) },
    };
    // Files are removed only after everything is open, because a store that cannot be opened must not be changed.
    if (base && damages.length === 0) await removeBefore(fs, files, base.number);
    compactor.compactAtStart(segmentBytes / SMALL);

    const plain: OpenAccess = {
      append: observations.append,
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
      market: createMarketAccess(observations, state, { storeId, damages }),
    };
    const reporting = (by: ChangedBy): OpenAccess =>
      options.onChange ? reportingChanges(plain, by, options.onChange) : plain;
    const access = reporting(thisProcess());
    // Closed first: each call of another process is either carried out now, or sent to the next owner.
    const control = createControlServer(reporting);
    parts.push(control);
    lock.serve(control.accept);
    const watcher = await watchStore(directory, () => health.condition, health.written);
    return {
      ...{ storeId, quota, damages, access, failed, watcher, close },
      observations: { ...observations, append: access.append },
      accounts: { ...accounts, update: access.update },
      imports: access.imports,
      warnings: [...warnings, ...damageWarning(damages)],
      torn: [...(torn ? [torn] : []), ...quota.torn],
      compact: compactor.compact,
      condition: () => health.condition,
      info: async () => ({
        storeId,
        version: await observations.version(),
        ...{ damages: damages.length, records: state.size, pending: state.pending },
        lastBackup: await lastBackupOf(directory),
        diskFreeBytes: watcher.disk()?.freeBytes,
      }),
      metrics: () => folderMetrics(directory, health.condition, watcher.disk()),
      mirrorState: (upstream) => mirrorStateFile(directory, upstream, { onFatal: fail }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens only the accounts of a store, which is made if it does not exist. `undefined` if another process owns it. */
export async function withAccounts<Value>(
  directory: string,
  { clock, fs = nodeFileSystem }: JsonFileOptions,
  use: (accounts: AccountFile) => Promise<Value>,
): Promise<Value | undefined> {
  const now = checkedClock(clock)();
  const folder = { fs, health: createHealth(), directory };
  await prepareDirectory(folder);
  const lock = await acquireLock(folder, now).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUse)) throw error;
  });
  if (!lock) return undefined;
  try {
    return await use(await openAccounts(folder, await openManifest(folder, now)));
  } finally {
    await lock.close();
  }
}

interface Closable {
  close(): Promise<void>;
}

/** The UTC day of `now`, the day before and the day after. The quota day is one of these in every time zone. */
function daysAround(now: UtcMillis) {
  const today = Math.floor(now / DAY_MS);
  return [today - 1, today, today + 1].map(dateOfDayNumber);
}

async function closeInReverse(parts: readonly Closable[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}

/** Advice about damage. Copying is refused, because the copy would silently lack the unreadable data. */
function damageWarning([first, ...more]: readonly FileDamage[]): readonly string[] {
  if (!first) return [];
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const where = `obs/${first.file}, byte ${first.offset}: ${first.reason}${others}`;
  return [
    `Some prices could not be read (${where}). The rest is served. compact and copy are refused until you stop the server and run repair, or restore a backup`,
  ];
}
