import type { KeyHolder } from "./accounts/accounts.ts";
import type { ApiRequest, ApiResponse } from "./http/messages.ts";
import type { Received } from "./http/received_request.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import type { RouteMatch } from "./http/route.ts";
import { isLater } from "./maybe_promise.ts";
import type { MaybePromise } from "./ports.ts";
import type { Route } from "./routes/handler.ts";

/** A request that is there as a whole. */
export type Incoming = Received<ApiRequest>;

/** After the first stage: the route, and what the cache has for the target. */
export interface Matched {
  readonly received: Incoming;
  readonly match: RouteMatch<Route>;
  readonly cached: CachedTarget<Route> | undefined;
}

/** After the second: who calls. Absent on public routes. */
export interface Authenticated extends Matched {
  readonly caller: KeyHolder | undefined;
}

/** After the third: units of the caller's quota day, this request's included. */
export interface Charged extends Authenticated {
  readonly used: number;
}

/** A stage returns what the next one needs, or the response that ends the request, which alone has a status. */
export type Stage<Next> = (Next & { readonly status?: undefined }) | ApiResponse;

/** Calls the next stage, unless a stage before has ended the request with a response. */
export function next<From extends object, To>(
  stage: MaybePromise<Stage<From>>,
  call: (from: From) => MaybePromise<To | ApiResponse>,
): MaybePromise<To | ApiResponse> {
  if (isLater(stage)) return Promise.resolve(stage).then((settled) => next(settled, call));
  return stage.status === undefined ? call(stage) : stage;
}
