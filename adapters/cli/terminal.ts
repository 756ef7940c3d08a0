import type { Readable, Writable } from "node:stream";

/** Where a command reads and writes. */
export interface Terminal {
  /** The bytes of standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output. Await it: a slow reader is waited for. Rejects with `ReaderGone` when there is none any more. */
  write(text: string): Promise<void>;
  /** Writes a line to standard error. */
  note(line: string): void;
  /** Shows a line on standard error that the next one takes the place of; nothing unless a person looks at it. */
  progress(line: string): void;
}

/** Whoever read our output has closed it, as `head` does: a reason to end, not an error. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

const CLEAR_LINE = "\r\x1b[K";

/** Makes a terminal of the three standard streams. */
export function createTerminal(streams: {
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable & { readonly isTTY?: boolean };
}): Terminal {
  const { output, errors } = streams;
  let inProgress = false;
  // The callback of the write tells as well; without a listener the process would end here.
  output.on("error", () => undefined);
  errors.on("error", () => undefined);

  function clear(): void {
    if (inProgress) errors.write(CLEAR_LINE);
    inProgress = false;
  }

  return {
    get input() {
      return streams.input;
    },
    write(text) {
      clear();
      return new Promise((resolve, reject) => {
        output.write(text, (error) => {
          if (!error) resolve();
          else reject("code" in error && error.code === "EPIPE" ? new ReaderGone() : error);
        });
      });
    },
    note(line) {
      clear();
      errors.write(`${line}\n`);
    },
    progress(line) {
      if (!errors.isTTY) return;
      errors.write(CLEAR_LINE + line);
      inProgress = true;
    },
  };
}
