import { base62 } from "../core/base62.ts";
import type { UtcMillis } from "../core/brand.ts";
import type { Clock, RequestIds, Sha256 } from "../core/ports.ts";

const encoder = new TextEncoder();

/** The wall clock of the machine. */
export const systemClock: Clock = () => Date.now() as UtcMillis;

/** Request ids of 128 random bits. */
export const requestIds: RequestIds = () => `req_${base62(randomBytes(16), 22)}`;

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
