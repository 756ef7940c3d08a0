import { PriceError } from "../../core/client_entry.ts";
import { withSignal } from "./with_signal.ts";

/** The maximum wait between two requests, even if `Retry-After` asks for more. */
const MAX_WAIT_MS = 10_000;

/** Repeats a request after a network failure, 502, 503 or 504. Obeys `Retry-After` up to ten seconds. */
export async function withRetries<Value>(
  act: () => Promise<Value>,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Value> {
  for (let tries = 0; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (tries >= retries || !(error instanceof PriceError) || !isTemporary(error)) throw error;
      // Half of the wait is random, so that many clients do not retry at the same moment.
      const { retryAfterSeconds = 0.25 * 2 ** tries * (0.5 + Math.random()) } = error;
      await wait(Math.min(MAX_WAIT_MS, retryAfterSeconds * 1_000), signal);
    }
  }
}

function isTemporary({ code, status }: PriceError): boolean {
  return code === "NETWORK_ERROR" || (status > 501 && status < 505);
}

/** Waits. Rejects with the reason of the signal once the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await withSignal(signal, () => new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
  } finally {
    clearTimeout(timer);
  }
}
