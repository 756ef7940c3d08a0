import type { KeyHolder } from "./accounts/accounts.ts";
import { createKeyVerifier } from "./accounts/key_verifier.ts";
import { createQuotaCalendar, createQuotaFields, quotaExceeded } from "./accounts/quota.ts";
import type { QuotaFields } from "./accounts/quota.ts";
import { rateLimited } from "./accounts/request_rate.ts";
import type { RequestRate } from "./accounts/request_rate.ts";
import { after, afterWith, attempt } from "./async.ts";
import { presentedKey } from "./http/credentials.ts";
import { failure } from "./http/errors.ts";
import type { Failure } from "./http/errors.ts";
import { formatTag } from "./http/etag.ts";
import { NO_REQUEST_ID, NO_TIME, checkedId, checkedTime } from "./http/exchange.ts";
import type { Exchange } from "./http/exchange.ts";
import { createMatcher, slashHint } from "./http/match.ts";
import type { Api, ApiRequest, ApiResponse, RequestHead } from "./http/messages.ts";
import { newFacts, note, reportingResponder } from "./http/report.ts";
import { createResponder } from "./http/respond.ts";
import type { Rendered } from "./http/respond.ts";
import { createResponseCache, isFresh } from "./http/response_cache.ts";
import type { CachedTarget } from "./http/response_cache.ts";
import { next } from "./http/stage.ts";
import type { Authenticated, Begun, Charged, Incoming, Matched, Stage } from "./http/stage.ts";
import { parseTarget, queryFailure } from "./http/target.ts";
import { createErrorReporter } from "./http/unexpected.ts";
import type { Accounts, Clock, MaybePromise, Observations, QuotaLedger, QuotaTaken, RequestIds, Sha256 } from "./ports.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import type { Answer, RouteMatch } from "./routes/handler.ts";
import { prepareSettings } from "./routes/settings.ts";
import type { Settings } from "./routes/settings.ts";

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
  /** Adds an `ExchangeReport` to each answer, for logs and metrics. Default `false`. */
  readonly reports?: boolean;
  /** Limits the requests of each key in a short time, before a unit is taken. `createRequestRate` makes it. Default: no limit. */
  readonly keyRate?: RequestRate | undefined;
}

const NO_CHARGE: QuotaTaken = { granted: true, used: 0 };

/**
 * Makes the API: a function from plain request to plain response, which answers everything and never throws
 * or rejects. It answers synchronously where the ports do.
 *
 * @throws RangeError for settings that cannot be served.
 */
export function createApi(options: ApiOptions): Api {
  const { clock, requestIds, quota, keyRate, reports = false } = options;
  const { context, table, quotaZone, cors, chargeFailures } = prepareSettings(options, options.observations);
  const findResource = createMatcher(table);
  const verifyKey = createKeyVerifier(options);
  const quotaDayAt = createQuotaCalendar(quotaZone);
  const quotaFields = createQuotaFields();
  const respond = reports ? reportingResponder(createResponder(cors)) : createResponder(cors);
  const reported = createErrorReporter(options.onError);
  const cache = createResponseCache();

  return Object.assign((request: ApiRequest) => begin(request, answerSafely), {
    refuse: (request: RequestHead, reason: Failure) => begin(request, (exchange) => refuse(exchange, reason)),
    fail: (request: RequestHead, error: unknown) => begin(request, (exchange) => failed(exchange, error)),
  });

  /** Gives the request an id and a time. Where the port of one of them fails, that is the answer. */
  function begin<Head extends RequestHead, Response>(request: Head, respondTo: (exchange: Begun<Head>) => Response): Response | ApiResponse {
    let requestId = NO_REQUEST_ID;
    let now = NO_TIME;
    const facts = reports ? newFacts() : undefined;
    try {
      requestId = checkedId(requestIds());
      now = checkedTime(clock());
    } catch (error) {
      return failed({ request, requestId, now, facts }, error);
    }
    return respondTo({ request, requestId, now, facts });
  }

  function answerSafely(exchange: Incoming): MaybePromise<ApiResponse> {
    return attempt(exchange, answer, failed);
  }

  /** The stages of a request, in their order. */
  function answer(exchange: Incoming): MaybePromise<ApiResponse> {
    const authenticated = next(matchRoute(exchange), authenticate);
    const charged = next(authenticated, keyRate ? limitRate : charge);
    return next(charged, handle);
  }

  function matchRoute(exchange: Incoming): Stage<Matched> {
    const { target, method } = exchange.request;
    const cached = method === "GET" || method === "HEAD" ? cache.get(target) : undefined;
    if (cached) return matched(exchange, cached.match, cached);
    const parsed = parseTarget(target);
    if (!parsed.ok) return refuse(exchange, parsed.error);
    const { segments, query } = parsed.value;
    const resource = findResource(segments);
    if (!resource) return refuse(exchange, failure("ROUTE_NOT_FOUND", slashHint(parsed.value, findResource)));
    note(exchange, "route", resource.path);
    if (method === "OPTIONS") return respond.options(exchange, resource.allow);
    const found = resource.match(method);
    if (!found) return refuse(exchange, failure("METHOD_NOT_ALLOWED", `This path takes ${resource.allow}`, ["Allow", resource.allow]));
    return matched(exchange, { route: found.route, params: found.params, query }, cached);
  }

  function matched(exchange: Incoming, match: RouteMatch, cached: CachedTarget | undefined): Matched {
    note(exchange, "route", match.route.path);
    return { exchange, match, cached };
  }

  function authenticate(matched: Matched): MaybePromise<Stage<Authenticated>> {
    const { exchange, match, cached } = matched;
    if (match.route.auth === "none") return { exchange, match, cached, caller: undefined };
    const key = presentedKey(exchange.request.headers);
    return key.ok ? afterWith(matched, verifyKey(key.value, exchange.now), identify) : refuse(exchange, key.error);
  }

  function identify({ exchange, match, cached }: Matched, holder: Result<KeyHolder, Failure>): Stage<Authenticated> {
    if (!holder.ok) return refuse(exchange, holder.error);
    note(exchange, "caller", holder.value);
    return { exchange, match, cached, caller: holder.value };
  }

  function limitRate(authenticated: Authenticated): MaybePromise<Stage<Charged>> {
    const { exchange, caller } = authenticated;
    const waitMs = caller && keyRate ? keyRate.take(caller.key.id, exchange.now) : 0;
    return waitMs > 0 ? refuse(exchange, rateLimited(waitMs, "key")) : charge(authenticated);
  }

  /** Takes the unit before any work, so that parallel requests can never pass the limit together. Without a limit it counts all the same. */
  function charge(authenticated: Authenticated): MaybePromise<Stage<Charged>> {
    const { exchange, match, caller } = authenticated;
    if (!caller) return admit(authenticated, NO_CHARGE);
    const { account, plan, key } = caller;
    const { date } = quotaDayAt(exchange.now);
    const isFree = match.route.charge === "free" || account.status !== "ACTIVE";
    if (isFree) return afterWith(authenticated, quota.used(account.id, date), admitFree);
    return afterWith(authenticated, quota.take(account.id, date, plan.dailyUnits ?? Infinity, key.id), admitCharged);
  }

  function admitCharged(authenticated: Authenticated, taken: QuotaTaken): Stage<Charged> {
    note(authenticated.exchange, "units", taken.granted ? "taken" : "denied");
    return admit(authenticated, taken);
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
    return afterWith(charged, context.observations.version(response.freshness.codes), renderUnlessSame);
  }

  function renderUnlessSame(charged: Charged, version: string): MaybePromise<Result<Rendered, Failure>> {
    const response = charged.cached?.response;
    if (response?.freshness.version !== version) return renderAnew(charged);
    note(charged.exchange, "isCached", true);
    return ok(response.rendered);
  }

  function renderAnew({ exchange, match, cached, caller }: Charged): MaybePromise<Result<Rendered, Failure>> {
    const { route, params, query } = match;
    const { request, now } = exchange;
    const refused = queryFailure(query);
    if (refused) return err(refused);
    const answered = route.handle(context, { request, now, route, params, query, caller });
    return after<Result<Answer, Failure>, Result<Rendered, Failure>>(answered, (result) => {
      if (!result.ok) return result;
      const { body, contentType = "application/json; charset=utf-8", fields, tag, isImmutable = false, status = 200, freshness } = result.value;
      const etag = tag && formatTag({ ...tag, stem: `${context.revision}.${tag.stem}` });
      const rendered: Rendered = { status, body, contentType, fields, etag, isImmutable };
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
    note(exchange, "units", "given back");
    return quota.giveBack(caller!.account.id, quotaDayAt(exchange.now).date);
  }

  /** The unit could not be given back: the account loses one, but never gets one too many. The failure is still the answer. */
  function keepUnit({ exchange, used }: Charged, error: unknown): number {
    note(exchange, "units", "taken");
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
}
