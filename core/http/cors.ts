import type { RequestFields } from "./messages.ts";

/** The web pages that may read answers: all pages, the pages of the listed origins, or none. */
export type CorsRule = "*" | "none" | readonly string[];

const REQUEST_FIELDS = "X-API-Key, Authorization, Content-Type, If-None-Match";
const EXPOSED_FIELDS =
  "ETag, Link, Retry-After, X-Notice, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const PREFLIGHT_SECONDS = "86400";
const NONE: readonly string[] = [];

/** Makes the CORS fields of answers. Keys are sent in header fields, not in cookies, so CORS credentials are off. */
export function createCors(rule: CorsRule) {
  return {
    /** Whether answers depend on the request's `Origin`, so that every answer must have `Vary: Origin`. */
    varies: rule !== "none",
    /** The CORS fields of a success or an error. Empty without an `Origin`, or if that origin may not read answers. */
    answerFields(headers: RequestFields): readonly string[] {
      if (rule === "none") return NONE;
      const origin = headers.get("origin");
      if (typeof origin !== "string" || (rule !== "*" && !rule.includes(origin))) return NONE;
      const allowed = rule === "*" ? "*" : origin;
      return ["Access-Control-Allow-Origin", allowed, "Access-Control-Expose-Headers", EXPOSED_FIELDS];
    },
    /** The additional fields in the answer to a preflight request. Such a request is free and needs no key. */
    preflightFields(headers: RequestFields, allow: string): readonly string[] {
      if (rule === "none" || typeof headers.get("access-control-request-method") !== "string") return NONE;
      const methods = ["Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", REQUEST_FIELDS];
      return [...methods, "Access-Control-Max-Age", PREFLIGHT_SECONDS];
    },
  };
}
