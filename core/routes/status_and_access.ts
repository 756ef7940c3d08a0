import type { Failure } from "../http/errors.ts";
import { maskKeys } from "../http/mask_keys.ts";
import type { Answer } from "../http/respond.ts";
import { ok, type Result } from "../result.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import type { Context, RouteRequest } from "./handler.ts";

const HOST = /^[\w.:[\]-]{1,255}$/;

/** The body of the status answer. Source: contract, Status response. */
export interface ServiceStatus {
  /** `OK`, or `UNAVAILABLE` while no request with a key can be served. */
  readonly status: string;
  readonly application: string;
  /** `v1`. */
  readonly apiVersion: string;
  /** ISO 8601 in UTC. */
  readonly serverTime: string;
  readonly documentationUrl: string;
  /** Method and path template of each route, such as `GET /api/v1/assets`. */
  readonly endpoints: readonly string[];
}

/** The body of the access answer. Source: contract, Access response. */
export interface AccountAccess {
  /** The name of the account's plan, such as `FREE_STARTER`. */
  readonly accessType: string;
  /** Whether the source of the data must be named. */
  readonly attributionRequired: boolean;
}

/** The state and the routes of the service. Reads no data. Source: contract, Endpoints 8. */
export function status(context: Context, request: RouteRequest): Result<Answer, Failure> {
  const body: ServiceStatus = {
    status: context.canServe() ? "OK" : "UNAVAILABLE",
    application: context.application,
    apiVersion: "v1",
    serverTime: formatTimestamp(request.now),
    documentationUrl: documentationUrl(context, request),
    endpoints: context.routes.map(({ method, path }) => `${method} ${path}`),
  };
  return ok({ body: JSON.stringify(body) });
}

/** The caller's plan. The quota header fields report the remaining units. Source: contract, Endpoints 9. */
export function access(_context: Context, { caller }: RouteRequest): Result<Answer, Failure> {
  const { name, attributionRequired } = caller!.plan;
  const body: AccountAccess = { accessType: name, attributionRequired };
  return ok({ body: JSON.stringify(body) });
}

/** Turns a path into a URL with the host name that the client used. */
function documentationUrl(context: Context, { request }: RouteRequest): string {
  if (!context.documentationUrl.startsWith("/")) return context.documentationUrl;
  const host = request.headers.get("host") ?? "";
  const isHost = HOST.test(host) && maskKeys(host) === host; // a key may have been sent as a host name
  return `${request.scheme}://${isHost ? host : "localhost"}${context.documentationUrl}`;
}
