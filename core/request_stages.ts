import type { ApiRequest, ApiResponse } from "./http/messages.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import type { RouteMatch } from "./http/route.ts";
import { isLater } from "./maybe_promise.ts";
import type { MaybePromise } from "./ports.ts";
import type { Received } from "./received_request.ts";
import type { Route } from "./routes/handler.ts";

/** A complete request. */
export type Incoming = Received<ApiRequest>;

/** A request whose route is known. */
export interface Matched {
  readonly received: Incoming;
  readonly match: RouteMatch<Route>;
  /** The cache entry of the target. */
  readonly cached: CachedTarget<Route> | undefined;
}

/** A stage returns the request for the next stage, or the response that ends it. Only a response has `status`. */
export type Stage = (Matched & { readonly status?: undefined }) | ApiResponse;

/** Calls the next stage, unless an earlier one has ended the request. */
export function next<To>(
  stage: MaybePromise<Stage>,
  call: (matched: Matched) => MaybePromise<To>,
): MaybePromise<To | ApiResponse> {
  if (isLater(stage)) return Promise.resolve(stage).then((settled) => next(settled, call));
  return stage.status === undefined ? call(stage) : stage;
}
