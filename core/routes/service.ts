import { maskKeys } from "../accounts/mask_keys.ts";
import type { Failure } from "../http/errors.ts";
import type { Answer, Context, RouteRequest } from "./handler.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { formatTimestamp } from "../time/timestamps.ts";

const HOST = /^[\w.:[\]-]{1,255}$/;

/** State of the service and its routes; needs no data. Source: contract, Endpoints 8. */
export function status(context: Context, request: RouteRequest): Result<Answer, Failure> {
  const body = {
    status: context.canServe() ? "OK" : "UNAVAILABLE",
    application: context.application,
    apiVersion: "v1",
    serverTime: formatTimestamp(request.now),
    documentationUrl: documentationUrl(context, request),
    endpoints: context.routes.map(({ method, path }) => `${method} ${path}`),
  };
  return ok({ body: JSON.stringify(body) });
}

/** What the caller's plan gives; the quota headers beside it tell what is left. Source: contract, Endpoints 9. */
export function access(_context: Context, { caller }: RouteRequest): Result<Answer, Failure> {
  const { name, attributionRequired } = caller!.plan;
  return ok({ body: JSON.stringify({ accessType: name, attributionRequired }) });
}

/** A setting that is a path becomes a URL, with the host name that the client used. */
function documentationUrl(context: Context, { request }: RouteRequest): string {
  if (!context.documentationUrl.startsWith("/")) return context.documentationUrl;
  const host = request.headers.get("host") ?? "";
  const isHost = HOST.test(host) && maskKeys(host) === host; // a key sent in the wrong place is not repeated
  return `${request.scheme}://${isHost ? host : "localhost"}${context.documentationUrl}`;
}
