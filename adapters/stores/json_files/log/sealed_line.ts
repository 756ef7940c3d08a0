import { crc32 } from "../../../../core/internal.ts";

/** The most bytes of a line, its line feed included. */
export const MAX_LINE_BYTES = 16_384;

const SEAL = Buffer.from(',"k":"00000000"}');
/** The length of a seal: the end of a sealed object, from `,"k":` on. */
export const SEAL_LENGTH = SEAL.length;
const DIGITS_AT = 6;
/** The two hex digits of each byte, the first in the lower half. */
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, "0")).readUInt16LE(),
);

/** The number of bytes from the first digit of the checksum to the end of the line, its line feed included. */
export const CHECK_FROM_END = 11;

/**
 * Ends a JSON object with its checksum as the last member: `k`, the CRC-32 of all bytes before `,"k":`, begun with
 * `seed`, as 8 hex digits. So a line stays plain JSON that `grep` and `jq` read.
 *
 * @param open The object's text without its closing brace.
 */
export function seal(open: string, seed: number): string {
  // Nearly every line is ASCII, for which the text itself can be summed.
  const crc = crc32(Buffer.byteLength(open) === open.length ? open : Buffer.from(open), seed);
  return `${open},"k":"${crc.toString(16).padStart(8, "0")}"}`;
}

/** Writes the seal with this checksum at `at`; returns the index behind it. */
export function writeSeal(to: Uint8Array, at: number, crc: number): number {
  for (let i = 0; i < SEAL_LENGTH; i++) to[at + i] = SEAL[i]!;
  for (let i = 0; i < 4; i++) {
    const pair = PAIRS[(crc >>> (24 - 8 * i)) & 0xff]!;
    to[at + DIGITS_AT + 2 * i] = pair & 0xff;
    to[at + DIGITS_AT + 2 * i + 1] = pair >>> 8;
  }
  return at + SEAL_LENGTH;
}

/** Reads sealed objects in bytes, each from `start` to `end` (excluded). */
export interface SealReader {
  /** Parses one; returns in words what is wrong with it. */
  unseal(start: number, end: number): object | string;
  /** What is wrong with the seal of one; `undefined` for a right one. */
  sealProblem(start: number, end: number): string | undefined;
}

/** Makes the reader of bytes, which may change meanwhile, whose checksums begin with `seed`. */
export function sealReader(bytes: Buffer, seed: number): SealReader {
  function sealProblem(start: number, end: number): string | undefined {
    const stop = end - SEAL_LENGTH;
    if (stop <= start) return "too short";
    return isSeal(bytes, stop, crc32(bytes, seed, { from: start, to: stop })) ? undefined : "wrong checksum";
  }
  return { sealProblem, unseal: (start, end) => sealProblem(start, end) ?? parseJsonObject(bytes, start, end) };
}

/** Parses a JSON object; returns in words what is wrong with it. */
export function parseJsonObject(bytes: Buffer, start: number, end: number): object | string {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "object" && value !== null ? value : "not an object";
  } catch {
    return "not JSON";
  }
}

/** The initial value of the checksums of a log: with it, a line of another store or log has a wrong checksum. */
export function logSeed(storeId: string, log: string): number {
  return crc32(`${storeId}/${log}`);
}

/** The checksum in the seal of a text. */
export function checkOf(sealed: string): string {
  return sealed.slice(-10, -2);
}

/** Whether the bytes at `at` are the seal with this checksum. Compares bytes, as making a text of them takes half the time of a start. */
function isSeal(bytes: Buffer, at: number, crc: number): boolean {
  for (let i = 0; i < DIGITS_AT; i++) if (bytes[at + i] !== SEAL[i]) return false;
  for (let i = 0; i < 4; i++) {
    const pair = PAIRS[(crc >>> (24 - 8 * i)) & 0xff]!;
    if (bytes[at + DIGITS_AT + 2 * i] !== (pair & 0xff) || bytes[at + DIGITS_AT + 2 * i + 1] !== pair >>> 8)
      return false;
  }
  return bytes[at + SEAL_LENGTH - 2] === SEAL[SEAL_LENGTH - 2] && bytes[at + SEAL_LENGTH - 1] === SEAL[SEAL_LENGTH - 1];
}
