import type { Writable } from "node:stream";

/** Writes lines to standard output or standard error. */
export interface LineWriter {
  /** Adds a line. Never throws. */
  write(line: string): void;
  /** Settles when all is written, or after a second. */
  flush(): Promise<void>;
  /** Lines that could not be written, since the start. */
  lost(): number;
}

const MAX_HELD = 1 << 20;
const FLUSH_MS = 1_000;

/**
 * Makes a writer on a stream, which holds what the reader of a pipe has not taken. Above 1 MB of that, lines are lost, and
 * counted, as requests without a key write lines, too.
 */
export function createLineWriter(stream: Writable): LineWriter {
  let lost = 0;
  const written = (error?: Error | null): void => void (error && lost++);
  // Without a listener the process would end when a reader has gone, or a disk is full. Later lines are tried all the same.
  if (stream.listenerCount("error") === 0) stream.on("error", () => undefined);
  return {
    write(line) {
      if (stream.writableLength > MAX_HELD) lost++;
      else stream.write(`${line}\n`, written);
    },
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      const done = new Promise<void>((resolve) => void stream.write("", () => resolve()));
      await Promise.race([done, late]);
      clearTimeout(timer);
    },
    lost: () => lost,
  };
}
