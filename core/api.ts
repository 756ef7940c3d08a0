import { authenticate, presentedKey } from "./auth.ts";
import type { KeyHolder } from "./accounts.ts";
import type { UtcMillis } from "./brand.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { errorResponse, failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { formatTag, heldTag } from "./etag.ts";
import type { Answer, Call, Route } from "./handler.ts";
import type { Api, ApiRequest, ApiResponse } from "./http.ts";
import { createMatcher } from "./match.ts";
import { Unavailable } from "./ports.ts";
import type { Accounts, Clock, Observations, QuotaLedger, RequestIds, Sha256 } from "./ports.ts";
import { createQuotaCalendar, quotaExceeded, quotaHeaders } from "./quota.ts";
import type { QuotaDay } from "./quota.ts";
import { err } from "./result.ts";
import type { Result } from "./result.ts";
import { PAGES } from "./routes.ts";
import { prepare } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { parseTarget, pathOf } from "./target.ts";

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

/** The parts of one request that the stages below share. */
interface Visit {
  readonly request: ApiRequest;
  readonly requestId: string;
  readonly now: UtcMillis;
}

/** A unit taken for a request, and how many its account has used that day. */
interface Charge {
  readonly used: number;
  readonly refusal?: Failure;
}

const VARY_BY_CALLER = "X-API-Key, Authorization, Accept-Encoding";

/**
 * Makes the API: a function from plain request to plain response, which answers everything and never
 * rejects. This is the one place that knows the order of the stages: match, authenticate, charge,
 * handle, render.
 *
 * @throws RangeError for settings that cannot be served.
 */
export function createApi(options: ApiOptions): Api {
  const { clock, requestIds, accounts, sha256, quota, onError } = options;
  const { context, quotaZone, cors, chargeFailures } = prepare(options, options.observations);
  const find = createMatcher([...context.routes, ...PAGES]);
  const dayAt = createQuotaCalendar(quotaZone);

  return async (request) => {
    const visit: Visit = { request, requestId: requestIds(), now: clock() };
    let response: ApiResponse;
    try {
      response = await answer(visit);
    } catch (error) {
      response = fail(visit, unexpected(error, visit));
    }
    return withHeaders(response, corsHeaders(cors, request.headers));
  };

  async function answer(visit: Visit): Promise<ApiResponse> {
    const { request } = visit;
    const target = parseTarget(request.target);
    if (!target.ok) return fail(visit, target.error);
    const resource = find(target.value.segments);
    if (!resource) return fail(visit, failure("ROUTE_NOT_FOUND"));
    if (request.method === "OPTIONS") return answerOptions(visit, resource.allow);
    const match = resource.match(request.method);
    if (!match) {
      const message = `This path takes ${resource.allow}`;
      return fail(visit, failure("METHOD_NOT_ALLOWED", message, { Allow: resource.allow }));
    }
    const call = { request, now: visit.now, ...match, query: target.value.query, caller: undefined };
    if (match.route.auth === "none") return render(visit, await match.route.handle(context, call));

    const key = presentedKey(request.headers);
    if (!key.ok) return fail(visit, key.error);
    const caller = await authenticate(key.value, { accounts, sha256 }, visit.now);
    return caller.ok ? serve(visit, { ...call, caller: caller.value }, caller.value) : fail(visit, caller.error);
  }

  /** From here on the caller is known, and every answer tells its quota. */
  async function serve(visit: Visit, call: Call, caller: KeyHolder): Promise<ApiResponse> {
    const day = dayAt(visit.now);
    const restricted = caller.account.status !== "ACTIVE";
    // Taken before any work, so that parallel requests can never pass the limit together.
    const charge = restricted ? await usage(caller, day) : await take(call.route, caller, day, visit.now);
    if (restricted) return told(fail(visit, failure("ACCESS_RESTRICTED")), charge.used);
    if (charge.refusal) return told(fail(visit, charge.refusal), charge.used);

    const result = await handle(call, visit);
    const used = result.ok ? charge.used : await settle(call.route, caller, day, charge.used, visit);
    return told(render(visit, result), used);

    function told(response: ApiResponse, used: number): ApiResponse {
      return withHeaders(response, quotaHeaders(caller.plan, used, day, visit.now));
    }
  }

  async function take(route: Route, caller: KeyHolder, day: QuotaDay, now: UtcMillis): Promise<Charge> {
    const { dailyUnits } = caller.plan;
    if (route.charge === "free" || dailyUnits === null) return usage(caller, day);
    const { granted, used } = await quota.take(caller.account.id, day.date, dailyUnits);
    return granted ? { used } : { used, refusal: quotaExceeded(day, now) };
  }

  async function usage(caller: KeyHolder, day: QuotaDay): Promise<Charge> {
    return { used: caller.plan.dailyUnits === null ? 0 : await quota.used(caller.account.id, day.date) };
  }

  async function handle(call: Call, visit: Visit): Promise<Result<Answer, Failure>> {
    try {
      return await call.route.handle(context, call);
    } catch (error) {
      return err(unexpected(error, visit));
    }
  }

  /** Gives the unit of a failed request back where the route counts successes only; returns the units used then. */
  async function settle(route: Route, caller: KeyHolder, day: QuotaDay, used: number, visit: Visit): Promise<number> {
    const keepsUnit = route.charge !== "success" || chargeFailures === "always" || caller.plan.dailyUnits === null;
    if (keepsUnit) return used;
    try {
      return await quota.giveBack(caller.account.id, day.date);
    } catch (error) {
      // The unit stays taken, which never serves too much; the failure itself is still worth telling.
      unexpected(error, visit);
      return used;
    }
  }

  function answerOptions(visit: Visit, allow: string): ApiResponse {
    const headers = { "X-Request-Id": visit.requestId, Allow: allow };
    return { status: 204, headers: { ...headers, ...preflightHeaders(cors, visit.request.headers, allow) }, body: "" };
  }

  function render(visit: Visit, result: Result<Answer, Failure>): ApiResponse {
    return result.ok ? succeed(visit, result.value) : fail(visit, result.error);
  }

  function succeed({ request, requestId }: Visit, { body, contentType, tag }: Answer): ApiResponse {
    const headers = { "X-Content-Type-Options": "nosniff", "X-Request-Id": requestId };
    const type = { "Content-Type": contentType ?? "application/json; charset=utf-8" };
    if (!tag) return { status: 200, headers: { ...type, "Cache-Control": "no-store", ...headers }, body };
    const current = { ...tag, stem: `${context.revision}.${tag.stem}` };
    const held = request.method === "POST" ? undefined : heldTag(request.headers, current);
    const caching = { "Cache-Control": "private, no-cache", ETag: held ?? formatTag(current), Vary: VARY_BY_CALLER };
    if (held !== undefined) return { status: 304, headers: { ...caching, ...headers }, body: "" };
    return { status: 200, headers: { ...type, ...caching, ...headers }, body };
  }

  function fail({ request, requestId, now }: Visit, reason: Failure): ApiResponse {
    return errorResponse(reason, { now, path: pathOf(request.target), requestId });
  }

  function unexpected(error: unknown, { requestId }: Visit): Failure {
    try {
      onError?.(error, requestId);
    } catch {
      // Whoever keeps the reports has trouble too: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, { "Retry-After": String(error.retryAfterSeconds) });
  }
}

/** Adds fields to a response; two lists of `Vary` become one. */
function withHeaders(response: ApiResponse, more: Readonly<Record<string, string>>): ApiResponse {
  const vary = [response.headers["Vary"], more["Vary"]].filter((list) => list !== undefined).join(", ");
  return { ...response, headers: { ...response.headers, ...more, ...(vary && { Vary: vary }) } };
}
