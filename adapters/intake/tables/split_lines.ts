import { utf8 } from "../../../core/internal.ts";
import { joinBytes, textOf } from "./utf8_text.ts";

/** One line of a text file, without its line end. Numbers count from 1. */
export type TextLine = { readonly number: number; readonly text: string };
/** A line, or why it cannot be read. */
export type SplitLine = TextLine | { readonly number: number; readonly fault: string };

/** The longest line, without its line end. */
export const MAX_LINE_BYTES = 16_384;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Creates a splitter of UTF-8 text that buffers at most one line. `push` returns the lines that end in a chunk; `end`
 * returns a last line without a line end. LF and CRLF end lines. If the first line ends with CR alone, CR also ends all
 * other lines. A line that is too long or not UTF-8 becomes a fault.
 */
export function createLineSplitter(maxBytes = MAX_LINE_BYTES) {
  let number = 0;
  /** The beginning of a line that ends in a later chunk; only its last byte if the line is already too long. */
  let held: Uint8Array = new Uint8Array(0);
  let isCut = false;
  /** Whether CR alone ends lines; `undefined` until the first line ends. */
  let hasReturns: boolean | undefined;

  /** Replaces CR at line ends by LF if CR ends lines in this file. An LF may still follow a CR at the end. */
  function withFeeds(bytes: Uint8Array): Uint8Array {
    if (hasReturns === undefined) {
      const at = bytes.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
      const isDecided = at !== -1 && (bytes[at] === LINE_FEED || at < bytes.length - 1);
      if (isDecided) hasReturns = bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED;
    }
    if (!hasReturns) return bytes;
    const single = bytes.filter((byte, at) => byte !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED);
    return single.map((byte, at) => (byte === CARRIAGE_RETURN && at < single.length - 1 ? LINE_FEED : byte));
  }

  function lineOf(given: string | Uint8Array): SplitLine {
    number++;
    const last = given.at(-1);
    const line = last === CARRIAGE_RETURN || last === "\r" ? given.slice(0, -1) : given;
    // A UTF-16 unit takes at most three bytes in UTF-8, so short lines need no encoding.
    const isLong = line.length * 3 > maxBytes && (typeof line === "string" ? utf8(line) : line).length > maxBytes;
    if (isCut || isLong) {
      isCut = false;
      return { number, fault: `line is longer than ${maxBytes} bytes` };
    }
    const text = typeof line === "string" ? line : textOf(line);
    if (text === undefined) return { number, fault: "line is not UTF-8 text" };
    return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
  }

  return {
    push(chunk: Uint8Array): readonly SplitLine[] {
      const bytes = withFeeds(held.length === 0 ? chunk : joinBytes([held, chunk]));
      const end = bytes.lastIndexOf(LINE_FEED);
      // Decoding all lines together is three times as fast as decoding each line.
      const lines =
        end === -1 ? [] : (textOf(bytes.subarray(0, end))?.split("\n") ?? splitBytes(bytes.subarray(0, end)));
      const read = lines.map(lineOf);
      held = bytes.slice(end + 1);
      // One byte above the limit is allowed, because a CR may belong to the line end.
      if (held.length > maxBytes + 1) [held, isCut] = [held.slice(-1), true];
      return read;
    },
    end: (): readonly SplitLine[] => (held.length > 0 ? [lineOf(held)] : []),
  };
}

function splitBytes(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start <= bytes.length; start += lines.at(-1)!.length + 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    lines.push(bytes.subarray(start, end === -1 ? undefined : end));
  }
  return lines;
}
