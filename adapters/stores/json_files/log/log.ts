import { Unavailable } from "../../../../core/mod.ts";
import { createQueue } from "../../shared/queue.ts";
import { codeOf } from "../../shared/store_error.ts";
import { type OpenFile, writeAll } from "../file_system.ts";
import { encodeGroup } from "./group.ts";
import { createSegment } from "./log_file.ts";
import { logSeed } from "./sealed_line.ts";
import type { LogWriter } from "./segments.ts";

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
export interface LogStart extends LogWriter {
  readonly kind: string;
  /** A segment that reaches this size is followed by the next one. */
  readonly segmentBytes: number;
  readonly file: OpenFile;
  readonly end: LogEnd;
}

/** The lines of an append. */
export interface Made<T> {
  readonly lines: readonly string[];
  /** Called when the lines are on disk, with the sequence number of the first one. Returns the result of the append. */
  publish(first: number): T;
}

/** A caller that waits for its lines to be written. */
interface Append {
  /** @param isFirst Whether this is the first append in its group. */
  make(isFirst: boolean): Made<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

const PAUSE_MS = 5_000;
/** When the lines of a group reach this total length, further appends wait for the next group. */
const ENOUGH = 1 << 20;

/** Makes the writer of a log. For each group: write all bytes, sync, publish, resolve, always in this order. */
export function createLog(start: LogStart) {
  const { health, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { file, end } = start;
  const { inTurn, idle } = createQueue();
  /** If there are any, a turn for the next group is already requested. */
  const waiting: Append[] = [];
  let pausedUntil = 0;
  /** Whether the file may end with an incomplete group that could not be cut off from a read-only file system. */
  let mustCut = false;
  /** Whether beginning a segment has failed. The new file may exist, so the current file must not get more lines. */
  let isDue = false;

  function demandWritable(): void {
    if (health.failed) throw health.fail(undefined);
    if (performance.now() < pausedUntil) throw new Unavailable("The disk accepts no more data at the moment");
  }

  /** Writes the waiting appends as one group. */
  async function appendGroup(): Promise<void> {
    const lines: string[] = [];
    const appends: (Append & Made<unknown> & { readonly offset: number })[] = [];
    for (let length = 0; waiting.length > 0 && length < ENOUGH; ) {
      const append = waiting.shift()!;
      try {
        const made = append.make(appends.length === 0);
        appends.push({ ...append, ...made, offset: lines.length });
        lines.push(...made.lines);
        for (const line of made.lines) length += line.length;
      } catch (error) {
        append.reject(error);
      }
    }
    if (waiting.length > 0) void inTurn(appendGroup);
    try {
      await commit(lines, (first) => {
        for (const { publish, offset, resolve } of appends) resolve(publish(first + offset) as never);
      });
    } catch (error) {
      for (const { reject } of appends) reject(error);
    }
  }

  async function commit(lines: readonly string[], publish: (first: number) => void): Promise<void> {
    if (lines.length === 0) return publish(end.next);
    demandWritable();
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
     * Appends the lines that `make` returns. Appends that arrive during a write are written together as the next group,
     * and `make` is called just before that. If the promise rejects, none of the lines are in the log.
     */
    append: <T>(make: (isFirst: boolean) => Made<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        health.demand();
        if (waiting.push({ make, resolve, reject }) === 1) void inTurn(appendGroup);
      }),
    /** Begins the next segment, which gets all further lines. Resolves to the place of its first line. */
    rotate: (): Promise<LogEnd> =>
      inTurn(async () => {
        demandWritable();
        await beginSegment();
        return end;
      }),
    /** Where the data on disk ends. */
    end: (): LogEnd => end,
    /** Resolves when no append is waiting or in progress. */
    idle,
    /** Waits for earlier appends, then closes the file. */
    async close(): Promise<void> {
      await idle();
      await file.close().catch(() => {}); // Errors are ignored: everything is synced, and the lock must be released.
    },
  };
}
