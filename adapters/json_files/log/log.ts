import { Unavailable } from "../../../core/mod.ts";
import type { Health } from "../errors.ts";
import { writeAll } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { CHECK_FROM_END, logSeed } from "./line.ts";
import type { LogLines } from "./log_lines.ts";
import { renderGroup } from "./render.ts";
import type { Frame } from "./render.ts";
import { LOG_SCHEMA, createSegment } from "./segments.ts";

/** An append-only log that is open for writing. */
export interface Log {
  /**
   * Appends lines, at least one, as one act: all of them or, when this rejects, none. When they are on the
   * device, `publish` is called with the sequence number of the first, and its answer is the result.
   */
  append<T>(lines: LogLines, publish: (first: number) => T): Promise<T>;
  /** Up to where all is on the device. */
  position(): LogPosition;
  /** The same place, and how the log goes on behind it. */
  end(): LogEnd;
  /** Waits for what was appended, then closes the file. */
  close(): Promise<void>;
}

/** A place in a log: the number of a file, and a length of it. */
export interface LogPosition {
  readonly segment: number;
  readonly length: number;
}

/** The end of a log. */
export interface LogEnd extends LogPosition {
  /** Checksum of the last line. */
  readonly check: string;
  /** Sequence number for the next line. */
  readonly next: number;
  /** That of the last line: no later line is below it. */
  readonly generation: number;
}

/** Where a log's last file stands. */
export interface LogStart {
  readonly fs: FileSystem;
  readonly health: Health;
  readonly directory: string;
  readonly kind: string;
  readonly storeId: string;
  /** The lock's generation: goes into every line. */
  readonly generation: number;
  /** Size at which the next file is begun. */
  readonly segmentBytes: number;
  readonly segment: number;
  readonly file: OpenFile;
  /** The file's good length. */
  readonly offset: number;
  readonly next: number;
  readonly check: string;
  /** Generation of the last line, 0 where there is none. */
  readonly lastGeneration: number;
}

/** Appends are gathered into one write and one sync up to these; bytes are counted with room to spare. */
const GROUP_BYTES = 1 << 20;
const GROUP_LINES = 4_000;
/** So many lines are worth making while the device is busy with others; fewer had better wait for company. */
const AHEAD_LINES = 1_000;
/** After a failed write, how long until the next one may try. */
const PAUSE_MS = 5_000;
const FIRST_BUFFER_BYTES = 1 << 14;

interface Entry {
  readonly lines: LogLines;
  readonly finish: (first: number) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly entries: readonly Entry[];
  /** Sequence number of the first line. */
  readonly first: number;
  readonly bytes: Buffer;
}

/**
 * Makes the writer of a log. While one group is written and synced, the next gathers: write all
 * bytes, sync, publish, answer, in this order and never another.
 */
export function createLog(start: LogStart): Log {
  const { fs, health, directory, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { segment, file, offset, next, check, lastGeneration } = start;
  let queue: Entry[] = [];
  let draining: Promise<void> | undefined;
  let pausedUntil = 0;
  /** The next group, made while this one is being synced. */
  let ahead: Group | undefined;
  /** One for the group that is being written, and one for the next. */
  const buffers = [Buffer.allocUnsafe(FIRST_BUFFER_BYTES), Buffer.allocUnsafe(FIRST_BUFFER_BYTES)];

  function append<T>(lines: LogLines, publish: (first: number) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      health.demand();
      queue.push({ lines, finish: (first) => resolve(publish(first)), reject });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    await undefined; // So that all who append in this turn share the first sync.
    while (ahead || queue.length > 0) await commit(ahead?.entries ?? takeGroup());
    draining = undefined;
  }

  function takeGroup(): Entry[] {
    let [count, bytes, lines] = [0, 0, 0];
    for (const entry of queue) {
      bytes += entry.lines.bytes;
      lines += entry.lines.count;
      if (count > 0 && (bytes > GROUP_BYTES || lines > GROUP_LINES)) break;
      count++;
    }
    const group = queue.slice(0, count);
    queue = queue.slice(count);
    return group;
  }

  async function commit(group: readonly Entry[]): Promise<void> {
    try {
      if (health.failed) throw health.fail(undefined);
      if (performance.now() < pausedUntil) throw new Unavailable("The disk takes no more data just now");
      if (offset >= segmentBytes) await roll();
      const { bytes, first, entries } = ahead?.first === next ? ahead : render(group, next);
      ahead = undefined;
      if (entries.length === 0) return;
      await write(bytes);
      const after = first + countOf(entries);
      queueMicrotask(() => makeAhead(after)); // Which is done when the sync has begun.
      await sync();
      offset += bytes.length;
      next = after;
      check = bytes.toString("latin1", bytes.length - CHECK_FROM_END, bytes.length - CHECK_FROM_END + 8);
      lastGeneration = generation;
      let sequence = first;
      for (const { finish, lines } of entries) {
        finish(sequence);
        sequence += lines.count;
      }
    } catch (error) {
      for (const entry of group) entry.reject(error);
      if (ahead?.entries === group) ahead = undefined;
    }
  }

  /** Makes the bytes of a group, which are good until the next but one is made. An entry that cannot be written is rejected by itself. */
  function render(queued: readonly Entry[], first: number): Group {
    let entries = queued;
    const buffer = bufferFor(bytesOf(entries));
    const frame = { first, generation, seed };
    try {
      return { entries, first, bytes: buffer.subarray(0, renderGroup(buffer, entries.map(linesOf), frame)) };
    } catch {
      entries = entries.filter((entry) => canRender(entry, frame));
      return { entries, first, bytes: buffer.subarray(0, renderGroup(buffer, entries.map(linesOf), frame)) };
    }
  }

  function bufferFor(room: number): Buffer {
    let buffer = buffers.shift()!;
    if (room > buffer.length) buffer = Buffer.allocUnsafe(Math.max(room, 2 * buffer.length));
    // A large one, which few appends need, is not kept.
    buffers.push(buffer.length > GROUP_BYTES ? Buffer.allocUnsafe(FIRST_BUFFER_BYTES) : buffer);
    return buffer;
  }

  /** Makes the next group, should this one get through. If not, it is made again. */
  function makeAhead(first: number): void {
    if (countOf(queue) < AHEAD_LINES) return;
    const group = render(takeGroup(), first);
    if (group.entries.length > 0) ahead = group;
  }

  /** Writes a group, or cuts the file back to where it was: a part of a group must not be followed by another. */
  async function write(bytes: Buffer): Promise<void> {
    try {
      await writeAll(file, bytes);
    } catch (error) {
      try {
        await file.truncate(offset);
        await file.datasync();
      } catch (cutError) {
        throw health.fail(cutError);
      }
      throw pause(error);
    }
  }

  async function sync(): Promise<void> {
    try {
      await health.synced(file.datasync());
    } catch (error) {
      // Whoever opens the log next must not take pages for written that may only be in memory.
      await file.truncate(offset).catch(() => {});
      throw error;
    }
  }

  /** Begins the next file. All lines of the one before are on the device by then. */
  async function roll(): Promise<void> {
    const header = { kind, schema: LOG_SCHEMA, storeId, segment: segment + 1, first: next, prev: check };
    try {
      const created = await createSegment(fs, health, directory, header);
      const full = file;
      ({ file, offset, check } = created);
      segment++;
      await full.close().catch(() => {}); // Synced before: nothing hangs on it.
    } catch (error) {
      throw error instanceof Unavailable ? error : pause(error);
    }
  }

  /** Refuses writes for a while; the first after that is the probe. */
  function pause(error: unknown): Unavailable {
    pausedUntil = performance.now() + PAUSE_MS;
    const reason = error instanceof Error ? error.message : String(error);
    return new Unavailable(`The disk takes no more data: ${reason}`, PAUSE_MS / 1_000, { cause: error });
  }

  return {
    append,
    position: () => ({ segment, length: offset }),
    end: () => ({ segment, length: offset, check, next, generation: lastGeneration }),
    async close() {
      await draining;
      await file.close().catch(() => {}); // All is synced: nothing hangs on it, and the lock has to be let go.
    },
  };
}

/** Whether an entry can be written. If not, its caller is told, and nobody else's entry is touched. */
function canRender({ lines, reject }: Entry, frame: Frame): boolean {
  try {
    renderGroup(Buffer.allocUnsafe(lines.bytes), [lines], frame);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

function linesOf({ lines }: Entry): LogLines {
  return lines;
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { lines }) => sum + lines.bytes, 0);
}

function countOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { lines }) => sum + lines.count, 0);
}
