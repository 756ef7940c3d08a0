/** One line of a text file, without its line end. */
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** A line, or the reason why it cannot be read. */
export type SplitLine = TextLine | { readonly number: number; readonly fault: string };

/** Splits a stream of bytes into lines. Buffers one line at most. */
export interface LineSplitter {
  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): readonly SplitLine[];
  /** The last line, if it has no line end. */
  end(): readonly SplitLine[];
  /** Whether the bytes so far end within a line. */
  isMidLine(): boolean;
}

/** The longest line, without its line end. */
export const MAX_LINE_BYTES = 16_384;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Makes a splitter for UTF-8 text with LF or CRLF line ends and an optional byte order mark. A line that is
 * too long or not UTF-8 becomes a fault, and the next line is read.
 */
export function createLineSplitter(maxBytes = MAX_LINE_BYTES): LineSplitter {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let number = 0;
  let held = new Uint8Array(0);
  let tooLong = false;

  function hold(bytes: Uint8Array): void {
    // One more than the limit, for the carriage return that may belong to the line end.
    tooLong ||= held.length + bytes.length > maxBytes + 1;
    if (tooLong) {
      held = new Uint8Array(0);
    } else if (bytes.length > 0) {
      const joined = new Uint8Array(held.length + bytes.length);
      joined.set(held);
      joined.set(bytes, held.length);
      held = joined;
    }
  }

  function finish(rest: Uint8Array): SplitLine {
    number++;
    if (held.length > 0 || tooLong) {
      hold(rest);
      rest = held;
    }
    const length = rest.at(-1) === CARRIAGE_RETURN ? rest.length - 1 : rest.length;
    const fault = tooLong || length > maxBytes;
    held = new Uint8Array(0);
    tooLong = false;
    return fault ? { number, fault: `line is longer than ${maxBytes} bytes` } : decode(rest.subarray(0, length));
  }

  function decode(bytes: Uint8Array): SplitLine {
    try {
      const text = decoder.decode(bytes);
      return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
    } catch {
      return { number, fault: "line is not UTF-8 text" };
    }
  }

  return {
    push(chunk) {
      const lines: SplitLine[] = [];
      let start = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
        lines.push(finish(chunk.subarray(start, at)));
        start = at + 1;
      }
      hold(chunk.subarray(start));
      return lines;
    },
    end: () => (held.length > 0 || tooLong ? [finish(new Uint8Array(0))] : []),
    isMidLine: () => held.length > 0 || tooLong,
  };
}
