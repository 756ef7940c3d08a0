import { checkOf, MAX_LINE_BYTES, seal } from "./sealed_line.ts";

/** The maximum number of bytes in one append. */
const MAX_APPEND_BYTES = 8 << 20;

/** The maximum number of bytes in one write, and therefore in an incomplete write at the end of a log. */
export const MAX_GROUP_BYTES = 2 * MAX_APPEND_BYTES;

/** The most bytes that a log adds to a line: sequence, generation, end of group, checksum and line feed. */
const FRAME_BYTES = 66;

/** Throws `RangeError` if a line, or all lines together, are too large. */
export function demandRoomFor(lines: readonly string[]): void {
  let total = 0;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line) + FRAME_BYTES;
    if (bytes > MAX_LINE_BYTES)
      throw new RangeError(`Cannot append a line of more than ${MAX_LINE_BYTES} bytes: received "${bytes}"`);
    total += bytes;
  }
  if (total > MAX_APPEND_BYTES)
    throw new RangeError(`Cannot append a batch of more than ${MAX_APPEND_BYTES} bytes: received "${total}"`);
}

/**
 * The bytes of a group, and the checksum of its last line.
 *
 * @param lines One or more lines without braces, such as `"type":"removal","code":"USD_RLS"`.
 * @param frame `first` is the sequence number of the first line, `seed` the initial value of the checksums.
 */
export function encodeGroup(
  lines: readonly string[],
  { first, generation, seed }: Readonly<Record<"first" | "generation" | "seed", number>>,
) {
  const sealed = lines.map((members, i) => {
    const end = i === lines.length - 1 ? ',"e":1' : "";
    return seal(`{"s":${first + i},"g":${generation},${members}${end}`, seed);
  });
  return { bytes: Buffer.from(`${sealed.join("\n")}\n`), check: checkOf(sealed.at(-1)!) };
}
