import { writeAscii } from "./json_writer.ts";

/** A short ASCII text, prepared for copying eight bytes at a time: several times as fast as copying single bytes. */
export interface AsciiText {
  readonly length: number;
  /** The text, followed by up to seven further bytes. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The number of bytes copied at a time. */
export const COPY_BYTES = 8;

/**
 * Prepares an ASCII text. Throws `RangeError` for other characters: texts are copied as doubles, eight bytes at a time,
 * and other characters could make a NaN, whose bits may change in a copy. ASCII bytes never make a NaN.
 */
export function asciiText(text: string): AsciiText {
  const bytes = new Uint8Array(Math.ceil(text.length / COPY_BYTES) * COPY_BYTES);
  writeAscii(bytes, 0, text);
  return { length: text.length, bytes, view: new DataView(bytes.buffer) };
}

/** Copies a text; returns the position after it. Needs room for up to seven further bytes, and may overwrite them. */
export function copyAsciiText(to: DataView, at: number, { length, view }: AsciiText): number {
  for (let i = 0; i < length; i += COPY_BYTES) to.setFloat64(at + i, view.getFloat64(i));
  return at + length;
}
