import { PriceError } from "../../core/mod.ts";

const FIRST_WAIT_MS = 250;
/** Longest wait between two requests, whatever the server asks for. */
const MAX_WAIT_MS = 10_000;

/**
 * Repeats an act after a failure that may be over soon: of the network, or 502, 503 or 504. Waits as long as
 * `Retry-After` says, at most ten seconds. Rejects with the reason of `signal` once it is aborted.
 */
export async function withRetries<Value>(act: () => Promise<Value>, retries: number, signal: AbortSignal | undefined): Promise<Value> {
  for (let tries = 0; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (tries >= retries || !(error instanceof PriceError) || !isPassing(error)) throw error;
      // Half of it by chance, so that many clients do not come back at once.
      const backOff = FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random());
      await wait(Math.min(MAX_WAIT_MS, error.retryAfterSeconds === undefined ? backOff : error.retryAfterSeconds * 1_000), signal);
    }
  }
}

function isPassing({ code, status }: PriceError): boolean {
  return code === "NETWORK_ERROR" || (status >= 502 && status <= 504);
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort);
  });
}
