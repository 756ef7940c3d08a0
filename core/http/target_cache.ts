import type { Failure } from "./errors.ts";
import { type CachedResponse, type CachedTarget, createResponseCache } from "./response_cache.ts";
import type { RouteMatch, RouteRow } from "./route.ts";

/** What is known of request targets that were answered before. */
export interface TargetCache<Row extends RouteRow> {
  get(method: string, target: string): CachedTarget<Row> | undefined;
  /** Notes a success: its route, and its response where that may be asked for again. */
  succeeded(target: string, match: RouteMatch<Row>, response: CachedResponse | undefined): void;
  /** Notes a failure, where it costs nothing and stays right while the data is the same. */
  failed(target: string, match: RouteMatch<Row>, reason: Failure): void;
}

/** Some thousand targets. */
const MAX_MISSES_BYTES = 2 << 20;

/** Makes an empty cache. What costs no unit is kept apart from what does: nobody can push out for nothing what others have paid for. */
export function createTargetCache<Row extends RouteRow>({
  chargeFailures,
}: {
  readonly chargeFailures: "contract" | "always";
}): TargetCache<Row> {
  const paid = createResponseCache<Row>();
  const misses = createResponseCache<Row>(MAX_MISSES_BYTES);
  return {
    get: (method, target) =>
      method === "GET" || method === "HEAD" ? (paid.get(target) ?? misses.get(target)) : undefined,
    succeeded(target, match, response) {
      const { method, charge, path } = match.route;
      // A free route has one place: its target can be written in as many ways as there are host names.
      if (method === "GET" && (charge !== "free" || target === path)) paid.put(target, { match, response });
    },
    failed(target, match, reason) {
      const { method, charge } = match.route;
      if (!reason.freshness || method !== "GET" || charge !== "success" || chargeFailures === "always") return;
      paid.drop(target); // A success of earlier data.
      misses.put(target, { match, response: undefined, missing: { ...reason, freshness: reason.freshness } });
    },
  };
}
