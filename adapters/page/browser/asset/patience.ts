import { PriceError } from "../../../client/mod.ts";

const MAX_WAITS = 5;
const LONGEST_WAIT_SECONDS = 10;

/**
 * Loads a value. Where the server answers that requests came too fast, which costs nothing, waits as long as it says and
 * loads again, at most five times: a table of years asks dozens of times in a row.
 */
export async function patiently<Value>(load: () => Promise<Value>): Promise<Value> {
  for (let waits = 0; ; waits++) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof PriceError) || error.code !== "RATE_LIMITED" || waits >= MAX_WAITS) throw error;
      const seconds = Math.min(LONGEST_WAIT_SECONDS, error.retryAfterSeconds ?? 1);
      await new Promise((done) => setTimeout(done, seconds * 1_000));
    }
  }
}
