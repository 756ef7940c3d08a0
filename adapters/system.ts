import { BASE62_DIGITS } from "../core/base62.ts";
import type { UtcMillis } from "../core/brand.ts";
import type { Clock, RequestIds, Sha256 } from "../core/ports.ts";

const encoder = new TextEncoder();

/** The wall clock of the machine. */
export const systemClock: Clock = () => Date.now() as UtcMillis;

/** Random bytes that request ids are still to be made from: one call for many ids, as each call is dear. */
const pool = { bytes: new Uint8Array(4_096), used: 4_096 };

/** Request ids of 22 random base62 digits, which is 131 bits. */
export const requestIds: RequestIds = () => {
  let id = "req_";
  while (id.length < 26) {
    if (pool.used === pool.bytes.length) {
      crypto.getRandomValues(pool.bytes);
      pool.used = 0;
    }
    const byte = pool.bytes[pool.used++]!;
    // 248 is four times 62: beyond it some digits would come more often than others.
    if (byte < 248) id += BASE62_DIGITS[byte % 62];
  }
  return id;
};

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
