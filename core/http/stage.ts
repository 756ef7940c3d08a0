import type { KeyHolder } from "../accounts/accounts.ts";
import { isLater } from "../async.ts";
import type { MaybePromise } from "../ports.ts";
import type { RouteMatch } from "../routes/handler.ts";
import type { Exchange } from "./exchange.ts";
import type { ApiRequest, ApiResponse, RequestHead } from "./messages.ts";
import type { CachedTarget } from "./response_cache.ts";

/** An exchange with what is known of its request: all of it, or only its head. */
export interface Begun<Head extends RequestHead> extends Exchange {
  readonly request: Head;
}
/** An exchange whose request is there as a whole. */
export type Incoming = Begun<ApiRequest>;

/** After the first stage: the route, and what the cache has for the target. */
export interface Matched {
  readonly exchange: Incoming;
  readonly match: RouteMatch;
  readonly cached: CachedTarget | undefined;
}

/** After the second: who calls. Absent on public routes. */
export interface Authenticated extends Matched {
  readonly caller: KeyHolder | undefined;
}

/** After the third: units of the caller's quota day, this request's included. */
export interface Charged extends Authenticated {
  readonly used: number;
}

/** A stage returns what the next one needs, or the response that ends the exchange, which alone has a status. */
export type Stage<Next> = (Next & { readonly status?: undefined }) | ApiResponse;

/** Calls the next stage, unless a stage before has ended the exchange with a response. */
export function next<From extends object, To>(
  stage: MaybePromise<Stage<From>>,
  call: (from: From) => MaybePromise<To | ApiResponse>,
): MaybePromise<To | ApiResponse> {
  if (isLater(stage)) return Promise.resolve(stage).then((settled) => next(settled, call));
  return stage.status === undefined ? call(stage) : stage;
}
