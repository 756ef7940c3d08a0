import { Unavailable } from "../../../../core/mod.ts";
import { codeOf, type OpenFile, writeAll } from "../file_system.ts";
import { encodeGroup } from "./encode_group.ts";
import type { LogLines } from "./log_lines.ts";
import { CHECK_FROM_END, logSeed } from "./sealed_line.ts";
import { LOG_SCHEMA } from "./segment_header.ts";
import { createSegment, type SegmentMaker } from "./segments.ts";

/** An append-only log that is open for writing. */
export interface Log {
  /**
   * Appends lines, at least one: all of them or, when this rejects, none. When they are on the device,
   * `publish` is called with the sequence number of the first line, and what it returns is the result.
   */
  append<T>(lines: LogLines, publish: (first: number) => T): Promise<T>;
  /** Begins the next segment, behind all lines that are published by then; resolves to where it begins. */
  rotate(): Promise<LogEnd>;
  /** Up to where everything is on the device, and what the next line needs. */
  end(): LogEnd;
  /** Waits for the appends so far, then closes the file. */
  close(): Promise<void>;
}

/** The end of a log. */
export interface LogEnd {
  /** Number of the segment, and length of it. */
  readonly segment: number;
  readonly length: number;
  /** Checksum of the last line. */
  readonly check: string;
  /** Sequence number for the next line. */
  readonly next: number;
  /** Generation of the last line, 0 where there is none: no later line is below it. */
  readonly generation: number;
}

/** What a log is written with, and where it ends. */
export interface LogStart extends SegmentMaker {
  readonly kind: string;
  readonly storeId: string;
  /** Generation of the lock: goes into every line. */
  readonly generation: number;
  /** Size at which the next segment is begun. */
  readonly segmentBytes: number;
  /** The last segment. */
  readonly file: OpenFile;
  readonly end: LogEnd;
}

/** Appends are gathered into one write and one sync up to these limits; bytes are upper bounds. */
const GROUP_BYTES = 1 << 20;
const GROUP_LINES = 4_000;
/** How long no write is tried after one has failed. */
const PAUSE_MS = 5_000;

/** An append that waits for its group to be written. */
interface PendingAppend {
  readonly lines: LogLines;
  /** Called when the lines are on the device, with the sequence number of the first. */
  readonly resolve: (first: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a log. While one group is written and synced, the next gathers: write all bytes, sync, publish,
 * resolve, always in this order.
 */
export function createLog(start: LogStart): Log {
  const { health, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { file } = start;
  let { segment, length: offset, next, check, generation: lastGeneration } = start.end;
  let queue: PendingAppend[] = [];
  const rotations: { resolve(end: LogEnd): void; reject(error: unknown): void }[] = [];
  let draining: Promise<void> | undefined;
  let pausedUntil = 0;
  /** Whether a part of a group may lie behind the end, which a file system that takes no changes would not cut off. */
  let mustCut = false;
  /** Whether a segment could not be begun, of which a file may be there: no line may follow in this one. */
  let isDue = false;

  function append<T>(lines: LogLines, publish: (first: number) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      health.demand();
      queue.push({ lines, resolve: (first) => resolve(publish(first)), reject });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    await undefined; // So that all appends of this turn share the first sync.
    while (queue.length + rotations.length > 0) {
      if (rotations.length > 0) await rotateFor(rotations.splice(0));
      else await commit(takeFromQueue());
    }
    draining = undefined;
  }

  function rotate(): Promise<LogEnd> {
    return new Promise((resolve, reject) => {
      health.demand();
      rotations.push({ resolve, reject });
      draining ??= drain();
    });
  }

  async function rotateFor(callers: typeof rotations): Promise<void> {
    try {
      demandWritable();
      await beginSegment();
      for (const { resolve } of callers) resolve(end());
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
  }

  function demandWritable(): void {
    if (health.failed) throw health.fail(undefined);
    if (performance.now() < pausedUntil) throw new Unavailable("The disk takes no more data just now");
  }

  function end(): LogEnd {
    return { segment, length: offset, check, next, generation: lastGeneration };
  }

  function takeFromQueue(): PendingAppend[] {
    let [count, bytes, lines] = [0, 0, 0];
    for (const append of queue) {
      bytes += append.lines.bytes;
      lines += append.lines.count;
      if (count > 0 && (bytes > GROUP_BYTES || lines > GROUP_LINES)) break;
      count++;
    }
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    return taken;
  }

  async function commit(pending: readonly PendingAppend[]): Promise<void> {
    try {
      demandWritable();
      if (isDue || offset >= segmentBytes) await beginSegment();
      const bytes = encodeGroup(
        pending.map(({ lines }) => lines),
        { first: next, generation, seed },
      );
      await write(bytes);
      await sync();
      health.written();
      offset += bytes.length;
      check = bytes.toString("latin1", bytes.length - CHECK_FROM_END, bytes.length - CHECK_FROM_END + 8);
      lastGeneration = generation;
      let sequence = next;
      next += pending.reduce((sum, { lines }) => sum + lines.count, 0);
      for (const { resolve, lines } of pending) {
        resolve(sequence);
        sequence += lines.count;
      }
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
  }

  /** Writes a group, or cuts the file back to its length before: a part of a group must not be followed by another. */
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
      await file.truncate(offset);
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
      // Whoever opens the log next must not take pages for written that may be in memory only.
      await file.truncate(offset).catch(() => {});
      throw error;
    }
  }

  /** Begins the next segment. All lines of the one before are on the device by then. */
  async function beginSegment(): Promise<void> {
    const header = { kind, schema: LOG_SCHEMA, storeId, segment: segment + 1, first: next, prev: check };
    isDue = true;
    try {
      const created = await createSegment(start, header, lastGeneration);
      const full = file;
      ({ file } = created);
      ({ segment, length: offset, check } = created.end);
      isDue = false;
      await full.close().catch(() => {}); // All of it is synced, so a failure does no harm.
    } catch (error) {
      throw error instanceof Unavailable ? error : pause(error);
    }
  }

  /** Refuses writes for a while; the first one after that is a new try. */
  function pause(error: unknown): Unavailable {
    pausedUntil = performance.now() + PAUSE_MS;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The disk takes no more data: ${reason}`;
    health.refused(message);
    return new Unavailable(message, PAUSE_MS / 1_000, { cause: error });
  }

  return {
    append,
    rotate,
    end,
    async close() {
      await draining;
      await file.close().catch(() => {}); // All is synced, and the lock has to be released.
    },
  };
}
