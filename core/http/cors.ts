import type { RequestFields } from "./messages.ts";

/** Which web pages may read answers: all, those of the named origins, or none. */
export type CorsRule = "*" | "none" | readonly string[];

const SENT = "X-API-Key, Authorization, Content-Type, If-None-Match";
const READ =
  "ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
const PREFLIGHT_SECONDS = "86400";
const TO_ALL: readonly string[] = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", READ];
const TO_NONE: readonly string[] = [];

/** Whether answers differ by the page that asks: they then carry `Vary: Origin`. */
export function variesByOrigin(rule: CorsRule): boolean {
  return typeof rule !== "string";
}

/**
 * The fields that every answer carries, errors too, `Vary` aside. Keys travel in headers and not in cookies, so
 * no credentials are allowed.
 */
export function corsFields(rule: CorsRule, headers: RequestFields): readonly string[] {
  if (rule === "*") return TO_ALL;
  if (rule === "none") return TO_NONE;
  const origin = headers.get("origin");
  if (typeof origin !== "string" || !rule.includes(origin)) return TO_NONE;
  return ["Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", READ];
}

/** What a preflight request is told besides: free, and answered without a key. */
export function preflightFields(rule: CorsRule, headers: RequestFields, allow: string): readonly string[] {
  if (rule === "none" || typeof headers.get("access-control-request-method") !== "string") return TO_NONE;
  return ["Access-Control-Allow-Methods", allow, "Access-Control-Allow-Headers", SENT, "Access-Control-Max-Age", PREFLIGHT_SECONDS];
}
