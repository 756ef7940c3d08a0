import type { KeyHolder } from "./accounts/accounts.ts";
import type { UtcMillis } from "./branded_types.ts";
import { type Failure, failure } from "./http/errors.ts";
import type { ApiRequest, ApiResponse, ExchangeReport, RequestHead } from "./http/messages.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import type { RouteMatch } from "./http/route.ts";
import { isLater } from "./maybe_promise.ts";
import { type MaybePromise, Unavailable } from "./ports.ts";
import type { Route } from "./routes/handler.ts";

/**
 * A request that is being answered; each stage fills in a part. If the server itself refuses the request, `request` is
 * only the head.
 */
export interface Received<Request extends RequestHead = RequestHead> {
  readonly request: Request;
  /** The time at which the API received the request. Answers state this time. 0 if the clock has failed. */
  now: UtcMillis;
  readonly report: { -readonly [Name in keyof ExchangeReport]: ExchangeReport[Name] };
  /** Who calls. Absent on public routes, and until the key is verified. */
  caller: KeyHolder | undefined;
  /** The units of the caller's quota day, including this request's. Absent until the request is charged. */
  used: number | undefined;
  /** Whether the client has received 503 because the answer took too long. The 503 is charged like any failure. */
  isLate: boolean;
}

/** Starts the answer to a request. Its id is `unknown` until the port for ids has made one. */
export function receive<Request extends RequestHead>(request: Request): Received<Request> {
  return {
    request,
    now: 0 as UtcMillis,
    report: {
      requestId: "unknown",
      route: undefined,
      accountId: undefined,
      keyId: undefined,
      plan: undefined,
      code: undefined,
      isCached: false,
      units: "free",
    },
    caller: undefined,
    used: undefined,
    isLate: false,
  };
}

/** Returns a request id. Throws `TypeError` if the id is empty or not a text. Adapters check its characters. */
export function checkedId(id: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`Cannot use a request id because it must be a text: received "${id}"`);
}

/** Makes the function that reports an unexpected error and returns the failure for the client. */
export function createErrorReporter(
  onError: ((error: unknown, requestId: string) => void) | undefined,
): (received: Received, error: unknown) => Failure {
  return ({ report: { requestId }, isLate }, error) => {
    try {
      if (!isLate) onError?.(error, requestId);
    } catch {
      // The client is answered even if the report fails.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  };
}

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
