import { exchange } from "./exchange.ts";
import { failureOf, unexpected } from "./failures.ts";
import { quotaOf } from "./quota.ts";
import type { Quota } from "./quota.ts";
import { withRetries } from "./retry.ts";
import type { ClientSettings } from "./settings.ts";
import { differenceFrom } from "./shapes.ts";
import type { Shape } from "./shapes.ts";

/** Asks the server. */
export interface Ask {
  /** The body of the answer to `GET /api/v1` with this target, which has the shape. Throws a `PriceError`. */
  get(target: string, shape: Shape, signal: AbortSignal | undefined, withKey?: boolean): Promise<unknown>;
  /** What the last answer to tell it told. */
  quota(): Quota | undefined;
}

/** Makes the function that asks, for settings. */
export function createAsk(settings: ClientSettings): Ask {
  const { base, key, retries } = settings;
  let quota: Quota | undefined;
  const hide = (text: string): string => (key === undefined ? text : text.replaceAll(key, "…"));

  async function once(target: string, shape: Shape, signal: AbortSignal | undefined, withKey: boolean): Promise<unknown> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (withKey && key !== undefined) headers["X-API-Key"] = key;
    const { response, text } = await exchange(settings, `${base}/api/v1${target}`, headers, signal);
    quota = quotaOf(response.headers) ?? quota;
    const body = parse(text);
    if (response.status !== 200) throw failureOf(response, body, hide);
    if (body === undefined) throw unexpected(response, "The answer is no JSON");
    const difference = differenceFrom(shape, body);
    if (difference !== undefined) throw unexpected(response, `The answer has another shape: ${difference}`);
    return body;
  }

  return {
    get: (target, shape, signal, withKey = true) => withRetries(() => once(target, shape, signal, withKey), retries, signal),
    quota: () => quota,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
