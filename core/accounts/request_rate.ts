import { type Failure, failure } from "../http/errors.ts";

/** Limits the request rate of each caller. Made by `createRequestRate`. */
export interface RequestRate {
  /**
   * Counts a request of a caller, unless it is refused.
   *
   * @param name The caller: the id of a key, or a network address.
   * @param nowMs Milliseconds since any fixed point in time.
   * @returns `0` if the request is allowed, else the milliseconds until the next request is allowed.
   */
  take(name: string, nowMs: number): number;
}

const NOTATION = /^(\d{1,7})\/([smh])(?::(\d{1,7}))?$/;
const MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** The maximum number of callers in memory, about 100 bytes each. Beyond it, the longest idle caller is dropped. */
const MAX_CALLERS = 50_000;
/** If `nowMs` falls by less than this, requests arrived out of order. If it falls more, the clock was set back. */
const SET_BACK_MS = 1_000;

/**
 * Makes a token bucket for each caller. Throws `RangeError` for an invalid rate.
 *
 * @param rate `10/s`, `600/m` or `1000/h`, with a burst of the same size, or `10/s:50` with a burst of 50.
 */
export function createRequestRate(rate: string): RequestRate {
  const [, count = "", unit = "", burst = count] = NOTATION.exec(rate) ?? [];
  if (Number(count) < 1 || Number(burst) < 1)
    throw new RangeError(
      `Cannot limit requests because the rate must look like 10/s, 600/m or 10/s:50: received "${rate}"`,
    );
  const msPerRequest = MS[unit]! / Number(count);
  const burstMs = msPerRequest * Number(burst);
  // For each caller, the time at which its bucket is full again. The latest callers come last.
  // The times are values of `now`, which never decreases.
  const fullAt = new Map<string, number>();
  let lastMs: number | undefined;
  let now = 0;

  return {
    take(name, nowMs) {
      lastMs ??= nowMs;
      // If the clock is set back, `now` and all buckets stay as they are.
      if (nowMs > lastMs || nowMs <= lastMs - SET_BACK_MS) {
        now += Math.max(0, nowMs - lastMs);
        lastMs = nowMs;
      }
      const full = Math.max(now, fullAt.get(name) ?? 0) + msPerRequest;
      const waitMs = full - burstMs - now;
      // Ignores rounding errors, which occur with rates such as 3/s.
      if (waitMs > 1e-3) return waitMs;
      fullAt.delete(name);
      fullAt.set(name, full);
      if (fullAt.size > MAX_CALLERS) fullAt.delete(fullAt.keys().next().value!);
      return 0;
    },
  };
}

/** The refusal of a request that exceeds the rate of its key or address. */
export function rateLimited(waitMs: number, by: "key" | "address"): Failure {
  const whose = by === "key" ? "with this key" : "from this address";
  const message = `Too many requests ${whose} in a short time; Retry-After says when to try again, and no unit was taken`;
  return failure("RATE_LIMITED", message, ["Retry-After", String(Math.ceil(waitMs / 1_000))]);
}
