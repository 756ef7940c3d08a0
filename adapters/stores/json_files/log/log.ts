import { Unavailable } from "../../../../core/mod.ts";
import { codeOf, type OpenFile, writeAll } from "../file_system.ts";
import { encodeGroup } from "./group.ts";
import { logSeed } from "./sealed_line.ts";
import { createSegment, type SegmentMaker } from "./segments.ts";

/** An append-only log that is open for writing. */
export interface Log {
  /**
   * Appends a group of lines, at least one: all of them or, when this rejects, none. When they are on the device,
   * `publish` is called with the sequence number of the first line. Whoever appends often gathers lines while this waits.
   */
  append(lines: readonly string[], publish: (first: number) => void): Promise<void>;
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

/** How long no write is tried after one has failed. */
const PAUSE_MS = 5_000;

/** Makes the writer of a log, which writes one group after the other: write all bytes, sync, publish, resolve, always in this order. */
export function createLog(start: LogStart): Log {
  const { health, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { file, end } = start;
  let last: Promise<unknown> = Promise.resolve();
  let pausedUntil = 0;
  /** Whether a part of a group may lie behind the end, which a file system that takes no changes would not cut off. */
  let mustCut = false;
  /** Whether a segment could not be begun, of which a file may be there: no line may follow in this one. */
  let isDue = false;

  async function inTurn<T>(act: () => Promise<T>): Promise<T> {
    health.demand();
    const result = last.then(() => {
      demandWritable();
      return act();
    });
    last = result.catch(() => {});
    return result;
  }

  function demandWritable(): void {
    if (health.failed) throw health.fail(undefined);
    if (performance.now() < pausedUntil) throw new Unavailable("The disk takes no more data just now");
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
      // Whoever opens the log next must not take pages for written that may be in memory only.
      await file.truncate(end.length).catch(() => {});
      throw error;
    }
  }

  /** Begins the next segment. All lines of the one before are on the device by then. */
  async function beginSegment(): Promise<void> {
    isDue = true;
    try {
      const { segment, next: first, check: prev } = end;
      const created = await createSegment(start, { kind, storeId, segment: segment + 1, first, prev }, end.generation);
      const full = file;
      ({ file, end } = created);
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
    append: (lines, publish) => inTurn(() => commit(lines, publish)),
    rotate: () =>
      inTurn(async () => {
        await beginSegment();
        return end;
      }),
    end: () => end,
    async close() {
      await last;
      await file.close().catch(() => {}); // All is synced, and the lock has to be released.
    },
  };
}
