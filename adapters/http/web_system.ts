import { BASE62_DIGITS } from "../../core/internal.ts";
import type { RequestIds, Sha256, UtcClock, UtcMillis } from "../../core/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wall clock of the machine. */
export const systemClock: UtcClock = () => Date.now() as UtcMillis;

const DIGIT_CODES = encoder.encode(BASE62_DIGITS);
const ID_DIGITS = 22;
/** Random digits for the next request ids, drawn for many at once, as each call for random bytes is slow. */
let pool = "";
let used = 0;

/** Request ids of 22 random base62 digits, which is 131 bits. */
export const requestIds: RequestIds = () => {
  if (used + ID_DIGITS > pool.length) {
    pool = randomDigits();
    used = 0;
  }
  used += ID_DIGITS;
  return `req_${pool.slice(used - ID_DIGITS, used)}`;
};

/** Some 4,000 random base62 digits. */
function randomDigits(): string {
  const bytes = randomBytes(4_096);
  let count = 0;
  // 248 is four times 62: bytes from 248 up would make some digits more frequent.
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! < 248) bytes[count++] = DIGIT_CODES[bytes[i]! % 62]!;
  return decoder.decode(bytes.subarray(0, count));
}

/** SHA-256 by Web Crypto, for runtimes without `node:crypto`; answers with a promise. */
export const sha256: Sha256 = async (text) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));

/** Random bytes fit for secrets; at most 65,536. Must not be called while a module loads, as Workers forbid that. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** What an API and its keys need of the machine, in any runtime with Web standards. */
export const webSystem = { clock: systemClock, requestIds, sha256, randomBytes } as const;

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
