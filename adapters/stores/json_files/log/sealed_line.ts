import { crc32 } from "node:zlib";
import { parseObject } from "../../../../core/internal.ts";

/** The maximum number of bytes in a line, including its line feed. */
export const MAX_LINE_BYTES = 65_536;

/** The length of a seal, which is the end of a sealed object from `,"k":` on. */
export const SEAL_LENGTH = sealOf(0).length;

/**
 * Ends a JSON object with its checksum as the last member: `k`, the CRC-32 of all bytes before `,"k":`, starting
 * from `seed`, as 8 hex digits. The line remains plain JSON for `grep` and `jq`.
 *
 * @param open The object's text without its closing brace.
 */
export function seal(open: string, seed: number): string {
  return open + sealOf(crc32(open, seed));
}

function sealOf(crc: number): string {
  return `,"k":"${crc.toString(16).padStart(8, "0")}"}`;
}

/** The checksum in the seal of an object. */
export function checkOf(line: string): string {
  return line.slice(-10, -2);
}

/** The fault in the seal of a line without its line feed, or `undefined` for a right seal. */
export function sealProblem(line: Buffer, seed: number): string | undefined {
  const open = line.length - SEAL_LENGTH;
  if (open <= 0) return "too short";
  return line.toString("latin1", open) === sealOf(crc32(line.subarray(0, open), seed)) ? undefined : "wrong checksum";
}

/** Parses a sealed object, or returns its fault. */
export function unseal(line: Buffer, seed: number): object | string {
  return sealProblem(line, seed) ?? parseObject(line.toString()) ?? "not a JSON object";
}

/** The initial value of the checksums of a log. Differs for each store and log, so foreign lines are detected. */
export function logSeed(storeId: string, log: string): number {
  return crc32(`${storeId}/${log}`);
}
