import type { OpenFile } from "../fs.ts";

/** What is done with the lines of a file. */
export interface LineVisitor {
  /**
   * Takes lines from `start` on as long as it likes; gives the place behind the last one. What lies at
   * `filled` and behind is of no meaning, and there is at least a kilobyte of it.
   */
  take(bytes: Buffer, start: number, filled: number, offset: number): number;
  /** Is shown the line that `take` has left; `whole` tells whether a line feed ends it. */
  visit(bytes: Buffer, start: number, end: number, offset: number, whole: boolean): void;
}

const CHUNK_BYTES = 1 << 20;
/** Still longer than any line. */
const SMALL_CHUNK_BYTES = 1 << 16;
const SPARE_BYTES = 1 << 10;

/**
 * Goes through all lines of a file from `position` on, a megabyte at a time, with each line's place in
 * the file as `offset`. Gives the file's size.
 */
export async function eachLine(file: OpenFile, { take, visit }: LineVisitor, position = 0): Promise<number> {
  // Most files are small, and a megabyte for each would keep the garbage collector busy.
  const room = Math.min(Math.max((await file.size()) - position + 1, SMALL_CHUNK_BYTES), CHUNK_BYTES);
  const buffer = Buffer.allocUnsafe(room + SPARE_BYTES);
  let filled = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled, room), position + filled);
    filled += count;
    const bytes = buffer.subarray(0, filled);
    let start = 0;
    for (;;) {
      start = take(buffer, start, filled, position + start);
      const end = bytes.indexOf(10, start);
      if (end === -1) break;
      visit(bytes, start, end, position + start, true);
      start = end + 1;
    }
    const stuck = start === 0 && filled === room;
    if ((count === 0 || stuck) && filled > start) {
      visit(bytes, start, filled, position + start, false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    position += start;
    filled -= start;
    if (count === 0) return position;
  }
}
