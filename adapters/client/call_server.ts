import { differenceFrom, type Shape } from "../../core/client_entry.ts";
import type { ClientSettings } from "./client_options.ts";
import { type AnswerHead, failureOf, unexpected } from "./failures.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { withRetries } from "./retry.ts";
import { type Received, request } from "./send_request.ts";

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes the functions that call the server. */
export function createAsk(settings: ClientSettings) {
  const { base, key, retries } = settings;
  let quota: Quota | undefined;
  // Hides the key, because a server may repeat it in its error message or request id, and programs log both.
  const mask = (_: string, value: unknown): unknown =>
    key && typeof value === "string" ? value.replaceAll(key, "…") : value;

  function bodyOf({ response, text }: Received, shape: Shape): unknown {
    quota = quotaOf(response.headers) ?? quota;
    const head: AnswerHead = {
      status: response.status,
      headers: { get: (name) => mask("", response.headers.get(name)) as string | null },
    };
    if (response.status !== 200) throw failureOf(head, parse(text, mask), head.headers.get("Location"));
    const body = parse(text);
    const difference = body === undefined ? ": wanted JSON" : differenceFrom(shape, body);
    if (difference !== undefined) throw unexpected(head, `Unexpected body${difference}`);
    return body;
  }

  return {
    /**
     * Requests a path and query below `/api/v1`, and returns the body. Only the fields of the shape are checked. The
     * other fields of `Body` are trusted to follow the contract. Throws a `PriceError`, or the reason of the signal.
     */
    async get<Body>(target: string, shape: Shape, { signal }: CallOptions = {}, withKey = true): Promise<Body> {
      const headers: Record<string, string> = key && withKey ? { "X-API-Key": key } : {};
      const sent = { url: `${base}/api/v1${target}`, headers, signal };
      return (await withRetries(async () => bodyOf(await request(settings, sent), shape), retries, signal)) as Body;
    },
    /** The quota from the last answer that reported it. */
    quota: () => quota,
  };
}

function parse(text: string, change?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, change);
  } catch {
    return undefined;
  }
}
