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
  let held = new Uint8Array(0);
  let tooLong = false;
  /** Whether CR alone ends lines; `undefined` until the first line ends. */
  let hasReturns: boolean | undefined;
  /** Whether the last byte was a CR. */
  let isAfterReturn = false;

  /** Replaces CR at line ends by LF, if CR ends lines in this file. */
  function withFeeds(chunk: Uint8Array): Uint8Array {
    if (hasReturns === undefined) {
      const at = isAfterReturn ? -1 : chunk.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
      const isDecided = isAfterReturn || (at !== -1 && at < chunk.length - 1) || chunk[at] === LINE_FEED;
      if (isDecided) hasReturns = chunk[at] !== LINE_FEED && chunk[at + 1] !== LINE_FEED;
      // The CR at the end of the last chunk has not become LF, so the LF is added here.
      if (hasReturns && isAfterReturn) chunk = joinBytes([Uint8Array.of(LINE_FEED), chunk]);
      isAfterReturn = !isDecided && at !== -1;
    }
    if (!hasReturns) return chunk;
    const isNext = (at: number): boolean => (at === 0 ? isAfterReturn : chunk[at - 1] === CARRIAGE_RETURN);
    const feeds = chunk.filter((byte, at) => byte !== LINE_FEED || !isNext(at));
    isAfterReturn = isNext(chunk.length);
    return feeds.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte));
  }

  function hold(bytes: Uint8Array): void {
    // One byte above the limit is allowed, because a CR may belong to the line end.
    tooLong ||= held.length + bytes.length > maxBytes + 1;
    if (tooLong) held = new Uint8Array(0);
    else if (bytes.length > 0) held = joinBytes([held, bytes]);
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
    if (fault) return tooLongLine();
    const text = textOf(rest.subarray(0, length));
    return text === undefined ? { number, fault: "line is not UTF-8 text" } : { number, text: withoutMark(text) };
  }

  /** Adds the line at `start`; returns the start of the next line, or `start` if the line ends in a later chunk. */
  function takeLine(chunk: Uint8Array, start: number, lines: SplitLine[]): number {
    const end = chunk.indexOf(LINE_FEED, start);
    if (end === -1) return start;
    lines.push(finish(chunk.subarray(start, end)));
    return end + 1;
  }

  /** Adds whole lines that were decoded together: three times as fast as decoding each line. */
  function takeText(text: string, lines: SplitLine[]): void {
    for (let start = 0; start < text.length; ) {
      const feed = text.indexOf("\n", start);
      const end = feed > start && text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : feed;
      number++;
      lines.push(isTooLong(text, start, end) ? tooLongLine() : { number, text: withoutMark(text.slice(start, end)) });
      start = feed + 1;
    }
  }

  /** A UTF-16 unit takes at most three bytes in UTF-8, so short lines need no encoding. */
  function isTooLong(text: string, start: number, end: number): boolean {
    return (end - start) * 3 > maxBytes && utf8(text.slice(start, end)).length > maxBytes;
  }

  function tooLongLine(): SplitLine {
    return { number, fault: `line is longer than ${maxBytes} bytes` };
  }

  function withoutMark(text: string): string {
    return number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  return {
    push(given: Uint8Array): readonly SplitLine[] {
      const chunk = hasReturns === false || given.length === 0 ? given : withFeeds(given);
      const lines: SplitLine[] = [];
      let start = 0;
      // A line that began in an earlier chunk is completed first.
      if (held.length > 0 || tooLong) start = takeLine(chunk, start, lines);
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      const text = end > start ? textOf(chunk.subarray(start, end)) : undefined;
      if (text !== undefined) takeText(text, lines);
      else while (start < end) start = takeLine(chunk, start, lines);
      hold(chunk.subarray(Math.max(start, end)));
      return lines;
    },
    end: (): readonly SplitLine[] => (held.length > 0 || tooLong ? [finish(new Uint8Array(0))] : []),
  };
}
