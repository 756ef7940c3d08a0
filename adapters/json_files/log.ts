import { Unavailable } from "../../core/ports.ts";
import type { Health } from "./errors.ts";
import { writeAll } from "./fs.ts";
import type { FileSystem, OpenFile } from "./fs.ts";
import { MAX_LINE_BYTES, checkOf, logSeed, seal } from "./line.ts";
import { LOG_SCHEMA, createSegment } from "./segments.ts";

/** An append-only log that is open for writing. */
export interface Log {
  /**
   * Appends lines as one act: all of them or, when this rejects, none. When they are on the device,
   * `publish` is called with the sequence number of the first, and its answer is the result.
   *
   * @param bodies Members of each line's object, without braces: `"t":1,"v":"2"`. At least one.
   */
  append<T>(bodies: readonly string[], publish: (first: number) => T): Promise<T>;
  /** Up to where all is on the device. */
  position(): LogPosition;
  /** Waits for what was appended, then closes the file. */
  close(): Promise<void>;
}

/** A place in a log: the number of a file, and a length of it. */
export interface LogPosition {
  readonly segment: number;
  readonly length: number;
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
}

/** What is appended at once is at most this long: some 80,000 observations. A torn tail is never longer. */
export const MAX_APPEND_BYTES = 8 << 20;

/** Appends are gathered into one write and one sync up to these. */
const GROUP_BYTES = 1 << 20;
const GROUP_LINES = 10_000;
/** After a failed write, how long until the next one may try. */
const PAUSE_MS = 5_000;
/** Sequence, generation, group end and checksum of a line. */
const FRAME_BYTES = 64;

interface Entry {
  readonly bodies: readonly string[];
  readonly bytes: number;
  readonly finish: (first: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes the writer of a log. While one group is written and synced, the next gathers: write all
 * bytes, sync, publish, answer, in this order and never another.
 */
export function createLog(start: LogStart): Log {
  const { fs, health, directory, kind, storeId, generation, segmentBytes } = start;
  const seed = logSeed(storeId, kind);
  let { segment, file, offset, next, check } = start;
  let queue: Entry[] = [];
  let draining: Promise<void> | undefined;
  let pausedUntil = 0;

  async function append<T>(bodies: readonly string[], publish: (first: number) => T): Promise<T> {
    health.demand();
    const bytes = measure(bodies);
    return new Promise<T>((resolve, reject) => {
      queue.push({ bodies, bytes, finish: (first) => resolve(publish(first)), reject });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    await undefined; // So that all who append in this turn share the first sync.
    while (queue.length > 0) await commit(takeGroup());
    draining = undefined;
  }

  function takeGroup(): Entry[] {
    let [count, bytes, lines] = [0, 0, 0];
    for (const entry of queue) {
      bytes += entry.bytes;
      lines += entry.bodies.length;
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
      const lines = render(group);
      const bytes = Buffer.from(lines.join("\n") + "\n");
      await write(bytes);
      await sync();
      const first = next;
      offset += bytes.length;
      next += lines.length;
      check = checkOf(lines.at(-1)!);
      let sequence = first;
      for (const entry of group) {
        entry.finish(sequence);
        sequence += entry.bodies.length;
      }
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
  }

  function render(group: readonly Entry[]): string[] {
    const bodies = group.length === 1 ? group[0]!.bodies : group.flatMap((entry) => entry.bodies);
    const last = bodies.length - 1;
    return bodies.map((body, i) => seal(`{"s":${next + i},"g":${generation},${body}${i === last ? ',"e":1' : ""}`, seed));
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
    async close() {
      await draining;
      await file.close().catch(() => {}); // All is synced: nothing hangs on it, and the lock has to be let go.
    },
  };
}

/** Bytes that lines take at most; throws for what no file may hold. */
function measure(bodies: readonly string[]): number {
  let total = 0;
  for (const body of bodies) {
    const bytes = Buffer.byteLength(body) + FRAME_BYTES;
    if (bytes > MAX_LINE_BYTES) {
      throw new RangeError(`Cannot append as a line takes at most ${MAX_LINE_BYTES} bytes: received "${bytes}"`);
    }
    total += bytes;
  }
  if (total > MAX_APPEND_BYTES) {
    throw new RangeError(`Cannot append as one batch takes at most ${MAX_APPEND_BYTES} bytes: received "${total}"`);
  }
  return total;
}
