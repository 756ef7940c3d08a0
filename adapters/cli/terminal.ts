import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { maskKeys } from "../../core/internal.ts";
import { printable } from "../server/monitoring/log_entry.ts";

/** The standard streams of a command. */
export type Terminal = ReturnType<typeof createTerminal>;

/** Thrown when the reader of standard output, such as `head`, has ended. Ends the command without an error. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

const CLEAR_LINE = "\r\x1b[K";

/** Escapes control characters except tabs and line feeds. The escapes are those of JSON, so JSON keeps its meaning. */
function visible(text: string): string {
  return text.replace(/[^\t\n]+/g, printable);
}

/**
 * Makes a terminal from the three standard streams. Masks API keys and escapes control characters in all output except
 * data.
 */
export function createTerminal(streams: {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly columns?: number; readonly isTTY?: boolean };
  readonly errors: Writable & { readonly isTTY?: boolean; readonly fd?: number };
}) {
  const { output, errors } = streams;
  let inProgress = false;
  // The callback of `write` gets the error. Without this listener, the error would also end the process.
  output.on("error", () => undefined);
  errors.on("error", () => undefined);

  function clear(): void {
    if (inProgress) errors.write(CLEAR_LINE);
    inProgress = false;
  }

  function print(text: string): Promise<void> {
    clear();
    return new Promise((resolve, reject) => {
      output.write(text, (error) => {
        if (!error) resolve();
        else reject("code" in error && error.code === "EPIPE" ? new ReaderGone() : error);
      });
    });
  }

  async function ask(question: string): Promise<boolean> {
    clear();
    errors.write(`${visible(question)} [y/N] `);
    // With `terminal: true`, Ctrl+C would be read as input.
    const lines = createInterface({ input: streams.input, terminal: false });
    try {
      for await (const line of lines) return /^y(?:es)?$/i.test(line.trim());
      return false;
    } finally {
      lines.close();
    }
  }

  return {
    /** The streams for the access log of a server and for its log of events. */
    logs: { access: output, events: errors },
    /** The width of the terminal in characters; `undefined` if standard output is not a terminal. */
    get columns() {
      return output.columns;
    },
    /** The bytes of standard input. */
    get input(): AsyncIterable<Uint8Array> {
      return streams.input;
    },
    /** Writes to standard output. Does not mask `shownKey`. Rejects with `ReaderGone` if standard output is closed. */
    write: (text: string, shownKey?: string): Promise<void> => print(visible(maskKeys(text, shownKey))),
    /** Writes data to standard output. Unlike `write`, masks no keys, and escapes characters only on a terminal. */
    writeData: (text: string): Promise<void> => print(output.isTTY ? visible(text) : text),
    /** Writes a line to standard error. */
    note(line: string): void {
      clear();
      errors.write(`${visible(maskKeys(line))}\n`);
    },
    /** Asks a yes-or-no question. `ask` is `undefined` unless standard input and standard error are terminals. */
    get ask() {
      return errors.isTTY && streams.input.isTTY ? ask : undefined;
    },
    /** If standard error is a terminal, shows a line there until the next line replaces it. */
    progress(line: string): void {
      if (!errors.isTTY) return;
      errors.write(CLEAR_LINE + visible(maskKeys(line)));
      inProgress = true;
    },
  };
}
