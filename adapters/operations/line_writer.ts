import { write, writeSync } from "node:fs";
import { nonBlocking } from "./descriptor.ts";

/** Writes lines to a file descriptor without ever waiting for it: what it does not take is held, up to a limit, and then dropped. */
export interface LineWriter {
  /** Adds a line. Never throws. */
  write(line: string): void;
  /** Writes at once what is held, as the process is about to crash. Never throws; a reader that is late gets only a part. */
  writeNow(): void;
  /** Settles when all is written, or after `withinMs`. */
  flush(withinMs: number): Promise<void>;
  /** Lines dropped since the start. */
  dropped(): number;
  /** Why lines cannot be written just now, as the end of a sentence. */
  trouble(): string | undefined;
}

/** How a writer works. */
export interface LineWriterOptions {
  /** Makes the line that says how many were dropped. */
  readonly lost: (count: number) => string;
  /** How long lines are gathered, so that many take one call of the system. Default: 0, until the turn of the event loop ends. */
  readonly gatherMs?: number;
}

const MAX_HELD = 1 << 20;
/** So much is written at once, before the time to gather is over: under load it would be more than may be held. */
const FULL_CHUNK = 64 << 10;
const BUSY_RETRY_MS = 50;
const FAILED_RETRY_MS = 1_000;
/** A reader may pause for so long before that counts as a trouble. */
const PATIENCE_MS = 2_000;

/**
 * Makes a writer on an open descriptor, e.g. 1 for standard output. `process.stdout` would hold any number of lines in
 * memory while its reader is stuck, and writes nothing more after its first error.
 */
export function createLineWriter(descriptor: number, { lost, gatherMs = 0 }: LineWriterOptions): LineWriter {
  const fd = nonBlocking(descriptor);
  let held = "";
  /** Bytes on their way; a part of them may be written. */
  let chunk: Buffer | undefined;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  /** Whether the last try has failed, and the timer is for the next one. */
  let isRetrying = false;
  let droppedInAll = 0;
  let droppedNow = 0;
  let failure: string | undefined;
  /** When the descriptor stopped to take lines. */
  let stuckSince: number | undefined;
  let whenEmpty: (() => void)[] = [];

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      pump();
    }, ms).unref();
  }

  function take(): Buffer | undefined {
    if (droppedNow > 0 && held.length < MAX_HELD / 2) {
      held += `${lost(droppedNow)}\n`;
      droppedNow = 0;
    }
    if (held === "") return undefined;
    const bytes = Buffer.from(held);
    held = "";
    return bytes;
  }

  function pump(): void {
    if (isWriting) return;
    isRetrying = false;
    chunk ??= take();
    if (!chunk) {
      for (const resolve of whenEmpty.splice(0)) resolve();
      return;
    }
    isWriting = true;
    stuckSince ??= performance.now();
    write(fd, chunk, settle);
  }

  function settle(error: NodeJS.ErrnoException | null, written: number): void {
    isWriting = false;
    if (error) {
      // A pipe whose reader is late is no failure yet.
      failure = error.code === "EAGAIN" ? undefined : (error.code ?? error.message);
      isRetrying = true;
      return schedule(failure === undefined ? BUSY_RETRY_MS : FAILED_RETRY_MS);
    }
    failure = undefined;
    stuckSince = undefined;
    chunk = chunk && written < chunk.length ? chunk.subarray(written) : undefined;
    pump();
  }

  return {
    write(line) {
      if (held.length + line.length >= MAX_HELD) {
        droppedInAll++;
        droppedNow++;
        return;
      }
      held += `${line}\n`;
      if (isWriting || isRetrying) return;
      if (held.length >= FULL_CHUNK) pump();
      else schedule(gatherMs);
    },
    writeNow() {
      try {
        // Bytes that are being written by another thread are not written twice.
        const bytes = Buffer.concat([...(chunk && !isWriting ? [chunk] : []), Buffer.from(held)]);
        held = "";
        writeSync(fd, bytes);
      } catch {
        // There is nobody left to tell.
      }
    },
    async flush(withinMs) {
      clearTimeout(timer);
      timer = undefined;
      const empty = new Promise<void>((resolve) => whenEmpty.push(resolve));
      pump();
      let giveUp: NodeJS.Timeout | undefined;
      await Promise.race([empty, new Promise<void>((resolve) => (giveUp = setTimeout(resolve, withinMs)))]);
      clearTimeout(giveUp);
      whenEmpty = [];
    },
    dropped: () => droppedInAll,
    trouble() {
      if (failure !== undefined) return `cannot be written: ${failure}`;
      return stuckSince !== undefined && performance.now() - stuckSince > PATIENCE_MS ? "takes no more lines, as its reader is stuck" : undefined;
    },
  };
}
