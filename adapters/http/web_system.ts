import { BASE62_DIGITS } from "../../core/internal.ts";
import type { RequestIds, Sha256, UtcClock, UtcMillis } from "../../core/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wall clock of the machine. */
export const systemClock: UtcClock = () => Date.now() as UtcMillis;

const DIGIT_CODES = encoder.encode(BASE62_DIGITS);
const PREFIX = encoder.encode("req_");
const DIGITS = 22;
const ID_LENGTH = PREFIX.length + DIGITS;
/** The next request ids as one text. Getting random bytes is slow, and slicing a text is faster than joining texts. */
let pool = "";
let used = 0;

/** Makes request ids of 22 random base62 digits, which have 131 bits. */
export const requestIds: RequestIds = () => {
  if (used === pool.length) {
    pool = makeIds();
    used = 0;
  }
  used += ID_LENGTH;
  return pool.slice(used - ID_LENGTH, used);
};

/** Makes some 180 ids. */
function makeIds(): string {
  const bytes = randomBytes(4_096);
  const ids = new Uint8Array(Math.ceil(bytes.length / DIGITS) * ID_LENGTH);
  let length = 0;
  let missing = 0;
  for (let i = 0; i < bytes.length; i++) {
    // Leaves out bytes from 248 (four times 62) on, because they would make some digits more frequent than others.
    if (bytes[i]! >= 248) continue;
    if (missing === 0) {
      ids.set(PREFIX, length);
      length += PREFIX.length;
      missing = DIGITS;
    }
    ids[length++] = DIGIT_CODES[bytes[i]! % 62]!;
    missing--;
  }
  return decoder.decode(ids.subarray(0, length - (length % ID_LENGTH)));
}

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
