import { headerValues } from "./headers.ts";

/** Which web pages may read answers: all, those of the named origins, or none. */
export type CorsRule = "*" | "none" | readonly string[];

const SENT = "X-API-Key, Authorization, Content-Type, If-None-Match";
const READ =
  "ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const PREFLIGHT_SECONDS = "86400";

/** The fields that every answer carries, errors too. Keys travel in headers and not in cookies, so no credentials are allowed. */
export function corsHeaders(rule: CorsRule, headers: readonly string[]): Record<string, string> {
  if (rule === "none") return {};
  if (rule === "*") return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": READ };
  const [origin] = headerValues(headers, "origin");
  if (origin === undefined || !rule.includes(origin)) return { Vary: "Origin" };
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": READ, Vary: "Origin" };
}

/** What a preflight request is told besides: free, and answered without a key. */
export function preflightHeaders(rule: CorsRule, headers: readonly string[], allow: string): Record<string, string> {
  const isPreflight = headerValues(headers, "access-control-request-method").length > 0;
  if (rule === "none" || !isPreflight) return {};
  return {
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": SENT,
    "Access-Control-Max-Age": PREFLIGHT_SECONDS,
  };
}
