// The header fields that every peer sends, and how a peer reads its set-up.
import type { WorkSetup } from "./work.ts";

const READ =
  "ETag, Retry-After, X-Notice, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** CORS and content fields: the same for all. */
export const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": READ,
  "X-Content-Type-Options": "nosniff",
} as const;

/** Fields of an answer that may be cached and revalidated. */
export const CACHING_HEADERS = { "Cache-Control": "private, no-cache", Vary: "X-API-Key, Authorization, Accept-Encoding" } as const;

/** Prints the address of the server for the benchmark. */
export function tellPort(port: number): void {
  console.log(`http://127.0.0.1:${port}`);
}

/** The set-up that the benchmark has passed on the command line. */
export function readSetup(): WorkSetup {
  return JSON.parse(process.argv[2]!) as WorkSetup;
}
