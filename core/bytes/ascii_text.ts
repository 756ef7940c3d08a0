import { writeAscii } from "./json_writer.ts";

/** A short ASCII text prepared for copying eight bytes at a time, which is several times as fast as one by one. */
export interface AsciiText {
  readonly length: number;
  /** The text, and up to seven bytes more. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Bytes that are copied at a time. */
export const COPY_BYTES = 8;

/**
 * Prepares a text for copying. Throws `RangeError` for characters that are not ASCII: bytes are copied as doubles,
 * which could change the bytes of a NaN, and ASCII never forms one.
 */
export function asciiText(text: string): AsciiText {
  const bytes = new Uint8Array(Math.ceil(text.length / COPY_BYTES) * COPY_BYTES);
  writeAscii(bytes, 0, text);
  return { length: text.length, bytes, view: new DataView(bytes.buffer) };
}

/**
 * Copies a text to the position `at`, and returns the position after it. Overwrites up to seven bytes after the text.
 * Throws `RangeError` if there is no room for all these bytes.
 */
export function copyAsciiText(to: DataView, at: number, { length, view }: AsciiText): number {
  for (let i = 0; i < length; i += COPY_BYTES) to.setFloat64(at + i, view.getFloat64(i));
  return at + length;
}
