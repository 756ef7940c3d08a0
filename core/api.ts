import type { KeyHolder } from "./accounts/accounts.ts";
import { after, afterWith, attemptWith } from "./async.ts";
import { presentedKey } from "./http/credentials.ts";
import { failure } from "./http/errors.ts";
import type { Failure } from "./http/errors.ts";
import { formatTag } from "./http/etag.ts";
import type { Answer } from "./routes/handler.ts";
import type { Api, ApiRequest, ApiResponse } from "./http/messages.ts";
import { createKeptAnswers, mayBeRight } from "./http/response_cache.ts";
import type { KeptAnswer } from "./http/response_cache.ts";
import { createKeyCheck } from "./accounts/verified_keys.ts";
import { createMatcher } from "./http/match.ts";
import { createPlaces } from "./http/route_cache.ts";
import type { Place } from "./http/route_cache.ts";
import { Unavailable } from "./ports.ts";
import type { Accounts, Clock, MaybePromise, Observations, QuotaLedger, QuotaTaken, RequestIds, Sha256 } from "./ports.ts";
import { createQuotaCalendar, createQuotaFields, quotaExceeded } from "./accounts/quota.ts";
import { createResponder } from "./http/respond.ts";
import type { Rendered, Visitor } from "./http/respond.ts";
import { err, ok } from "./result.ts";
import type { Result } from "./result.ts";
import { PAGES } from "./routes/table.ts";
import { prepare } from "./routes/settings.ts";
import type { Settings } from "./routes/settings.ts";
import { parseTarget } from "./http/target.ts";

/** What an API is made of: the ports, and what the operator decided. */
export interface ApiOptions extends Settings {
  readonly clock: Clock;
  readonly requestIds: RequestIds;
  readonly sha256: Sha256;
  readonly observations: Observations;
  readonly accounts: Accounts;
  readonly quota: QuotaLedger;
  /** Told of everything that was answered with 500 or 503. Default: nobody. */
  readonly onError?: (error: unknown, requestId: string) => void;
}

/** One request on its way through the stages below, which add what they find out. */
interface Visit extends Visitor {
  readonly request: ApiRequest;
  /** Where the target leads to. */
  place: Place | undefined;
  /** Whether this target was asked before. */
  asked: boolean;
  /** The answer that this target had before, right or not. */
  kept: KeptAnswer | undefined;
  /** Whose key came with it. */
  caller: KeyHolder | undefined;
  /** Units of the caller's day, this request's included. */
  used: number;
}

const NO_FIELDS: readonly string[] = [];

/** A visit past the first stage. */
type Placed = Visit & { readonly place: Place };
/** A visit whose caller is known. */
type Known = Placed & { readonly caller: KeyHolder };

/**
 * Makes the API: a function from plain request to plain response, which answers everything and never throws
 * or rejects. This is the one place that knows the order of the stages: match, authenticate, charge, handle,
 * render. Each hands the visit on to the next, at once where the ports answer at once.
 *
 * @throws RangeError for settings that cannot be served.
 */
export function createApi(options: ApiOptions): Api {
  const { clock, requestIds, quota, onError } = options;
  const { context, quotaZone, cors, chargeFailures } = prepare(options, options.observations);
  const findResource = createMatcher([...context.routes, ...PAGES]);
  const checkKey = createKeyCheck(options);
  const dayAt = createQuotaCalendar(quotaZone);
  const quotaFields = createQuotaFields();
  const respond = createResponder(cors);
  const places = createPlaces();
  const answers = createKeptAnswers();

  return (request) => {
    const [requestId, now] = [requestIds(), clock()];
    const visit: Visit = { request, requestId, now, quotaFields: NO_FIELDS, place: undefined, asked: false, kept: undefined, caller: undefined, used: 0 };
    return attemptWith(visit, match, fail);
  };

  function fail(visit: Visit, error: unknown): ApiResponse {
    return respond.failure(visit, unexpected(visit, error));
  }

  function match(visit: Visit): MaybePromise<ApiResponse> {
    const { target, method } = visit.request;
    const place = method === "GET" || method === "HEAD" ? places.get(target) : undefined;
    if (place) {
      visit.asked = true;
      visit.kept = answers.get(target);
      return authenticate(visit, place);
    }
    const parsed = parseTarget(target);
    if (!parsed.ok) return respond.failure(visit, parsed.error);
    const { segments, query } = parsed.value;
    const resource = findResource(segments);
    if (!resource) return respond.failure(visit, failure("ROUTE_NOT_FOUND"));
    if (method === "OPTIONS") return respond.options(visit, resource.allow);
    const found = resource.match(method);
    if (!found) {
      const message = `This path takes ${resource.allow}`;
      return respond.failure(visit, failure("METHOD_NOT_ALLOWED", message, ["Allow", resource.allow]));
    }
    const matched = { route: found.route, params: found.params, query };
    if (found.route.method === "GET") places.note(target, matched);
    return authenticate(visit, matched);
  }

  function authenticate(visit: Visit, place: Place): MaybePromise<ApiResponse> {
    visit.place = place;
    if (place.route.auth === "none") return handle(visit as Placed);
    const key = presentedKey(visit.request.headers);
    return key.ok ? afterWith(visit as Placed, checkKey(key.value, visit.now), charge) : respond.failure(visit, key.error);
  }

  /** Takes the unit before any work, so that parallel requests can never pass the limit together. */
  function charge(visit: Placed, holder: Result<KeyHolder, Failure>): MaybePromise<ApiResponse> {
    if (!holder.ok) return respond.failure(visit, holder.error);
    visit.caller = holder.value;
    const known = visit as Known;
    const { account, plan } = holder.value;
    const { date } = dayAt(visit.now);
    const isFree = visit.place.route.charge === "free" || account.status !== "ACTIVE";
    if (plan.dailyUnits === null) return admit(known, 0);
    return isFree ? afterWith(known, quota.used(account.id, date), admit) : afterWith(known, quota.take(account.id, date, plan.dailyUnits), taken);
  }

  function taken(visit: Known, { granted, used }: QuotaTaken): MaybePromise<ApiResponse> {
    return granted ? admit(visit, used) : refuse(visit, used, quotaExceeded(dayAt(visit.now), visit.now));
  }

  function admit(visit: Known, used: number): MaybePromise<ApiResponse> {
    visit.used = used;
    return visit.caller.account.status === "ACTIVE" ? handle(visit) : refuse(visit, used, failure("ACCESS_RESTRICTED"));
  }

  function refuse(visit: Placed, used: number, reason: Failure): ApiResponse {
    tellQuota(visit, used);
    return respond.failure(visit, reason);
  }

  /** Every answer to a known caller tells its quota. */
  function tellQuota(visit: Visit, used: number): void {
    if (visit.caller) visit.quotaFields = quotaFields(visit.caller.plan, used, dayAt(visit.now), visit.now);
  }

  function handle(visit: Placed): MaybePromise<ApiResponse> {
    return afterWith(visit, attemptWith(visit, look, (failed, error) => err(unexpected(failed, error))), conclude);
  }

  /** The answer of before while it is right, else a new one. */
  function look(visit: Placed): MaybePromise<Result<Rendered, Failure>> {
    const { kept, now } = visit;
    if (!kept || !mayBeRight(kept, now)) return render(visit);
    return afterWith(visit, context.observations.version(kept.keep.code), compare);
  }

  function compare(visit: Placed, version: string): MaybePromise<Result<Rendered, Failure>> {
    return visit.kept?.keep.version === version ? ok(visit.kept.rendered) : render(visit);
  }

  function render({ request, now, place, caller, asked }: Placed): MaybePromise<Result<Rendered, Failure>> {
    const { route, params, query } = place;
    const answer = route.handle(context, { request, now, route, params, query, caller });
    return after<Result<Answer, Failure>, Result<Rendered, Failure>>(answer, (result) => {
      if (!result.ok) return result;
      const { body, contentType = "application/json; charset=utf-8", tag, keep } = result.value;
      const etag = tag && formatTag({ ...tag, stem: `${context.revision}.${tag.stem}` });
      const rendered: Rendered = { body, contentType, etag };
      // Not the first time: a caller that asks for ever new ranges would fill the memory with what nobody asks again.
      if (keep && asked) answers.keep(request.target, { rendered, keep, renderedAt: now });
      return ok(rendered);
    });
  }

  function conclude(visit: Placed, result: Result<Rendered, Failure>): MaybePromise<ApiResponse> {
    const { caller, place, used } = visit;
    if (result.ok) {
      tellQuota(visit, used);
      return respond.success(visit, result.value);
    }
    // The unit of a failed request goes back where the route counts successes only.
    if (!caller || caller.plan.dailyUnits === null || place.route.charge !== "success" || chargeFailures === "always") {
      return refuse(visit, used, result.error);
    }
    return afterWith(visit as Known, attemptWith(visit as Known, giveBack, unitStays), (known, left) => refuse(known, left, result.error));
  }

  function giveBack({ caller, now }: Known): MaybePromise<number> {
    return quota.giveBack(caller.account.id, dayAt(now).date);
  }

  /** The unit could not be given back: that never serves too much, and the failure itself is still worth telling. */
  function unitStays(visit: Known, error: unknown): number {
    unexpected(visit, error);
    return visit.used;
  }

  function unexpected({ requestId }: Visit, error: unknown): Failure {
    try {
      onError?.(error, requestId);
    } catch {
      // Whoever keeps the reports has trouble too: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  }
}
