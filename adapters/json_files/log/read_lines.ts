import type { OpenFile } from "../fs.ts";

/** Consumes the lines of a file. */
export interface LineConsumer {
  /**
   * Consumes as many whole lines from `start` on as it can parse quickly; returns the index behind the last one.
   * Bytes at `filled` and behind are undefined; there is at least a kilobyte of them.
   *
   * @param offset Position of `start` in the file.
   */
  consumeMany(bytes: Buffer, start: number, filled: number, offset: number): number;
  /** Consumes the one line at which `consumeMany` stopped; `terminated` tells whether it ends with a line feed. */
  consumeOne(bytes: Buffer, start: number, end: number, offset: number, terminated: boolean): void;
}

const CHUNK_BYTES = 1 << 20;
/** Still longer than any line. */
const SMALL_CHUNK_BYTES = 1 << 16;
const SPARE_BYTES = 1 << 10;

/** Reads all lines of a file, a megabyte at a time; returns the file's size. */
export async function readLines(file: OpenFile, consumer: LineConsumer): Promise<number> {
  // Most files are small, and a megabyte for each would keep the garbage collector busy.
  const room = Math.min(Math.max((await file.size()) + 1, SMALL_CHUNK_BYTES), CHUNK_BYTES);
  const buffer = Buffer.allocUnsafe(room + SPARE_BYTES);
  let position = 0;
  let filled = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled, room), position + filled);
    filled += count;
    const bytes = buffer.subarray(0, filled);
    let start = 0;
    for (;;) {
      start = consumer.consumeMany(buffer, start, filled, position + start);
      const end = bytes.indexOf(10, start);
      if (end === -1) break;
      consumer.consumeOne(bytes, start, end, position + start, true);
      start = end + 1;
    }
    const isFull = start === 0 && filled === room;
    if ((count === 0 || isFull) && filled > start) {
      consumer.consumeOne(bytes, start, filled, position + start, false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    position += start;
    filled -= start;
    if (count === 0) return position;
  }
}
