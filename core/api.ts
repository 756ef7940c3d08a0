import { isServed, KEY_RIGHTS, type KeyHolder } from "./accounts/accounts.ts";
import { createCharging } from "./accounts/charge_units.ts";
import { createKeyVerifier, type KeyRefusal } from "./accounts/key_verifier.ts";
import { createParallelLimit } from "./accounts/parallel_limit.ts";
import { type RequestRate, rateLimited } from "./accounts/request_rate.ts";
import { presentedKey } from "./http/credentials.ts";
import { type Failure, failure } from "./http/errors.ts";
import { createMatcher, slashHint } from "./http/match_route.ts";
import type { Api, ApiRequest, ApiResponse, RequestHead } from "./http/messages.ts";
import { parseTarget, queryFailure } from "./http/request_target.ts";
import { type Answer, createResponder, JSON_TYPE, type Rendered } from "./http/respond.ts";
import { createTargetCache, isFresh, type MissingData } from "./http/response_cache.ts";
import type { RouteRow } from "./http/route.ts";
import { after, afterWith, attempt, isLater } from "./maybe_promise.ts";
import {
  type Accounts,
  type Clock,
  type MaybePromise,
  type Observations,
  type QuotaLedger,
  type RequestIds,
  type Sha256,
  type TimeLimit,
  Unavailable,
} from "./ports.ts";
import type { Incoming, Matched, Received, Stage } from "./received_request.ts";
import { checkedId, createErrorReporter, next, receive } from "./received_request.ts";
import { err, ok, type Result } from "./result.ts";
import { csvAnswer, prefersCsv } from "./routes/csv_answer.ts";
import type { Route } from "./routes/handler.ts";
import { prepareSettings, type Settings } from "./routes/settings.ts";
import { checkedTime } from "./time/timestamps.ts";

/** The number of request bodies that may arrive at the same time for one key. */
const MAX_ARRIVING_BODIES = 16;

/** Ends the stages of a late request, whose client has already received 503. */
const LATE = /* @__PURE__ */ failure("UNAVAILABLE");

/** Options of `createApi`: the ports and the settings. */
export interface ApiOptions extends Settings {
  readonly clock: Clock;
  readonly requestIds: RequestIds;
  readonly sha256: Sha256;
  readonly observations: Observations;
  readonly accounts: Accounts;
  readonly quota: QuotaLedger;
  /** Called with the error that caused a 500 or 503. Default: errors are dropped. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Called for each request with a correct key that was revoked or has expired. Must not throw. Default: nothing. */
  readonly onRefusedKey?: (holder: KeyHolder, requestId: string) => void;
  /** Limits the request rate of each key. A refusal takes no unit. Made by `createRequestRate`. Default: no limit. */
  readonly keyRate?: RequestRate | undefined;
  /** Limits the time of each GET request; a slower request gets 503. Made by `withDeadline`. Default: no limit. */
  readonly timeLimit?: TimeLimit | undefined;
}

/**
 * Makes the API: a function from a plain request to a plain response. The API never throws or rejects. If the ports
 * are synchronous, so are cached answers and most failures. Throws `RangeError` for invalid settings.
 */
export function createApi(options: ApiOptions): Api {
  const { clock, requestIds, quota, keyRate, timeLimit } = options;
  if (typeof clock !== "function")
    throw new TypeError("Cannot serve because clock must be a function that returns milliseconds");
  const { context, table, quotaZone, cors, chargeFailures } = prepareSettings(options, options.observations);
  const findResource = createMatcher(table);
  const verifyKey = createKeyVerifier(options);
  const reported = createErrorReporter(options.onError);
  const charging = createCharging({ quota, quotaZone, chargeFailures, reported });
  const { succeed, refuse, answerOptions } = createResponder(cors, charging.addFields);
  const cache = createTargetCache<Route>(chargeFailures);
  const arriving = createParallelLimit(MAX_ARRIVING_BODIES);

  return Object.assign((request: ApiRequest) => begin(request, answerSafely), {
    refuse: (request: RequestHead, reason: Failure) => begin(request, (received) => refuse(received, reason)),
    fail: (request: RequestHead, error: unknown) => begin(request, (received) => failed(received, error)),
    routeOf,
  });

  /** Gives the request an id and a time. If the port for one of them fails, the answer is 500 or 503. */
  function begin<Request extends RequestHead, Response>(
    request: Request,
    respondTo: (received: Received<Request>) => Response,
  ): Response | ApiResponse {
    const received = receive(request);
    try {
      received.report.requestId = checkedId(requestIds());
      received.now = checkedTime(clock());
    } catch (error) {
      return failed(received, error);
    }
    return respondTo(received);
  }

  function answerSafely(received: Incoming): MaybePromise<ApiResponse> {
    const answered = attempt(received, answer, failed);
    const { method } = received.request;
    // Requests with a body have no time limit, because their duration depends on the client.
    if (!timeLimit || !isLater(answered) || (method !== "GET" && method !== "HEAD")) return answered;
    return timeLimit(answered, () => tooLate(received));
  }

  /** The 503 in place of a late answer. Has its own report, because the stages continue and may give the unit back. */
  function tooLate(received: Incoming): ApiResponse {
    const { report, request } = received;
    const isReturned = report.units === "taken" && charging.isReturned(routeOf(request));
    const units = isReturned ? "given back" : report.units;
    received.isLate = true;
    const late = { ...received, isLate: false, used: undefined, report: { ...report, units } };
    return failed(late, new Unavailable("The answer is late"));
  }

  /** The stages of a request, in order. */
  function answer(received: Incoming): MaybePromise<ApiResponse> {
    const authenticated = next(matchRoute(received), authenticate);
    const charged = next(authenticated, keyRate ? limitRate : charge);
    return next(charged, handle);
  }

  function matchRoute(received: Incoming): Stage {
    const { request, report } = received;
    const { target, sentTarget = target, method } = request;
    const cached = cache.get(method, target);
    if (cached) {
      const { match } = cached;
      report.route = match.route.path;
      return { received, match, cached: prefersCsv(request.headers) ? undefined : cached };
    }
    const parsed = parseTarget(target);
    if (!parsed.ok) return refuse(received, parsed.error);
    const { segments, query } = parsed.value;
    const resource = findResource(segments);
    if (!resource) return refuse(received, failure("ROUTE_NOT_FOUND", slashHint(segments, findResource, sentTarget)));
    report.route = resource.path;
    if (method === "OPTIONS") return answerOptions(received, resource.allow);
    const found = resource.match(method);
    if (!found) {
      const { allow } = resource;
      return refuse(received, failure("METHOD_NOT_ALLOWED", `This path takes ${allow}`, ["Allow", allow]));
    }
    report.route = found.route.path;
    return { received, match: { route: found.route, params: found.params, query }, cached: undefined };
  }

  function routeOf({ method, target }: Pick<RequestHead, "method" | "target">): RouteRow | undefined {
    const cached = cache.get(method, target);
    if (cached) return cached.match.route;
    const parsed = parseTarget(target);
    return parsed.ok ? findResource(parsed.value.segments)?.match(method)?.route : undefined;
  }

  function authenticate(matched: Matched): MaybePromise<Stage> {
    const { received, match } = matched;
    if (match.route.auth === "none") return matched;
    const key = presentedKey(received.request.headers);
    return key.ok ? afterWith(matched, verifyKey(key.value, received.now), identify) : refuse(received, key.error);
  }

  function identify(matched: Matched, holder: Result<KeyHolder, KeyRefusal>): Stage {
    const { received } = matched;
    const known = holder.ok ? holder.value : holder.error.holder;
    if (known) {
      received.report.accountId = known.account.id;
      received.report.keyId = known.key.id;
      received.report.plan = known.plan.name;
    }
    if (!holder.ok) {
      if (known) options.onRefusedKey?.(known, received.report.requestId);
      return refuse(received, holder.error);
    }
    if (received.isLate) return refuse(received, LATE);
    received.caller = holder.value;
    return matched;
  }

  function limitRate(matched: Matched): MaybePromise<Stage> {
    const { caller, now } = matched.received;
    const waitMs = caller && keyRate ? keyRate.take(caller.key.id, now) : 0;
    return waitMs > 0 ? refuse(matched.received, rateLimited(waitMs, "key")) : charge(matched);
  }

  function charge(matched: Matched): MaybePromise<Stage> {
    const { received, match, cached } = matched;
    const { caller } = received;
    if (cached?.missing && caller && isServed(caller, match.route))
      return refuseMissing(matched, cached.missing, caller);
    return afterWith(matched, charging.take(received, match.route), admit);
  }

  /** Answers with a cached failure. Takes no unit, because taking and giving it back could be two writes to a disk. */
  function refuseMissing(matched: Matched, missing: MissingData, caller: KeyHolder): MaybePromise<Stage> {
    const { received } = matched;
    return after<string, Stage>(context.observations.version(missing.freshness.codes), (version) => {
      if (version !== missing.freshness.version) return charge({ ...matched, cached: undefined });
      received.report.isCached = true;
      return after(charging.check(received, caller), (isLeft) =>
        refuse(received, isLeft ? missing : charging.exceeded(received.now)),
      );
    });
  }

  function admit(matched: Matched, isGranted: boolean): Stage {
    const { received, match } = matched;
    if (!isGranted) return refuse(received, charging.exceeded(received.now));
    const { caller } = received;
    return caller && !isServed(caller, match.route) ? refuse(received, restricted(caller)) : matched;
  }

  /** Takes the answer from the cache, or calls the route's handler. */
  function handle(matched: Matched): MaybePromise<ApiResponse> {
    return afterWith(matched, attempt(matched, render, recover), conclude);
  }

  function render(matched: Matched): MaybePromise<Result<Rendered, Failure>> {
    if (matched.received.isLate) return err(LATE);
    const response = matched.cached?.response;
    if (!response || !isFresh(response, matched.received.now)) return renderAnew(matched);
    return afterWith(matched, context.observations.version(response.freshness.codes), renderUnlessSame);
  }

  function renderUnlessSame(matched: Matched, version: string): MaybePromise<Result<Rendered, Failure>> {
    const response = matched.cached?.response;
    if (response?.freshness.version !== version) return renderAnew(matched);
    const { report, now } = matched.received;
    report.isCached = true;
    return ok(response.at ? renderedOf(response.at(now)) : response.rendered);
  }

  function renderAnew({ received, match, cached }: Matched): MaybePromise<Result<Rendered, Failure>> {
    const { route, params, query } = match;
    const { request, now, caller } = received;
    const refused = queryFailure(query);
    if (refused) return err(refused);
    const limited = caller && route.method === "POST" ? withLimitedBody(request, caller) : request;
    const answered = route.handle(context, { request: limited, now, route, params, query, caller });
    return after<Result<Answer, Failure>, Result<Rendered, Failure>>(answered, (result) => {
      if (!result.ok) {
        cache.failed(request.target, match, result.error);
        return result;
      }
      const { freshness, at, csv } = result.value;
      if (csv && prefersCsv(request.headers)) return ok(renderedOf(csvAnswer(result.value, csv())));
      const rendered = renderedOf(result.value);
      // A response is cached only when its target is requested again, so that single requests do not fill the cache.
      const response = freshness && cached ? { rendered, freshness, renderedAt: now, at } : undefined;
      cache.succeeded(request.target, match, response);
      return ok(rendered);
    });
  }

  /** Limits how many bodies for one key may be arriving at once, because some may never arrive completely. */
  function withLimitedBody(request: ApiRequest, { key }: KeyHolder): ApiRequest {
    const { method, target, headers, scheme } = request;
    const text: ApiRequest["text"] = (...how) => arriving(key.id, () => request.text(...how), err("TOO_MANY"));
    return { method, target, headers, scheme, text };
  }

  function renderedOf({ body, contentType = JSON_TYPE, fields, tag, caching, status = 200 }: Answer): Rendered {
    const etag = tag && `"${context.revision}.${tag}"`;
    const made = typeof body === "function" ? body() : body;
    return { status, body: made, contentType, fields, etag, caching: caching ?? "private, no-cache" };
  }

  function recover({ received }: Matched, error: unknown): Result<never, Failure> {
    return err(reported(received, error));
  }

  function conclude({ received, match }: Matched, result: Result<Rendered, Failure>): MaybePromise<ApiResponse> {
    if (result.ok && !received.isLate) return succeed(received, result.value);
    const reason = result.ok ? LATE : result.error;
    return after(charging.giveBack(received, match.route, reason.code), () => refuse(received, reason));
  }

  function failed(received: Received, error: unknown): ApiResponse {
    return refuse(received, reported(received, error));
  }
}

function restricted({ account, key: { may = "read" } }: KeyHolder): Failure {
  const only = KEY_RIGHTS.includes(may)
    ? `This key may only ${may}`
    : "This server does not support the rights of this key";
  return failure("ACCESS_RESTRICTED", account.status === "ACTIVE" ? only : undefined);
}
