import type { UtcMillis } from "../branded_types.ts";
import type { Failure } from "./errors.ts";
import type { Answer, Rendered } from "./respond.ts";
import type { Freshness, RouteMatch, RouteRow } from "./route.ts";

/** The entry of a target whose last answer was a success, or a failure that depends only on the data. */
export interface CachedTarget<Row extends RouteRow = RouteRow> {
  /** The route match, kept because parsing the target takes longer than most cached responses. */
  readonly match: RouteMatch<Row>;
  /** The last response, fresh or not. Absent after the first request, and if the answer is not cacheable. */
  readonly response: CachedResponse | undefined;
  /** The failure that reports missing records. */
  readonly missing?: MissingData | undefined;
}

/** A failure that is valid for one state of the data. */
export type MissingData = Failure & Required<Pick<Failure, "freshness">>;

/** A rendered response, and how long it stays valid. */
export interface CachedResponse {
  readonly rendered: Rendered;
  readonly freshness: Freshness;
  readonly renderedAt: UtcMillis;
  /** Makes the answer again with a later time in it. Absent if the answer does not contain the time. */
  readonly at?: Answer["at"];
}

/** The maximum size of all entries together. */
const MAX_BYTES = 16 << 20;
/** The same for failures that cost no unit: some thousand targets. */
const MAX_MISSES_BYTES = 2 << 20;
/** Longer bodies are not kept: each would displace many others, and rendering is not the main cost of the answer. */
const MAX_BODY_BYTES = 1 << 20;
/** Longer targets are rare. */
const MAX_TARGET_LENGTH = 256;
/** Roughly the size of an entry without its target and body. */
const OVERHEAD_BYTES = 512;

/** Whether a response has not expired. `false` if `now` is before the time of rendering: clocks can be set back. */
export function isFresh({ freshness: { expiresAt }, renderedAt }: CachedResponse, now: UtcMillis): boolean {
  return now >= renderedAt && (expiresAt === undefined || now < expiresAt);
}

/** Makes an empty cache of entries by request target. When the cache is full, it drops the oldest entry first. */
export function createResponseCache<Row extends RouteRow>(maxBytes = MAX_BYTES) {
  const entries = new Map<string, CachedTarget<Row>>();
  let bytes = 0;

  function drop(target: string): void {
    const entry = entries.get(target);
    if (!entry) return;
    bytes -= sizeOf(target, entry);
    entries.delete(target);
  }

  return {
    get: (target: string): CachedTarget<Row> | undefined => entries.get(target),
    put(target: string, { match, response, missing }: CachedTarget<Row>): void {
      if (target.length > MAX_TARGET_LENGTH || !hasKnownParametersOnly(match)) return;
      drop(target);
      const isShort = response && response.rendered.body.length <= MAX_BODY_BYTES;
      const entry = { match, missing, response: isShort ? response : undefined };
      entries.set(target, entry);
      bytes += sizeOf(target, entry);
      for (const [oldest] of entries) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    drop,
  };
}

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

/** Only the route's own parameters may stay in memory; a client may have sent its key as another parameter. */
function hasKnownParametersOnly({ query, route }: RouteMatch): boolean {
  return query === "" || query.split("&").every((pair) => route.query.includes(pair.split("=", 1)[0]!));
}

function sizeOf(target: string, { response, missing }: CachedTarget): number {
  const body = response?.rendered.body ?? missing?.message ?? "";
  return OVERHEAD_BYTES + 2 * target.length + (typeof body === "string" ? 2 * body.length : body.length);
}
