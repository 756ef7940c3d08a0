import { join } from "node:path";
import { Unavailable } from "../../../../core/mod.ts";
import type { Entry } from "../../price_state/entries.ts";
import type { PriceState } from "../../price_state/price_state.ts";
import { findReplacedBefore } from "../../price_state/replaced_records.ts";
import type { Compaction } from "../../shared/engine.ts";
import { createQueue } from "../../shared/queue.ts";
import { StoreError } from "../../shared/store_error.ts";
import { sizeOf } from "../file_system.ts";
import type { Log } from "../log/log.ts";
import { BASE, OBSERVATIONS, removeBefore } from "../log/log_base.ts";
import type { Marks } from "../log/log_end_marks.ts";
import { type LogBegin, type LogWriter, listSegments } from "../log/segments.ts";
import { readPriceLog } from "../price_log.ts";
import { writePriceBase } from "./make_store_from_content.ts";

/** The parts of a store that a compactor uses. */
export interface CompactorParts extends LogWriter {
  readonly log: Log;
  readonly state: PriceState;
  readonly marks: Marks;
  /** Where the segments after the base began when the store was opened. */
  readonly begin: LogBegin | undefined;
  readonly damages: number;
}

/**
 * When a store is opened, its log is compacted if the log has more than this many records for each needed record: then
 * more than an eighth of its records are superseded. So logs stay below 1.2 times their compacted size.
 */
const APPLIED_A_RECORD = 8 / 7;
/**
 * Logs with fewer records per line are compacted, too. Compared with a compacted log, reading takes twice as long with
 * seven records per line, and six times as long with one record per line.
 */
const RECORDS_A_LINE = 8;

/** Required free space, divided by the expected size. Lines differ in length, and records are added meanwhile. */
const ROOM = 1.25;

/** Makes the compactor of an open log. */
export function createCompactor(parts: CompactorParts) {
  const { fs, health, storeId, log, state, marks, damages } = parts;
  const directory = join(parts.directory, "obs");
  let begin = parts.begin ?? { segment: 1, next: 1 };
  let running: Promise<Compaction> | undefined;
  let atStart: Promise<void> | undefined;
  /** Reading all files and replacing files never run at the same time. */
  const { inTurn, idle } = createQueue();
  let dropped = 0;

  /** The number of records in the log, superseded records included. */
  function countRecords(): number {
    return state.applied - dropped;
  }

  /** The number of records that a compaction would write, except those that an undo may need. */
  function countNeeded(): number {
    return state.size + state.superseded().length;
  }

  async function readUpTo(end: number, take: (entry: Entry) => void): Promise<void> {
    const files = { fs, directory, storeId };
    await readPriceLog(files, (entry, sequence) => sequence < end && take(entry));
  }

  /** The size of the log in bytes: its base and its segments. */
  async function countBytes(): Promise<number> {
    const files = [...(await listSegments(fs, directory, BASE)), ...(await listSegments(fs, directory, OBSERVATIONS))];
    const sizes = await Promise.all(files.map(({ name }) => sizeOf(fs, join(directory, name))));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async function run(): Promise<Compaction> {
    health.demand();
    if (damages > 0) {
      // A damaged log has other versions than the complete log (`versionName`). A compaction would hide the damage.
      throw new StoreError(
        "Cannot compact because the log is damaged, and the content of the damaged places would be lost. Restore a backup, or run the repair command",
        65,
      );
    }
    const before = await countBytes();
    if (log.end().next > begin.next) {
      await demandRoom((before * countNeeded()) / countRecords());
      await replaceLog();
    }
    const bytes = await countBytes();
    return { records: state.size, bytes, freed: Math.max(0, before - bytes) };
  }

  /** Throws if the compaction could fill the disk, because all other writes would then fail. */
  async function demandRoom(bytes: number): Promise<void> {
    const free = (await fs.freeBytes?.(directory)) ?? Infinity;
    if (free < ROOM * bytes)
      throw new Unavailable(
        `Cannot compact because the disk has ${free} free bytes, and the records need about ${Math.ceil(bytes)}`,
      );
  }

  async function replaceLog(): Promise<void> {
    const { segment, next } = await log.rotate();
    // No record is published between `rotate` and `freeze`, because a write has to wait for the disk first.
    const now = state.applied;
    const frozen = state.freeze();
    try {
      const content = {
        imports: [...state.imports()],
        records: frozen.records,
        superseded: state.superseded(),
        before: await findReplacedBefore(state, (take) => readUpTo(next, take)),
      };
      let written = 0;
      // The base is synced before any file is removed: after a crash, either the old or the new log is complete.
      marks.set(BASE, await writePriceBase(parts, { segment, next }, content, (records) => (written += records)));
      begin = { segment, next };
      dropped = now - written;
      await marks.save().catch(() => {}); // If this fails, the next save writes the mark.
      await removeBefore(fs, directory, segment);
    } finally {
      frozen.end();
    }
  }

  /**
   * Writes the current records to a new file, and removes the files before it. The store remains in use. If this fails,
   * no data is changed. Joins a running compaction.
   */
  function compact(): Promise<Compaction> {
    return (running ??= inTurn(run).finally(() => (running = undefined)));
  }

  async function compactLarge(bytes: number): Promise<void> {
    const needed = countNeeded();
    const lines = (marks.of(BASE)?.next ?? 1) - 1 + log.end().next - begin.next;
    const isLoose = countRecords() > APPLIED_A_RECORD * needed || lines * RECORDS_A_LINE > needed;
    if (damages === 0 && isLoose && (await countBytes()) > bytes) await compact();
  }

  return {
    compact,
    /** Reads all entries of the log. Waits until no compaction is replacing its files. */
    readEntries: (take: (entry: Entry) => void): Promise<void> => inTurn(() => readUpTo(Infinity, take)),
    /** Compacts in the background if the files are larger than `bytes` and the next start would become much faster. */
    compactAtStart(bytes: number): void {
      // If this fails, the next start tries again. The compact command shows the reason.
      atStart = compactLarge(bytes).catch(() => undefined);
    },
    async close(): Promise<void> {
      await atStart;
      await idle();
    },
  };
}
