import type { KeyHolder } from "./accounts/accounts.ts";
import type { ApiRequest, ApiResponse } from "./http/messages.ts";
import type { Received } from "./http/received_request.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import type { RouteMatch } from "./http/route.ts";
import { isLater } from "./maybe_promise.ts";
import type { MaybePromise } from "./ports.ts";
import type { Route } from "./routes/handler.ts";

/** A complete request. */
export type Incoming = Received<ApiRequest>;

/** After the first stage: the route, and the cache entry of the target. */
export interface Matched {
  readonly received: Incoming;
  readonly match: RouteMatch<Route>;
  readonly cached: CachedTarget<Route> | undefined;
}

/** After the second stage. */
export interface Authenticated extends Matched {
  /** Who calls. Absent on public routes. */
  readonly caller: KeyHolder | undefined;
}

/** After the third stage. */
export interface Charged extends Authenticated {
  /** The units of the caller's quota day, including this request's. */
  readonly used: number;
}

/** A stage returns the input of the next stage, or the response that ends the request. Only a response has `status`. */
export type Stage<Next> = (Next & { readonly status?: undefined }) | ApiResponse;

/** Calls the next stage, unless an earlier one has ended the request. */
export function next<From extends object, To>(
  stage: MaybePromise<Stage<From>>,
  call: (from: From) => MaybePromise<To | ApiResponse>,
): MaybePromise<To | ApiResponse> {
  if (isLater(stage)) return Promise.resolve(stage).then((settled) => next(settled, call));
  return stage.status === undefined ? call(stage) : stage;
}
