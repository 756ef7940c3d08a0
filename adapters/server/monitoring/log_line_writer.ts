import type { Writable } from "node:stream";

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
    async flush(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      const done = new Promise<void>((resolve) => void stream.write("", () => resolve()));
      await Promise.race([done, late]);
      clearTimeout(timer);
    },
    /** How many lines have been lost since the start. */
    lost: (): number => lost,
  };
}
