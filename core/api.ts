import type { KeyHolder } from "./accounts/accounts.ts";
import { createKeyVerifier } from "./accounts/key_verifier.ts";
import { createQuotaCalendar, createQuotaFields, quotaExceeded } from "./accounts/quota.ts";
import type { QuotaFields } from "./accounts/quota.ts";
import { after, afterWith, attempt } from "./async.ts";
import { presentedKey } from "./http/credentials.ts";
import { failure } from "./http/errors.ts";
import type { Failure } from "./http/errors.ts";
import { formatTag } from "./http/etag.ts";
import { NO_REQUEST_ID, NO_TIME, checkedId, checkedTime } from "./http/exchange.ts";
import type { Exchange } from "./http/exchange.ts";
import { createMatcher, slashHint } from "./http/match.ts";
import type { Api, ApiRequest, ApiResponse, RequestHead } from "./http/messages.ts";
import { createResponder } from "./http/respond.ts";
import type { Rendered } from "./http/respond.ts";
import { createResponseCache, isFresh } from "./http/response_cache.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import { next } from "./http/stage.ts";
import type { Stage } from "./http/stage.ts";
import { parseTarget, queryFailure } from "./http/target.ts";
import { Unavailable } from "./ports.ts";
import type { Accounts, Clock, MaybePromise, Observations, QuotaLedger, QuotaTaken, RequestIds, Sha256 } from "./ports.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import type { Answer, RouteMatch } from "./routes/handler.ts";
import { prepareSettings } from "./routes/settings.ts";
import type { Settings } from "./routes/settings.ts";
import { PAGES } from "./routes/table.ts";

/** What an API is made of: the ports, and what the operator decided. */
export interface ApiOptions extends Settings {
  readonly clock: Clock;
  readonly requestIds: RequestIds;
  readonly sha256: Sha256;
  readonly observations: Observations;
  readonly accounts: Accounts;
  readonly quota: QuotaLedger;
  /** Receives the error behind each answer with status 500 or 503. Default: errors are dropped. */
  readonly onError?: (error: unknown, requestId: string) => void;
}

/** An exchange with what is known of its request: all of it, or only its head. */
interface Begun<Head extends RequestHead> extends Exchange {
  readonly request: Head;
}
type Incoming = Begun<ApiRequest>;

/** After the first stage: the route, and what the cache has for the target. */
interface Matched {
  readonly exchange: Incoming;
  readonly match: RouteMatch;
  readonly cached: CachedTarget | undefined;
}

/** After the second: who calls. Absent on public routes. */
interface Authenticated extends Matched {
  readonly caller: KeyHolder | undefined;
}

/** After the third: units of the caller's quota day, this request's included. */
interface Charged extends Authenticated {
  readonly used: number;
}

const NO_CHARGE: QuotaTaken = { granted: true, used: 0 };

/**
 * Makes the API: a function from plain request to plain response, which answers everything and never throws
 * or rejects. It answers synchronously where the ports do.
 *
 * @throws RangeError for settings that cannot be served.
 */
export function createApi(options: ApiOptions): Api {
  const { clock, requestIds, quota, onError } = options;
  const { context, quotaZone, cors, chargeFailures } = prepareSettings(options, options.observations);
  const findResource = createMatcher([...context.routes, ...PAGES]);
  const verifyKey = createKeyVerifier(options);
  const quotaDayAt = createQuotaCalendar(quotaZone);
  const quotaFields = createQuotaFields();
  const respond = createResponder(cors);
  const cache = createResponseCache();

  return Object.assign((request: ApiRequest) => begin(request, answerSafely), {
    refuse: (request: RequestHead, reason: Failure) => begin(request, (exchange) => refuse(exchange, reason)),
    fail: (request: RequestHead, error: unknown) => begin(request, (exchange) => failed(exchange, error)),
  });

  /** Gives the request an id and a time. Where the port of one of them fails, that is the answer. */
  function begin<Head extends RequestHead, Response>(request: Head, respondTo: (exchange: Begun<Head>) => Response): Response | ApiResponse {
    let requestId = NO_REQUEST_ID;
    let now = NO_TIME;
    try {
      requestId = checkedId(requestIds());
      now = checkedTime(clock());
    } catch (error) {
      return failed({ request, requestId, now }, error);
    }
    return respondTo({ request, requestId, now });
  }

  function answerSafely(exchange: Incoming): MaybePromise<ApiResponse> {
    return attempt(exchange, answer, failed);
  }

  /** The stages of a request, in their order. */
  function answer(exchange: Incoming): MaybePromise<ApiResponse> {
    const matched = matchRoute(exchange);
    const authenticated = next(matched, authenticate);
    const charged = next(authenticated, charge);
    return next(charged, handle);
  }

  function matchRoute(exchange: Incoming): Stage<Matched> {
    const { target, method } = exchange.request;
    const cached = method === "GET" || method === "HEAD" ? cache.get(target) : undefined;
    if (cached) return { exchange, match: cached.match, cached };
    const parsed = parseTarget(target);
    if (!parsed.ok) return refuse(exchange, parsed.error);
    const { segments, query } = parsed.value;
    const resource = findResource(segments);
    if (!resource) return refuse(exchange, failure("ROUTE_NOT_FOUND", slashHint(parsed.value, findResource)));
    if (method === "OPTIONS") return respond.options(exchange, resource.allow);
    const found = resource.match(method);
    if (!found) return refuse(exchange, failure("METHOD_NOT_ALLOWED", `This path takes ${resource.allow}`, ["Allow", resource.allow]));
    return { exchange, match: { route: found.route, params: found.params, query }, cached };
  }

  function authenticate(matched: Matched): MaybePromise<Stage<Authenticated>> {
    const { exchange, match, cached } = matched;
    if (match.route.auth === "none") return { exchange, match, cached, caller: undefined };
    const key = presentedKey(exchange.request.headers);
    return key.ok ? afterWith(matched, verifyKey(key.value, exchange.now), identify) : refuse(exchange, key.error);
  }

  function identify({ exchange, match, cached }: Matched, holder: Result<KeyHolder, Failure>): Stage<Authenticated> {
    return holder.ok ? { exchange, match, cached, caller: holder.value } : refuse(exchange, holder.error);
  }

  /** Takes the unit before any work, so that parallel requests can never pass the limit together. Without a limit it counts all the same. */
  function charge(authenticated: Authenticated): MaybePromise<Stage<Charged>> {
    const { exchange, match, caller } = authenticated;
    if (!caller) return admit(authenticated, NO_CHARGE);
    const { account, plan } = caller;
    const { date } = quotaDayAt(exchange.now);
    const isFree = match.route.charge === "free" || account.status !== "ACTIVE";
    if (isFree) return afterWith(authenticated, quota.used(account.id, date), admitFree);
    return afterWith(authenticated, quota.take(account.id, date, plan.dailyUnits ?? Infinity), admit);
  }

  function admitFree(authenticated: Authenticated, used: number): Stage<Charged> {
    return admit(authenticated, { granted: true, used });
  }

  function admit({ exchange, match, cached, caller }: Authenticated, { granted, used }: QuotaTaken): Stage<Charged> {
    const charged = { exchange, match, cached, caller, used };
    if (!granted) return refuse(exchange, quotaExceeded(quotaDayAt(exchange.now), exchange.now), charged);
    if (caller && caller.account.status !== "ACTIVE") return refuse(exchange, failure("ACCESS_RESTRICTED"), charged);
    return charged;
  }

  /** Answers from the cache or by the route's handler. A failure gives the unit back where the route counts successes. */
  function handle(charged: Charged): MaybePromise<ApiResponse> {
    return afterWith(charged, attempt(charged, render, recover), conclude);
  }

  function render(charged: Charged): MaybePromise<Result<Rendered, Failure>> {
    const response = charged.cached?.response;
    if (!response || !isFresh(response, charged.exchange.now)) return renderAnew(charged);
    return afterWith(charged, context.observations.version(response.freshness.code), renderUnlessSame);
  }

  function renderUnlessSame(charged: Charged, version: string): MaybePromise<Result<Rendered, Failure>> {
    const response = charged.cached?.response;
    return response?.freshness.version === version ? ok(response.rendered) : renderAnew(charged);
  }

  function renderAnew({ exchange, match, cached, caller }: Charged): MaybePromise<Result<Rendered, Failure>> {
    const { route, params, query } = match;
    const { request, now } = exchange;
    const refused = queryFailure(query);
    if (refused) return err(refused);
    const answered = route.handle(context, { request, now, route, params, query, caller });
    return after<Result<Answer, Failure>, Result<Rendered, Failure>>(answered, (result) => {
      if (!result.ok) return result;
      const { body, contentType = "application/json; charset=utf-8", notice, tag, freshness } = result.value;
      const rendered: Rendered = { body, contentType, notice, etag: tag && formatTag({ ...tag, stem: `${context.revision}.${tag.stem}` }) };
      // A response is cached from its second request on, so that targets asked for once do not fill the cache.
      const response = freshness && cached ? { rendered, freshness, renderedAt: now } : undefined;
      if (route.method === "GET") cache.put(request.target, { match, response });
      return ok(rendered);
    });
  }

  function recover({ exchange }: Charged, error: unknown): Result<never, Failure> {
    return err(reported(exchange, error));
  }

  function conclude(charged: Charged, result: Result<Rendered, Failure>): MaybePromise<ApiResponse> {
    const { exchange, match, caller } = charged;
    if (result.ok) return respond.success(exchange, quotaOf(charged), result.value);
    const keepsUnit = !caller || match.route.charge !== "success" || chargeFailures === "always";
    return keepsUnit ? refuse(exchange, result.error, charged) : refund(charged, result.error);
  }

  function refund(charged: Charged, reason: Failure): MaybePromise<ApiResponse> {
    const left = attempt(charged, giveBack, keepUnit);
    return after(left, (used) => refuse(charged.exchange, reason, { ...charged, used }));
  }

  function giveBack({ exchange, caller }: Charged): MaybePromise<number> {
    return quota.giveBack(caller!.account.id, quotaDayAt(exchange.now).date);
  }

  /** The unit could not be given back: the account loses one, but never gets one too many. The failure is still the answer. */
  function keepUnit({ exchange, used }: Charged, error: unknown): number {
    reported(exchange, error);
    return used;
  }

  function refuse(exchange: Exchange, reason: Failure, charged?: Charged): ApiResponse {
    return respond.failure(exchange, charged && quotaOf(charged), reason);
  }

  /** Every answer to a known caller says what is left of its quota. */
  function quotaOf({ exchange: { now }, caller, used }: Charged): QuotaFields | undefined {
    return caller && quotaFields(caller.plan, used, quotaDayAt(now), now);
  }

  function failed(exchange: Exchange, error: unknown): ApiResponse {
    return respond.failure(exchange, undefined, reported(exchange, error));
  }

  /** The failure for an error that no rule expects, after it was reported. */
  function reported({ requestId }: Exchange, error: unknown): Failure {
    try {
      onError?.(error, requestId);
    } catch {
      // The report has failed as well: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  }
}
