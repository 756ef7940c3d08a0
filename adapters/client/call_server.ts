import { differenceFrom, type Shape } from "../../core/client_entry.ts";
import type { ClientSettings } from "./client_options.ts";
import { type AnswerHead, failureOf, unexpected } from "./failures.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { withRetries } from "./retry.ts";
import { request } from "./send_request.ts";

/** Asks the server. */
export interface Ask {
  /**
   * The body of the answer to this path and query below `/api/v1`. Throws a `PriceError`, also for a body of another
   * shape, or the reason of the signal. The shape is what a client relies on; the further fields of `Body` are the
   * contract's promise.
   */
  get<Body>(target: string, shape: Shape, options?: CallOptions, withKey?: boolean): Promise<Body>;
  /** What the last answer that mentioned it said. */
  quota(): Quota | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes the function that asks, for settings. */
export function createAsk(settings: ClientSettings): Ask {
  const { base, key, retries } = settings;
  let quota: Quota | undefined;
  // A server may repeat the key in its message or its request id, which go into logs.
  const mask = (_: string, value: unknown): unknown =>
    key && typeof value === "string" ? value.replaceAll(key, "…") : value;

  async function once(
    target: string,
    shape: Shape,
    { signal, withKey }: CallOptions & { withKey: boolean },
  ): Promise<unknown> {
    const headers: Record<string, string> = key && withKey ? { "X-API-Key": key } : {};
    const { response, text } = await request(settings, { url: `${base}/api/v1${target}`, headers, signal });
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
    get: async <Body>(target: string, shape: Shape, { signal }: CallOptions = {}, withKey = true) =>
      (await withRetries(() => once(target, shape, { signal, withKey }), retries, signal)) as Body,
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
