import { isModestJson, maskKeys, parseTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { numberIn, retryAfterOf, timeIn } from "../../client/quota.ts";
import { request } from "../../client/send_request.ts";
import type { QuotaStatement } from "./planner/mod.ts";

/** What came of a request. All of it is input from outside; texts are without the key. */
export type Heard = {
  readonly quota: readonly QuotaStatement[];
} /** 200 with a JSON body; 404 in the contract's own words is an empty list. */ & (
  | { readonly kind: "answered"; readonly body: unknown }
  /** No more requests for now: 429, 402, 503 with Retry-After, or whatever has one of the API's codes for that. */
  | { readonly kind: "limited"; readonly retryAfterMs: number | undefined }
  /** 401 or 403 with an error code of the API: the key is not taken. For history alone, 403 is a failure of it. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Anything else, as a sentence without a full stop. */
  | { readonly kind: "failed"; readonly reason: string }
);

/** A request that takes longer has failed. Before each end of a day, time is left for two: the question for the time, and the request itself. */
const TIMEOUT_MS = 15_000;
/** The answer with all assets of the contract has 60 kB. */
const MAX_BYTES = 4 * 1_048_576;
/** No answer of the API has so many lists and objects, or so many within each other. */
const MODEST = { parts: 20_000, depth: 16 };
const SHOWN_CHARACTERS = 300;
const LIMIT_CODES: readonly string[] = ["QUOTA_EXCEEDED", "RATE_LIMITED"];
const REDIRECT =
  "The upstream redirects to another address, which is not followed, as the key must not travel: check the URL";

/** Where a mirror gets its prices; `base` has no slash at its end, `now` is the upstream's time. */
export function createUpstream(base: string, { send, now }: Readonly<{ send: typeof fetch; now: () => UtcMillis }>) {
  /** The answer to a request, its body without the key; a text says why there is none. */
  async function get(path: string, fields: Record<string, string>, signal: AbortSignal) {
    const key = fields["X-API-Key"] ?? "";
    const clean = (text: string): string => (key === "" ? text : text.replaceAll(key, "…"));
    try {
      const settings = { send, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
      const { response, text } = await request(settings, {
        url: `${base}${path}`,
        headers: { Accept: "application/json", ...fields },
        signal,
      });
      const { status, headers, type } = response;
      // The message leaves the address out: whoever answers here may redirect anywhere, and write the key into it.
      return type === "opaqueredirect" || (status >= 300 && status < 400)
        ? REDIRECT
        : { status, headers, body: parsed(text, clean) };
    } catch (error) {
      return shown(clean(error instanceof Error ? error.message : String(error)));
    }
  }

  return {
    /** The upstream's time, by its status route: free, and without the key. A text says why there is none. */
    async time(signal: AbortSignal): Promise<UtcMillis | string> {
      // A cache in between would tell an earlier time, and so perhaps another day.
      const answer = await get("/api/v1/status", { "Cache-Control": "no-cache" }, signal);
      if (typeof answer === "string") return answer;
      if (answer.status !== 200)
        return `The upstream answers ${answer.status} for its status${answer.status === 404 ? ": check the URL" : ""}`;
      const { serverTime, status } = membersOf(answer.body);
      const time = typeof serverTime === "string" ? parseTimestamp(serverTime)?.millis : undefined;
      if (time === undefined) return "The upstream's status does not tell its time: check the URL";
      return status === "UNAVAILABLE" ? "The upstream says that it cannot serve just now" : time;
    },
    /** Asks with the key; `path` is what follows the base URL. Never rejects. */
    async ask(path: string, key: string, signal: AbortSignal): Promise<Heard> {
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
      // A firewall in front of the upstream answers with the same status but without a code, and usually not for long.
      const isRefused = hasCode && (status === 401 || (status === 403 && !path.includes("/history")));
      return isRefused
        ? { kind: "refused", reason: `The upstream refuses the key (${words})`, quota }
        : { kind: "failed", reason: `The upstream answers ${words}`, quota };
    },
  };
}

/** What the header fields of an answer tell of units, each group of fields for itself. */
function statedQuotas(headers: Headers, now: UtcMillis): QuotaStatement[] {
  const groups = ["X-RateLimit", "RateLimit", "X-Rate-Limit"].map((name) => {
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((field) => headers.get(`${name}-${field}`));
    return { limit: numberIn(limit!), remaining: numberIn(remaining!), resetsAt: timeIn(reset!, now) };
  });
  // As of the IETF's draft: RateLimit: "daily";r=12;t=36400 with RateLimit-Policy: "daily";q=50;w=86400.
  const limits = new Map(itemsOf(headers.get("RateLimit-Policy")).map(({ name, q }) => [name, q]));
  const items = itemsOf(headers.get("RateLimit")).map(({ name, r, t }) => ({
    limit: limits.get(name),
    remaining: r,
    resetsAt: t === undefined ? t : now + t * 1_000,
  }));
  return [...groups, ...items].filter((one): one is QuotaStatement => one.remaining !== undefined);
}

function itemsOf(
  text: string | null,
): readonly { readonly name: string; readonly q?: number; readonly r?: number; readonly t?: number }[] {
  return [...(text ?? "").slice(0, 1_000).matchAll(/(?<![\w-])([\w-]+)"?((?:\s*;\s*\w+=\d{1,15})+)/g)].map(
    ([, name = "", parameters = ""]) => {
      return {
        name,
        ...Object.fromEntries(
          [...parameters.matchAll(/\b(\w+)=(\d+)/g)].map(([, key = "", value]) => [key, Number(value)]),
        ),
      };
    },
  );
}

/** The members of a JSON object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A text of the upstream, or of an error, for people: on one line, and short. */
function shown(text: string): string {
  return maskKeys(text.slice(0, 10 * SHOWN_CHARACTERS).replace(/[\p{Cc}\u2028\u2029]+/gu, " ")).slice(
    0,
    SHOWN_CHARACTERS,
  );
}

/** The value of a JSON text whose texts are cleaned; `undefined` for no JSON, and for more of it than the API has. */
function parsed(text: string, clean: (text: string) => string): unknown {
  if (!isModestJson(text, MODEST)) return undefined;
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? clean(value) : value));
  } catch {
    return undefined;
  }
}
