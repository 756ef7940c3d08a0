import { Unavailable } from "../../../../core/mod.ts";
import { codeOf } from "../../shared/store_error.ts";
import { type OpenFile, writeAll } from "../file_system.ts";
import { encodeGroup } from "./group.ts";
import { logSeed } from "./sealed_line.ts";
import { createSegment, type SegmentMaker } from "./segments.ts";

/** An append-only log that is open for writing. */
export type Log = ReturnType<typeof createLog>;

/** The end of a log. */
export interface LogEnd {
  /** The number of the last segment, and its length. */
  readonly segment: number;
  readonly length: number;
  /** Checksum of the last line. */
  readonly check: string;
  /** Sequence number for the next line. */
  readonly next: number;
  /** Generation of the last line; 0 if there is none. Generations never fall. */
  readonly generation: number;
}

/** The end of a log, and how to continue it. */
export interface LogStart extends SegmentMaker {
  readonly kind: string;
  /** A segment that reaches this size is followed by the next one. */
  readonly segmentBytes: number;
  readonly file: OpenFile;
  readonly end: LogEnd;
}

const PAUSE_MS = 5_000;

/** Makes the writer of a log. For each group: write all bytes, sync, publish, resolve, always in this order. */
export function createLog(start: LogStart) {
  const { health, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { file, end } = start;
  let last: Promise<unknown> = Promise.resolve();
  let pausedUntil = 0;
  /** Whether the file may end with an incomplete group that could not be cut off from a read-only file system. */
  let mustCut = false;
  /** Whether beginning a segment has failed. The new file may exist, so the current file must not get more lines. */
  let isDue = false;

  async function inTurn<T>(act: () => Promise<T>): Promise<T> {
    health.demand();
    const result = last.then(() => {
      if (health.failed) throw health.fail(undefined);
      if (performance.now() < pausedUntil) throw new Unavailable("The disk accepts no more data at the moment");
      return act();
    });
    last = result.catch(() => {});
    return result;
  }

  async function commit(lines: readonly string[], publish: (first: number) => void): Promise<void> {
    if (isDue || end.length >= segmentBytes) await beginSegment();
    const first = end.next;
    const { bytes, check } = encodeGroup(lines, { first, generation, seed });
    await write(bytes);
    await sync();
    health.written();
    end = { ...end, length: end.length + bytes.length, check, next: first + lines.length, generation };
    publish(first);
  }

  /** Writes a group. If writing fails, cuts off the written part, because no line may follow an incomplete group. */
  async function write(bytes: Buffer): Promise<void> {
    if (mustCut) await cut();
    try {
      await writeAll(file, bytes);
    } catch (error) {
      await cut();
      throw pause(error);
    }
  }

  async function cut(): Promise<void> {
    try {
      await file.truncate(end.length);
      await file.datasync();
      mustCut = false;
    } catch (error) {
      if (codeOf(error) !== "EROFS") throw health.fail(error);
      mustCut = true;
      throw pause(error);
    }
  }

  async function sync(): Promise<void> {
    try {
      await health.synced(file.datasync());
    } catch (error) {
      if (error instanceof Unavailable && codeOf(error.cause) === "EROFS") {
        mustCut = true;
        throw pause(error.cause);
      }
      // The next process that opens the log must not read data that may be only in memory.
      await file.truncate(end.length).catch(() => {});
      throw error;
    }
  }

  /** Begins the next segment. All lines of the current segment are on disk. */
  async function beginSegment(): Promise<void> {
    isDue = true;
    try {
      const { segment, next: first, check: prev } = end;
      const created = await createSegment(start, { kind, segment: segment + 1, first, prev });
      const full = file;
      ({ file, end } = created);
      isDue = false;
      await full.close().catch(() => {}); // The whole file is synced.
    } catch (error) {
      throw error instanceof Unavailable ? error : pause(error);
    }
  }

  /** Refuses all writes for some seconds. After the pause, writes are tried again. */
  function pause(error: unknown): Unavailable {
    pausedUntil = performance.now() + PAUSE_MS;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The disk accepts no more data: ${reason}`;
    health.refused(message);
    return new Unavailable(message, PAUSE_MS / 1_000, { cause: error });
  }

  return {
    /**
     * Appends one or more lines as a group. If the promise rejects, none of the lines are in the log. When the lines
     * are on disk, calls `publish` with the first sequence number. While an append is in progress, callers should
     * collect further lines for the next append.
     */
    append: (lines: readonly string[], publish: (first: number) => void): Promise<void> =>
      inTurn(() => commit(lines, publish)),
    /** Begins the next segment, which gets all further lines. Resolves to the place of its first line. */
    rotate: (): Promise<LogEnd> =>
      inTurn(async () => {
        await beginSegment();
        return end;
      }),
    /** Where the data on disk ends. */
    end: (): LogEnd => end,
    /** Waits for earlier appends, then closes the file. */
    async close(): Promise<void> {
      await last;
      await file.close().catch(() => {}); // Errors are ignored: everything is synced, and the lock must be released.
    },
  };
}
