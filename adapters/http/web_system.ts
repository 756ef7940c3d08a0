import { BASE62_DIGITS } from "../../core/internal.ts";
import type { RequestIds, Sha256, UtcClock, UtcMillis } from "../../core/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wall clock of the machine. */
export const systemClock: UtcClock = () => Date.now() as UtcMillis;

const DIGIT_CODES = encoder.encode(BASE62_DIGITS);
const ID_DIGITS = 22;
/** The digits of the next request ids as one text, because getting random bytes and joining many texts are slow. */
let digits = "";
let used = 0;

/** Makes request ids of 22 random base62 digits, which have 131 bits. */
export const requestIds: RequestIds = () => {
  if (used + ID_DIGITS > digits.length) {
    const bytes = randomBytes(4_096);
    let count = 0;
    // Leaves out bytes from 248 (four times 62) on, because they would make some digits more frequent than others.
    for (const byte of bytes) if (byte < 248) bytes[count++] = DIGIT_CODES[byte % 62]!;
    digits = decoder.decode(bytes.subarray(0, count));
    used = 0;
  }
  used += ID_DIGITS;
  return `req_${digits.slice(used - ID_DIGITS, used)}`;
};

/** SHA-256 with Web Crypto, for runtimes without `node:crypto`. Returns a promise. */
export const sha256: Sha256 = async (text) => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Random bytes for secrets, at most 65,536. Workers forbid this call while a module loads. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** The clock, request ids, digests and random bytes of any runtime with Web standards. */
export const webSystem = { clock: systemClock, requestIds, sha256, randomBytes } as const;
