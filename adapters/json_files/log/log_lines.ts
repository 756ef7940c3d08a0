import { MAX_LINE_BYTES } from "./line.ts";

/** Lines to be appended to a log as one act. */
export interface LogLines {
  readonly count: number;
  /** Bytes that they take at most, with all that the log adds to them. */
  readonly bytes: number;
  /** Writes the members of a line's object, without braces, to `at`; gives the place behind them. */
  write(to: Buffer, at: number, index: number): number;
}

/** What is appended at once is at most this long: some 80,000 observations. A torn tail is never longer. */
export const MAX_APPEND_BYTES = 8 << 20;

/** The most that a log adds to a line: sequence, generation, group end, checksum and line feed. */
export const FRAME_BYTES = 66;

/** Lines given as texts, e.g. `"t":1,"v":"2"`; at least one. Throws `RangeError` for what no file may hold. */
export function textLines(bodies: readonly string[]): LogLines {
  return { count: bodies.length, bytes: measure(bodies), write: (to, at, index) => at + to.write(bodies[index]!, at) };
}

function measure(bodies: readonly string[]): number {
  let total = 0;
  for (const body of bodies) {
    const bytes = Buffer.byteLength(body) + FRAME_BYTES;
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
