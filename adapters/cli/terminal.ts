import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { maskKeys } from "../../core/internal.ts";

/** The standard streams of a command. What looks like an API key is masked in everything but data, and control characters are escaped. */
export interface Terminal {
  /** Characters in a line of standard output; `undefined` where that is no terminal. */
  readonly columns: number | undefined;
  /** The bytes of standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /**
   * Writes to standard output; resolves when the reader has room again. Rejects with `ReaderGone` when the
   * reader has closed it.
   *
   * @param shownKey The one key that the text is meant to show.
   */
  write(text: string, shownKey?: string): Promise<void>;
  /** Writes records to standard output, without masking; as they are unless that is a terminal. Else as `write`. */
  writeData(text: string): Promise<void>;
  /** Writes a line to standard error. */
  note(line: string): void;
  /**
   * Asks a question on standard error; resolves to the line that is typed, without blanks around it. `undefined` unless
   * a person sits there: standard input and standard error are terminals.
   */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Shows a line on standard error that the next line replaces. Does nothing unless standard error is a terminal. */
  progress(line: string): void;
}

/** The reader of standard output has closed it, as `head` does. The command ends; that is not an error. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

const CLEAR_LINE = "\r\x1b[K";

/**
 * Control characters besides tabs and line feeds, and marks that turn the direction of what follows: in a text from outside they
 * could move the cursor, or show a line as another.
 */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The same text with these written as in JSON, where they then mean the same. */
function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Makes a terminal from the three standard streams. */
export function createTerminal(streams: {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly columns?: number; readonly isTTY?: boolean };
  readonly errors: Writable & { readonly isTTY?: boolean };
}): Terminal {
  const { output, errors } = streams;
  let inProgress = false;
  // `write` reports the error to its callback; without a listener the process would end.
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

  async function ask(question: string): Promise<string> {
    clear();
    errors.write(`${visible(question)} `);
    // Not as a terminal, which would take Ctrl+C for a key.
    const lines = createInterface({ input: streams.input, terminal: false });
    try {
      for await (const line of lines) return line.trim();
      return "";
    } finally {
      lines.close();
    }
  }

  return {
    get columns() {
      return output.columns;
    },
    get input() {
      return streams.input;
    },
    write: (text, shownKey) => print(visible(maskKeys(text, shownKey))),
    // A file or another program gets data as they are.
    writeData: (text) => print(output.isTTY ? visible(text) : text),
    note(line) {
      clear();
      errors.write(`${visible(maskKeys(line))}\n`);
    },
    get ask() {
      return errors.isTTY && streams.input.isTTY ? ask : undefined;
    },
    progress(line) {
      if (!errors.isTTY) return;
      errors.write(CLEAR_LINE + visible(maskKeys(line)));
      inProgress = true;
    },
  };
}
