import type { Writable } from "node:stream";
import { inTime } from "../../stores/shared/answer_in_time.ts";

const MAX_HELD = 1 << 20;
const FLUSH_MS = 1_000;

/**
 * Makes a writer of lines to standard output or standard error. If the reader of a pipe is slow, holds up to 1 MB, then
 * drops and counts lines. There must be a limit, because anybody can cause lines: requests without a key are logged.
 */
export function createLineWriter(stream: Writable) {
  let lost = 0;
  const written = (error?: Error | null): void => void (error && lost++);
  // Without a listener, the process would end if the reader has gone or a disk is full.
  if (stream.listenerCount("error") === 0) stream.on("error", () => undefined);
  return {
    /** Adds a line. Never throws. */
    write(line: string): void {
      if (stream.writableLength > MAX_HELD) lost++;
      else stream.write(`${line}\n`, written);
    },
    /** Resolves when all lines are written, or after a second. */
    flush(): Promise<void> {
      const done = new Promise<void>((resolve) => void stream.write("", () => resolve()));
      return inTime(done, FLUSH_MS, () => undefined);
    },
    /** How many lines have been lost since the start. */
    lost: (): number => lost,
  };
}
