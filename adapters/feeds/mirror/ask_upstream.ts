import { dateOfDayNumber, isModestJson, maskKeys, parseTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { numberIn, retryAfterOf, timeIn } from "../../client/quota.ts";
import { request } from "../../client/send_request.ts";
import type { HistoryRequest, QuotaStatement } from "./planner/mod.ts";

/**
 * The outcome of a request. The content is untrusted; the key is removed from all texts in it.
 *
 * - `answered`: 200 with a JSON body; 404 with an error code of the API counts as an empty list.
 * - `limited`: 429, 402, 503 with Retry-After, or an error code of the API for limits. Requests must wait.
 * - `refused`: 401 or 403 with an error code of the API: the key is not accepted. 403 for history is `failed`.
 * - `failed`: anything else. `reason` is a sentence without a full stop.
 */
export type UpstreamAnswer = { readonly quota: readonly QuotaStatement[] } & (
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "limited"; readonly retryAfterMs: number | undefined }
  | { readonly kind: "refused" | "failed"; readonly reason: string }
);

/** Requests are aborted after this time. It is short, as a refresh near midnight takes two requests (time, values). */
const TIMEOUT_MS = 15_000;
/** The largest answer that is read. An answer with all assets of the contract has 60 kB. */
const MAX_BYTES = 4 * 1_048_576;
/** No answer of the API has so many lists, objects and members, or such deep nesting. */
const MODEST = { parts: 20_000, commas: 100_000, depth: 16 };
const SHOWN_CHARACTERS = 300;
const LIMIT_CODES: readonly string[] = ["QUOTA_EXCEEDED", "RATE_LIMITED"];
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const REDIRECT = "The upstream redirects to another address, which is not followed, to protect the key: check the URL";

/** Creates the client for the upstream. `base` has no slash at its end, `now` returns the upstream's time. */
export function createUpstream(base: string, { send, now }: Readonly<{ send: typeof fetch; now: () => UtcMillis }>) {
  /** Returns the answer, with the key removed from its body, or the reason for a failure. */
  async function get(path: string, fields: Record<string, string>, signal: AbortSignal) {
    const key = fields["X-API-Key"] ?? "";
    // An upstream may quote the key as part of an address.
    const forms = key === "" ? [] : [key, encodeURIComponent(key)];
    const clean = (text: string): string => forms.reduce((sum, form) => sum.replaceAll(form, "…"), text);
    try {
      const settings = { send, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
      const { response, text } = await request(settings, {
        url: `${base}${path}`,
        headers: { Accept: "application/json", ...fields },
        signal,
      });
      const { status, headers, type } = response;
      // The message does not quote the address, because the address may contain the key.
      return type === "opaqueredirect" || REDIRECTS.includes(status)
        ? REDIRECT
        : { status, headers, body: parsed(text, clean) };
    } catch (error) {
      return shown(clean(error instanceof Error ? error.message : String(error)));
    }
  }

  return {
    /** Returns the time in the upstream's status, or the reason for a failure. The request is free and needs no key. */
    async time(signal: AbortSignal): Promise<UtcMillis | string> {
      // A cached answer would have an earlier time, and perhaps another day.
      const answer = await get("/api/v1/status", { "Cache-Control": "no-cache" }, signal);
      if (typeof answer === "string") return answer;
      if (answer.status !== 200)
        return `The upstream answers ${answer.status} for its status${answer.status === 404 ? ": check the URL" : ""}`;
      const { serverTime, status } = membersOf(answer.body);
      const time = typeof serverTime === "string" ? parseTimestamp(serverTime)?.millis : undefined;
      if (time === undefined) return "The upstream's status has no time: check the URL";
      return status === "UNAVAILABLE" ? "The upstream is temporarily unavailable" : time;
    },
    /** Sends a request with the key. Never rejects. */
    async ask(path: string, key: string, signal: AbortSignal): Promise<UpstreamAnswer> {
      const answer = await get(path, { "X-API-Key": key }, signal);
      if (typeof answer === "string") return { kind: "failed", reason: answer, quota: [] };
      const { status, headers, body } = answer;
      const quota = statedQuotas(headers, now());
      const { code, message } = membersOf(body);
      const seconds = retryAfterOf(headers, now());
      const hasCode = typeof code === "string";
      const isOver = status === 503 ? seconds !== undefined : status === 402 || status === 429;
      if (isOver || (hasCode && LIMIT_CODES.includes(code)))
        return { kind: "limited", retryAfterMs: seconds === undefined ? undefined : seconds * 1_000, quota };
      if (status === 200)
        return body === undefined
          ? { kind: "failed", reason: "The answer is not JSON of this API", quota }
          : { kind: "answered", body, quota };
      if (status === 404 && hasCode && code !== "ROUTE_NOT_FOUND") return { kind: "answered", body: [], quota };
      const words = shown(`${status}${hasCode ? ` ${code}` : ""}${typeof message === "string" ? `: ${message}` : ""}`);
      // 401 or 403 without a code of the API comes from a firewall, which usually refuses only for a short time.
      if (hasCode && (status === 401 || (status === 403 && !path.includes("/history"))))
        return { kind: "refused", reason: `The upstream refuses the key (${words})`, quota };
      return { kind: "failed", reason: `The upstream answers ${words}`, quota };
    },
  };
}

/** Returns the quotas that the header fields of an answer state, one for each group of fields. */
function statedQuotas(headers: Headers, now: UtcMillis): QuotaStatement[] {
  const groups = ["X-RateLimit", "RateLimit", "X-Rate-Limit"].map((name) => {
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((field) => headers.get(`${name}-${field}`));
    return { limit: numberIn(limit!), remaining: numberIn(remaining!), resetsAt: timeIn(reset!, now) };
  });
  // The IETF's draft: RateLimit: "daily";r=12;t=36400 with RateLimit-Policy: "daily";q=50;w=86400.
  const limits = new Map(itemsOf(headers.get("RateLimit-Policy")).map(({ name, q }) => [name, q]));
  const items = itemsOf(headers.get("RateLimit")).map(({ name, r, t }) => ({
    limit: limits.get(name),
    remaining: r,
    resetsAt: t === undefined ? t : now + t * 1_000,
  }));
  return [...groups, ...items].filter((one): one is QuotaStatement => one.remaining !== undefined);
}

type QuotaItem = { readonly name: string } & Readonly<Partial<Record<"q" | "r" | "t", number>>>;

function itemsOf(text: string | null): readonly QuotaItem[] {
  const items = (text ?? "").slice(0, 1_000).matchAll(/(?<![\w-])([\w-]+)"?((?:\s*;\s*\w+=\d{1,15})+)/g);
  return Array.from(items, ([, name = "", parameters = ""]) => {
    const numbers = Array.from(parameters.matchAll(/\b(\w+)=(\d+)/g), ([, key = "", value]) => [key, Number(value)]);
    return { name, ...Object.fromEntries(numbers) };
  });
}

/** The path of the latest values, or of a request for history. */
export function pricesPath(wanted: HistoryRequest | undefined): string {
  if (!wanted) return "/api/v1/assets";
  const { code, from, to } = wanted;
  return `/api/v1/assets/${encodeURIComponent(code)}/history?from=${dateOfDayNumber(from)}&to=${dateOfDayNumber(to)}`;
}

/** The members of a JSON object; empty for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A text of the upstream or of an error, short and on one line. */
function shown(text: string): string {
  const line = text.slice(0, 10 * SHOWN_CHARACTERS).replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return maskKeys(line).slice(0, SHOWN_CHARACTERS);
}

/** Parses JSON and cleans its texts; `undefined` for other text, and for JSON larger than any answer of the API. */
function parsed(text: string, clean: (text: string) => string): unknown {
  if (!isModestJson(text, MODEST)) return undefined;
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? clean(value) : value));
  } catch {
    return undefined;
  }
}
