import type { OpenFile } from "../file_system.ts";

/** Consumes the lines of a file in their order, each from the bytes that were given to `readLines`. */
export interface LineConsumer {
  /**
   * Consumes as many whole lines from `start` on as it can parse quickly; returns the index behind the last one.
   * Bytes at `filled` and behind are undefined; there is at least a kilobyte of them.
   */
  consumeMany(start: number, filled: number): number;
  /** Consumes the one line at which `consumeMany` stopped; `terminated` tells whether it ends with a line feed. */
  consumeOne(start: number, end: number, terminated: boolean): void;
}

const CHUNK_BYTES = 1 << 20;
/** Still longer than any line. */
const SMALL_CHUNK_BYTES = 1 << 16;
const SPARE_BYTES = 1 << 10;

/** Makes the bytes that the lines of a file of this size are read into: a megabyte at most. */
export function bytesForLines(size: number): Buffer {
  // Most files are small, and a megabyte for each would keep the garbage collector busy.
  return Buffer.allocUnsafe(Math.min(Math.max(size + 1, SMALL_CHUNK_BYTES), CHUNK_BYTES) + SPARE_BYTES);
}

/** Reads all lines of a file into `buffer`, as many at a time as it holds; returns the file's size. */
export async function readLines(file: OpenFile, buffer: Buffer, consumer: LineConsumer): Promise<number> {
  const room = buffer.length - SPARE_BYTES;
  let position = 0;
  let filled = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled, room), position + filled);
    filled += count;
    const bytes = buffer.subarray(0, filled);
    let start = 0;
    for (;;) {
      start = consumer.consumeMany(start, filled);
      const end = bytes.indexOf(10, start);
      if (end === -1) break;
      consumer.consumeOne(start, end, true);
      start = end + 1;
    }
    const isFull = start === 0 && filled === room;
    if ((count === 0 || isFull) && filled > start) {
      consumer.consumeOne(start, filled, false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    position += start;
    filled -= start;
    if (count === 0) return position;
  }
}
