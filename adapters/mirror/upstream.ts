import { maskKeys, parseTimestamp } from "../../core/internal.ts";
import type { QuotaTold } from "../../core/mirror/mod.ts";
import { PriceError } from "../../core/mod.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { quotaOf, retryAfterOf } from "../client/quota.ts";
import { request } from "../client/request.ts";

/** What came of a request. All of it is input from outside. */
export type Heard =
  /** 200 with a JSON body. */
  | { readonly kind: "body"; readonly body: unknown; readonly quota: QuotaTold | undefined }
  /** 404 in the contract's own words: there is no such record. */
  | { readonly kind: "nothing"; readonly quota: QuotaTold | undefined }
  /** 429: no more requests for now. */
  | { readonly kind: "rest"; readonly retryAfterMs: number | undefined; readonly quota: QuotaTold | undefined }
  /** 401 or 403 with an error code of the API: the key is not taken. `message` goes on after "as". */
  | { readonly kind: "refused"; readonly message: string }
  /** Anything else, as a sentence without a full stop. `isAnswered` tells whether the whole answer came. */
  | { readonly kind: "failed"; readonly reason: string; readonly isAnswered: boolean; readonly quota?: QuotaTold | undefined };

/** Where a mirror gets its prices. */
export interface Upstream {
  /** The upstream's time, by its status route: free, and without the key. A text says why there is none. */
  time(signal: AbortSignal): Promise<UtcMillis | string>;
  /** Asks with the key; `path` is what follows the base URL. Never rejects. */
  ask(path: string, signal: AbortSignal): Promise<Heard>;
}

/** A request that takes longer has failed. Before each midnight, time is left for two: the question for the time, and the request itself. */
const TIMEOUT_MS = 15_000;
const SHOWN_CHARACTERS = 300;
const STATUS = "/api/v1/status";

/** @param baseUrl Without a slash at its end. */
export function createUpstream(baseUrl: string, key: string, send: typeof fetch): Upstream {
  const settings = { send, timeoutMs: TIMEOUT_MS };
  const headers = { Accept: "application/json", "X-API-Key": key };

  /** A text of the upstream, or of an error, for people: on one line, short, and without the key. */
  function shown(text: string): string {
    return maskKeys(text.split(key).join("…").replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, SHOWN_CHARACTERS));
  }

  /** A redirect in words: the address without the path that was asked for is what one may mirror. */
  function redirectOf({ headers }: Response, path: string): string {
    const location = headers.get("Location");
    const to = location !== null && URL.canParse(location, baseUrl) ? new URL(location, baseUrl).href : undefined;
    if (to === undefined) return "The upstream redirects to another address, which is not followed, as the key must not travel: check the URL";
    const base = to.endsWith(path) ? to.slice(0, -path.length) : undefined;
    const advice = base === undefined ? "check the URL" : `if that is the right one, start with --mirror ${base}`;
    return shown(`The upstream redirects to "${base ?? to}", which is not followed, as the key must not travel: ${advice}`);
  }

  return {
    async time(signal) {
      try {
        // A cache in between would tell an earlier time, and so perhaps another day.
        const fresh = { Accept: "application/json", "Cache-Control": "no-cache" };
        const { response, text } = await request(settings, { url: `${baseUrl}${STATUS}`, headers: fresh, signal });
        if (isRedirect(response)) return redirectOf(response, STATUS);
        if (response.status !== 200) return `The upstream answers ${response.status} for its status${response.status === 404 ? ": check the URL" : ""}`;
        const { serverTime, status } = membersOf(parsed(text));
        const time = typeof serverTime === "string" ? parseTimestamp(serverTime)?.millis : undefined;
        if (time === undefined) return "The upstream's status does not tell its time: check the URL";
        return status === "UNAVAILABLE" ? "The upstream says that it cannot serve just now" : time;
      } catch (error) {
        return shown(reasonOf(error));
      }
    },
    async ask(path, signal) {
      try {
        const { response, text } = await request(settings, { url: `${baseUrl}${path}`, headers, signal });
        const { status } = response;
        if (isRedirect(response)) return { kind: "failed", reason: redirectOf(response, path), isAnswered: true };
        const body = parsed(text);
        const quota = toldBy(response.headers);
        if (status === 200) return body === undefined ? { kind: "failed", reason: "The answer is not JSON", isAnswered: true, quota } : { kind: "body", body, quota };
        const { code, message } = membersOf(body);
        const words = shown(`${status}${typeof code === "string" ? ` ${code}` : ""}${typeof message === "string" ? `: ${message}` : ""}`);
        if (status === 429) return { kind: "rest", retryAfterMs: millisOf(retryAfterOf(response.headers)), quota };
        // A firewall in front of the upstream answers with the same status but without a code, and usually not for long.
        if ((status === 401 || status === 403) && typeof code === "string") return { kind: "refused", message: refusalOf(code, words) };
        if (status === 404 && typeof code === "string" && code !== "ROUTE_NOT_FOUND") return { kind: "nothing", quota };
        return { kind: "failed", reason: `The upstream answers ${words}`, isAnswered: true, quota };
      } catch (error) {
        // The connection may have broken at any point, unless the failure is about the answer itself.
        return { kind: "failed", reason: shown(reasonOf(error)), isAnswered: error instanceof PriceError && error.code === "UNEXPECTED_ANSWER" };
      }
    },
  };
}

/** The members of a JSON object; none of anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function refusalOf(code: string, words: string): string {
  return code === "ACCESS_RESTRICTED" ? `the upstream has restricted the account of the key: its operator can tell why (${words})` : `the upstream refuses the key (${words})`;
}

function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function toldBy(headers: Headers): QuotaTold | undefined {
  const quota = quotaOf(headers);
  if (!quota) return undefined;
  const { limit, remaining, resetsAt } = quota;
  return { limit, remaining, resetsAt: resetsAt.getTime() as UtcMillis };
}

function millisOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
