import type { OpenFile } from "../file_system.ts";

const CHUNK_BYTES = 1 << 18;
/** Still longer than any line. */
const SMALL_CHUNK_BYTES = 1 << 17;

/**
 * Reads all lines of a file, a quarter of a megabyte of them in a turn of the event loop; returns the file's size.
 *
 * @param consume Gets a line without its line feed, in bytes that change after that, and whether there was a line feed.
 */
export async function readLines(file: OpenFile, consume: (line: Buffer, terminated: boolean) => void): Promise<number> {
  // Most files are small, and a large buffer for each would keep the garbage collector busy.
  const length = Math.min(Math.max((await file.size()) + 1, SMALL_CHUNK_BYTES), CHUNK_BYTES);
  const buffer = Buffer.allocUnsafe(length);
  let size = 0;
  let filled = 0;
  for (;;) {
    const count = await file.read(buffer.subarray(filled), size);
    size += count;
    filled += count;
    const bytes = buffer.subarray(0, filled);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      consume(bytes.subarray(start, end), true);
      start = end + 1;
    }
    const isFull = start === 0 && filled === length;
    if ((count === 0 || isFull) && filled > start) {
      consume(bytes.subarray(start), false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
    if (count === 0) return size;
  }
}
