import type { UtcMillis } from "../brand.ts";
import { corsFields, preflightFields, variesByOrigin } from "./cors.ts";
import type { CorsRule } from "./cors.ts";
import { ERRORS, errorBody } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { heldTag } from "./etag.ts";
import type { ApiRequest, ApiResponse } from "./messages.ts";
import { pathOf } from "./target.ts";

/** What the answer to one request is made with. */
export interface Visitor {
  readonly request: Pick<ApiRequest, "method" | "target" | "headers">;
  readonly requestId: string;
  readonly now: UtcMillis;
  /** The header fields that tell the caller's quota; none while the caller is not known. */
  quotaFields: readonly string[];
}

/** A success as it was rendered. */
export interface Rendered {
  readonly body: string | Uint8Array;
  readonly contentType: string;
  /** The entity tag, quoted, where the answer may be revalidated; `undefined` where it must not be stored. */
  readonly etag: string | undefined;
}

/** Makes responses: the header fields that all of them carry, and those of their kind. */
export interface Responder {
  success(visit: Visitor, rendered: Rendered): ApiResponse;
  failure(visit: Visitor, reason: Failure): ApiResponse;
  /** The answer to OPTIONS, and to a preflight request. */
  options(visit: Visitor, allow: string): ApiResponse;
}

const JSON_TYPE = "application/json; charset=utf-8";
const BY_CALLER = "X-API-Key, Authorization, Accept-Encoding";

/** Makes the responder for a rule on which web pages may read answers. */
export function createResponder(cors: CorsRule): Responder {
  const byOrigin: readonly string[] = variesByOrigin(cors) ? ["Vary", "Origin"] : [];
  const varyByCaller = variesByOrigin(cors) ? `${BY_CALLER}, Origin` : BY_CALLER;

  function withShared({ request, requestId, quotaFields }: Visitor, own: readonly string[]): readonly string[] {
    const crossOrigin = corsFields(cors, request.headers);
    return [...own, "X-Content-Type-Options", "nosniff", "X-Request-Id", requestId, ...quotaFields, ...crossOrigin];
  }

  function success(visit: Visitor, { body, contentType, etag }: Rendered): ApiResponse {
    if (etag === undefined) {
      const own = ["Content-Type", contentType, "Cache-Control", "no-store", ...byOrigin];
      return { status: 200, headers: withShared(visit, own), body };
    }
    const { method, headers } = visit.request;
    const held = method === "POST" ? undefined : heldTag(headers, etag);
    const caching = ["Cache-Control", "private, no-cache", "ETag", held ?? etag, "Vary", varyByCaller];
    if (held !== undefined) return { status: 304, headers: withShared(visit, caching), body: "" };
    caching.push("Content-Type", contentType);
    return { status: 200, headers: withShared(visit, caching), body };
  }

  function failure(visit: Visitor, reason: Failure): ApiResponse {
    const { now, requestId, request } = visit;
    const own = ["Content-Type", JSON_TYPE, "Cache-Control", "no-store", ...byOrigin, ...(reason.fields ?? [])];
    const body = errorBody(reason, { now, path: pathOf(request.target), requestId });
    return { status: ERRORS[reason.code].status, headers: withShared(visit, own), body };
  }

  function options(visit: Visitor, allow: string): ApiResponse {
    const { headers } = visit.request;
    const own = ["Allow", allow, "X-Request-Id", visit.requestId, ...byOrigin];
    return { status: 204, headers: [...own, ...preflightFields(cors, headers, allow), ...corsFields(cors, headers)], body: "" };
  }

  return { success, failure, options };
}
