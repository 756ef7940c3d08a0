import type { OpenFile } from "../file_system.ts";

/** A chunk is longer than any line, but short enough to be processed in a few milliseconds. */
const CHUNK_BYTES = 1 << 17;

/**
 * Reads all lines of a file, some in each turn of the event loop. Returns the file's size.
 *
 * @param consume Gets each line without its line feed, and whether the line had one. The buffer is reused.
 */
export async function readLines(file: OpenFile, consume: (line: Buffer, terminated: boolean) => void): Promise<number> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
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
    const isFull = start === 0 && filled === CHUNK_BYTES;
    if ((count === 0 || isFull) && filled > start) {
      consume(bytes.subarray(start), false);
      start = filled;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
    if (count === 0) return size;
  }
}
