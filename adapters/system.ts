import { BASE62_DIGITS } from "../core/internal.ts";
import type { Clock, RequestIds, Sha256, UtcMillis } from "../core/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The wall clock of the machine. */
export const systemClock: Clock = () => Date.now() as UtcMillis;

const DIGIT_CODES = encoder.encode(BASE62_DIGITS);
const PREFIX = encoder.encode("req_");
const ID_LENGTH = PREFIX.length + 22;
/** Request ids, one after the other: many are made at once, as each call for random bytes is slow. */
let pool = "";
let used = 0;

/** Request ids of 22 random base62 digits, which is 131 bits. */
export const requestIds: RequestIds = () => {
  if (used + ID_LENGTH > pool.length) {
    pool = makeIds();
    used = 0;
  }
  used += ID_LENGTH;
  return pool.slice(used - ID_LENGTH, used);
};

/** Some 180 request ids. */
function makeIds(): string {
  const random = randomBytes(4_096);
  const ids = new Uint8Array(random.length * 2);
  let length = 0;
  for (const byte of random) {
    // 248 is four times 62: with the bytes above, some digits would come more often than others.
    if (byte >= 248) continue;
    if (length % ID_LENGTH === 0) {
      ids.set(PREFIX, length);
      length += PREFIX.length;
    }
    ids[length++] = DIGIT_CODES[byte % 62]!;
  }
  return decoder.decode(ids.subarray(0, length));
}

/** SHA-256 by Web Crypto, for runtimes without `node:crypto`: answers later. */
export const sha256: Sha256 = async (text) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));

/** Random bytes fit for secrets; at most 65,536. Not to be called while a module loads: Workers forbid that. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** What an API and its keys need of the machine, in any runtime with Web standards. */
export const webSystem = { clock: systemClock, requestIds, sha256, randomBytes } as const;

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
