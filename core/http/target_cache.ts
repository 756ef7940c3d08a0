import type { Failure } from "./errors.ts";
import { type CachedResponse, type CachedTarget, createResponseCache } from "./response_cache.ts";
import type { RouteMatch, RouteRow } from "./route.ts";

/** Some thousand targets. */
const MAX_MISSES_BYTES = 2 << 20;

/** Makes an empty cache. Answers that cost no unit are kept apart, so that they displace no other answers. */
export function createTargetCache<Row extends RouteRow>(chargeFailures: "contract" | "always") {
  const paid = createResponseCache<Row>();
  const misses = createResponseCache<Row>(MAX_MISSES_BYTES);
  return {
    get(method: string, target: string): CachedTarget<Row> | undefined {
      return method === "GET" || method === "HEAD" ? (paid.get(target) ?? misses.get(target)) : undefined;
    },
    /** Keeps the route of a successful request, and its response if the response is cacheable. */
    succeeded(target: string, match: RouteMatch<Row>, response: CachedResponse | undefined): void {
      const { method, charge, path } = match.route;
      // A free route has only one entry: by varying the host name in its target, anyone could fill the cache for free.
      if (method === "GET" && (charge !== "free" || target === path)) paid.put(target, { match, response });
    },
    /** Keeps a failure that costs no unit and that stays the same until the data changes. */
    failed(target: string, match: RouteMatch<Row>, reason: Failure): void {
      const { method, charge } = match.route;
      if (!reason.freshness || method !== "GET" || charge !== "success" || chargeFailures === "always") return;
      paid.drop(target); // `paid` may hold a success from earlier data.
      misses.put(target, { match, response: undefined, missing: { ...reason, freshness: reason.freshness } });
    },
  };
}
