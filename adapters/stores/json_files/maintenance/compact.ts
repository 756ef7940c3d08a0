import type { SeriesStore } from "../../../../core/internal.ts";
import { Unavailable } from "../../../../core/mod.ts";
import { StoreError } from "../../shared/store_error.ts";
import type { Folder } from "../data_directory.ts";
import type { Log } from "../log/log.ts";
import { BASE, groupsOf, listLogFiles, OBSERVATIONS, removeBefore, writeBase } from "../log/log_base.ts";
import type { Marks } from "../log/log_end_marks.ts";
import type { LogBegin } from "../log/segments.ts";

/** The outcome of a compaction. */
export interface Compaction {
  /** How many records the log holds. */
  readonly records: number;
  /** Bytes of the log's files afterwards. */
  readonly bytes: number;
  /** How many bytes fewer those are than before. */
  readonly freed: number;
}

/** Compacts the log of observations. */
export interface Compactor {
  /**
   * Writes the records that are in force to a new file and removes the files that hold superseded ones, too. The
   * store is read and written meanwhile. When it fails, the data is as it was. One that is under way is joined.
   */
  compact(): Promise<Compaction>;
  /** Begins the same, if more than an eighth of the lines are superseded and the files have more than `bytes`. */
  compactAtStart(bytes: number): void;
  /** Waits for one that is under way. */
  close(): Promise<void>;
}

/** What a compaction works on. The directory is that of the log. */
export interface CompactorParts extends Folder {
  readonly storeId: string;
  readonly generation: number;
  readonly log: Log;
  readonly market: SeriesStore;
  readonly marks: Marks;
  /** Where the log begins behind its base, as it was opened. */
  readonly begin: LogBegin | undefined;
  /** How many places of the log could not be read. */
  readonly damages: number;
}

/** Above this, more than an eighth is superseded: a log that is compacted then stays below 1.2 times its size. */
const LINES_A_RECORD = 8 / 7;

/** How much free space must be there, as a multiple of what the records should take: lines differ, and appends go on. */
const ROOM = 1.25;

/** Makes the compactor of an open log. */
export function createCompactor(parts: CompactorParts): Compactor {
  const { fs, health, directory, storeId, generation, log, market, marks, damages } = parts;
  let begin = parts.begin ?? { segment: 1, next: 1 };
  let running: Promise<Compaction> | undefined;
  let atStart: Promise<void> | undefined;

  /** How many lines the log has, also those that were replaced or removed since. */
  function countLines(): number {
    return (marks.of(BASE)?.next ?? 1) - 1 + log.end().next - begin.next;
  }

  async function countBytes(): Promise<number> {
    return (await listLogFiles(fs, directory, OBSERVATIONS)).reduce((sum, { size }) => sum + size, 0);
  }

  async function run(): Promise<Compaction> {
    health.demand();
    if (damages > 0) {
      // Its versions tell the damaged log from the whole one; those of the compacted log could not.
      throw new StoreError(
        `Cannot compact as ${damages} places of the log are damaged, and what they held would be given up. Restore a backup, or run the repair command`,
        65,
      );
    }
    const before = await countBytes();
    const lines = countLines();
    if (lines > market.size) {
      await demandRoom((before * market.size) / lines).catch(explain);
      await replaceLog().catch(explain);
    }
    const bytes = await countBytes();
    return { records: market.size, bytes, freed: Math.max(0, before - bytes) };
  }

  /** Throws where the disk would be full in the middle of it, and other writes be refused until the new file is removed again. */
  async function demandRoom(bytes: number): Promise<void> {
    const free = (await fs.freeBytes?.(directory)) ?? Infinity;
    if (free < ROOM * bytes)
      throw new Unavailable(
        `Cannot compact as the disk has ${free} bytes left, and the records take some ${Math.ceil(bytes)}`,
      );
  }

  async function replaceLog(): Promise<void> {
    const { segment, next } = await log.rotate();
    const isOwner = (): boolean => !health.failed;
    const end = await writeBase(fs, directory, groupsOf(market.all()), {
      begin: { segment, next },
      storeId,
      generation,
      isOwner,
    });
    // Before any file goes: until then, a crash may leave either log.
    await health.synced(fs.syncDirectory(directory));
    marks.set(BASE, end);
    begin = { segment, next };
    await marks.save().catch(() => {}); // It is saved with the next one, too.
    await removeBefore(fs, directory, segment);
  }

  function compact(): Promise<Compaction> {
    return (running ??= run().finally(() => (running = undefined)));
  }

  async function compactLarge(bytes: number): Promise<void> {
    try {
      if (damages === 0 && countLines() > LINES_A_RECORD * market.size && (await countBytes()) > bytes) await compact();
    } catch {
      // The next start tries again, and the command says why.
    }
  }

  return {
    compact,
    compactAtStart(bytes) {
      atStart = compactLarge(bytes);
    },
    async close() {
      await atStart;
      await running?.catch(() => {});
    },
  };
}

function explain(error: unknown): never {
  if (error instanceof Unavailable || error instanceof StoreError) throw error;
  throw new Unavailable(`Cannot compact the log: ${error instanceof Error ? error.message : String(error)}`, 5, {
    cause: error,
  });
}
