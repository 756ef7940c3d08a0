// What every answer of every peer carries, and how a peer reads its set-up.
import type { WorkSetup } from "./work.ts";

const READ =
  "ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** CORS and content fields: the same for all. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": READ,
  "X-Content-Type-Options": "nosniff",
} as const;

/** Fields of an answer that may be kept and asked for again. */
export const CACHING_HEADERS = { "Cache-Control": "private, no-cache", Vary: "X-API-Key, Authorization, Accept-Encoding" } as const;

/** Tells the benchmark where the server listens. */
export function tellPort(port: number): void {
  console.log(`http://127.0.0.1:${port}`);
}

/** The set-up that the benchmark has passed on the command line. */
export function readSetup(): WorkSetup {
  return JSON.parse(process.argv[2]!) as WorkSetup;
}
