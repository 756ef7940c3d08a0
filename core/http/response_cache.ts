import type { UtcMillis } from "../branded_types.ts";
import type { Failure } from "./errors.ts";
import type { Rendered } from "./respond.ts";
import type { Freshness, RouteMatch, RouteRow } from "./route.ts";

/** What is known of a request target that was answered before, with a success, or with a failure that depends on the data alone. */
export interface CachedTarget<Row extends RouteRow = RouteRow> {
  /** The route match, since parsing a target costs more than most cached responses do. */
  readonly match: RouteMatch<Row>;
  /** The last response, fresh or not; absent while the target was answered only once, or not cacheably. */
  readonly response: CachedResponse | undefined;
  /** The failure, as there are no records. */
  readonly missing?: MissingData | undefined;
}

/** A failure, and for which state of the data it is right. */
export type MissingData = Failure & Required<Pick<Failure, "freshness">>;

/** A response as it was rendered, and for how long it stays right. */
export interface CachedResponse {
  readonly rendered: Rendered;
  readonly freshness: Freshness;
  readonly renderedAt: UtcMillis;
  /** The response at a later moment; absent where it is the same. */
  readonly at?: ((now: UtcMillis) => Rendered) | undefined;
}

/** Route matches and responses by request target. */
export interface ResponseCache<Row extends RouteRow> {
  get(target: string): CachedTarget<Row> | undefined;
  put(target: string, cached: CachedTarget<Row>): void;
  drop(target: string): void;
}

/** Of all entries together. */
const MAX_BYTES = 16 << 20;
/** A longer body would push out many others, and rendering it is not its main cost. */
const MAX_BODY_BYTES = 1 << 20;
/** Longer targets are rare. */
const MAX_TARGET_LENGTH = 256;
/** What an entry takes besides its target and its body, roughly. */
const OVERHEAD_BYTES = 512;

/** Whether the time has not made a response wrong. The clock can run backwards, so it must not be before the rendering. */
export function isFresh({ freshness: { expiresAt }, renderedAt }: CachedResponse, now: UtcMillis): boolean {
  return now >= renderedAt && (expiresAt === undefined || now < expiresAt);
}

/** Makes an empty cache. When it is full, the entry that was put in first is dropped first. */
export function createResponseCache<Row extends RouteRow>(maxBytes = MAX_BYTES): ResponseCache<Row> {
  const entries = new Map<string, CachedTarget<Row>>();
  let bytes = 0;

  function drop(target: string): void {
    const entry = entries.get(target);
    if (!entry) return;
    bytes -= sizeOf(target, entry);
    entries.delete(target);
  }

  return {
    get: (target) => entries.get(target),
    put(target, { match, response, missing }) {
      if (target.length > MAX_TARGET_LENGTH || !hasKnownParametersOnly(match)) return;
      drop(target);
      const entry = {
        match,
        missing,
        response: response && response.rendered.body.length <= MAX_BODY_BYTES ? response : undefined,
      };
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

/** Anything but the route's own parameters, such as a key sent in the wrong place, must not stay in memory. */
function hasKnownParametersOnly({ query, route }: RouteMatch): boolean {
  return query === "" || query.split("&").every((pair) => route.query.includes(pair.split("=", 1)[0]!));
}

function sizeOf(target: string, { response, missing }: CachedTarget): number {
  const body = response?.rendered.body ?? missing?.message ?? "";
  return OVERHEAD_BYTES + 2 * target.length + (typeof body === "string" ? 2 * body.length : body.length);
}
