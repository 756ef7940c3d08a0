import type { Failure } from "../http/errors.ts";
import type { Answer, Call, Context } from "./handler.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";
import { formatTimestamp } from "../time/timestamps.ts";

const HOST = /^[\w.:[\]-]{1,255}$/;

/** State of the service and its routes; needs no data. Source: contract, Endpoints 8. */
export function status(context: Context, call: Call): Result<Answer, Failure> {
  const body = {
    status: "OK",
    application: context.application,
    apiVersion: "v1",
    serverTime: formatTimestamp(call.now),
    documentationUrl: documentationUrl(context, call),
    endpoints: context.routes.map(({ method, path }) => `${method} ${path}`),
  };
  return ok({ body: JSON.stringify(body) });
}

/** What the caller's plan gives; the quota headers beside it tell what is left. Source: contract, Endpoints 9. */
export function access(_context: Context, call: Call): Result<Answer, Failure> {
  const { name, attributionRequired } = call.caller!.plan;
  return ok({ body: JSON.stringify({ accessType: name, attributionRequired }) });
}

/** A path is made a URL of this server as the client named it. */
function documentationUrl(context: Context, { request }: Call): string {
  if (!context.documentationUrl.startsWith("/")) return context.documentationUrl;
  const host = request.headers.get("host") ?? "";
  return `${request.scheme}://${HOST.test(host) ? host : "localhost"}${context.documentationUrl}`;
}
