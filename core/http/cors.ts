import type { RequestFields } from "./messages.ts";

/** Which web pages may read answers: all, those of the named origins, or none. */
export type CorsRule = "*" | "none" | readonly string[];

/** Makes the fields of cross-origin answers. Keys travel in headers and not in cookies, so no credentials are allowed. */
export interface Cors {
  /** Whether answers differ by the `Origin` of the request: each then names it in `Vary`. */
  readonly varies: boolean;
  /** The fields of an answer, errors included; none where the request has no `Origin`, or one that may not read. */
  answerFields(headers: RequestFields): readonly string[];
  /** The additional fields of the answer to a preflight request, which is free and needs no key. */
  preflightFields(headers: RequestFields, allow: string): readonly string[];
}

const SENT = "X-API-Key, Authorization, Content-Type, If-None-Match";
const READ =
  "ETag, Link, Retry-After, X-Notice, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const PREFLIGHT_SECONDS = "86400";
const NONE: readonly string[] = [];

/** Makes the CORS fields for a rule. */
export function createCors(rule: CorsRule): Cors {
  function answerFields(headers: RequestFields): readonly string[] {
    if (rule === "none") return NONE;
    const origin = headers.get("origin");
    if (typeof origin !== "string" || (rule !== "*" && !rule.includes(origin))) return NONE;
    return ["Access-Control-Allow-Origin", rule === "*" ? "*" : origin, "Access-Control-Expose-Headers", READ];
  }

  function preflightFields(headers: RequestFields, allow: string): readonly string[] {
    if (rule === "none" || typeof headers.get("access-control-request-method") !== "string") return NONE;
    return [
      "Access-Control-Allow-Methods",
      allow,
      "Access-Control-Allow-Headers",
      SENT,
      "Access-Control-Max-Age",
      PREFLIGHT_SECONDS,
    ];
  }

  return { varies: rule !== "none", answerFields, preflightFields };
}
