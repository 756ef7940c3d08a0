import { MAX_LINE_BYTES } from "./sealed_line.ts";

/** Lines that are appended to a log as one import. */
export interface LogLines {
  readonly count: number;
  /** The most bytes that they take, with all that the log adds to them. */
  readonly bytes: number;
  /** Writes the members of a line's object, without braces, at `at`; returns the index behind them. */
  write(to: Buffer, at: number, index: number): number;
}

/** The most bytes of one append: some 80,000 observations. A torn tail is never longer. */
export const MAX_APPEND_BYTES = 8 << 20;

/** The most bytes that a log adds to a line: sequence, generation, end of group, checksum and line feed. */
export const FRAME_BYTES = 66;

/** Lines given as texts, e.g. `"t":1,"v":"2"`; at least one. Throws `RangeError` for too large ones. */
export function textLines(bodies: readonly string[]): LogLines {
  const bytes = totalBytes(bodies.map((body) => Buffer.byteLength(body) + FRAME_BYTES));
  return { count: bodies.length, bytes, write: (to, at, index) => at + to.write(bodies[index]!, at) };
}

/** Adds up the bytes of lines. Throws `RangeError` where a line, or all of them together, are too large. */
export function totalBytes(lines: readonly number[]): number {
  let total = 0;
  for (const bytes of lines) {
    if (bytes > MAX_LINE_BYTES) {
      throw new RangeError(`Cannot append as a line takes at most ${MAX_LINE_BYTES} bytes: received "${bytes}"`);
    }
    total += bytes;
  }
  if (total > MAX_APPEND_BYTES) {
    throw new RangeError(`Cannot append as one batch takes at most ${MAX_APPEND_BYTES} bytes: received "${total}"`);
  }
  return total;
}
