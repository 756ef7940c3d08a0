import { type Failure, failure } from "../http/errors.ts";

/** Limits how many requests each caller may send in a short time. Made by `createRequestRate`. */
export interface RequestRate {
  /**
   * Takes a request of a caller.
   *
   * @param name Stands for the caller: the id of a key, or what is made of an address.
   * @param nowMs Milliseconds, from any start.
   * @returns 0 if the request is allowed, else the milliseconds until the next one is. A refused request takes nothing.
   */
  take(name: string, nowMs: number): number;
}

const NOTATION = /^(\d{1,7})\/([smh])(?::(\d{1,7}))?$/;
const MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Callers in memory, about 100 bytes each. Beyond that the one goes that has asked for nothing for longest: its bucket is the fullest. */
const MAX_CALLERS = 50_000;
/** Requests that are answered in parallel can come here in another order than their times have. */
const SET_BACK_MS = 1_000;

/**
 * Makes a token bucket for each caller: it lets `burst` requests through at once, and then as many as the rate says.
 *
 * @param rate `10/s`, `600/m` or `1000/h`: so many may come at once, too. `10/s:50` says the burst.
 * @throws RangeError for another text.
 */
export function createRequestRate(rate: string): RequestRate {
  const [, count = "", unit = "", burst = count] = NOTATION.exec(rate) ?? [];
  if (Number(count) < 1 || Number(burst) < 1)
    throw new RangeError(
      `Cannot limit requests as the rate must be one such as 10/s, 600/m or 10/s:50: received "${rate}"`,
    );
  const msPerRequest = MS[unit]! / Number(count);
  const burstMs = msPerRequest * Number(burst);
  // For each caller the time at which its bucket is full again, on a clock of our own that never runs backwards; the one that
  // has asked last stands last.
  const fullAt = new Map<string, number>();
  let lastMs: number | undefined;
  let now = 0;

  function advance(nowMs: number): void {
    lastMs ??= nowMs;
    // A clock that was set back only stops the time: whoever has requests left keeps them.
    if (nowMs <= lastMs && nowMs > lastMs - SET_BACK_MS) return;
    now += Math.max(0, nowMs - lastMs);
    lastMs = nowMs;
  }

  return {
    take(name, nowMs) {
      advance(nowMs);
      const full = Math.max(now, fullAt.get(name) ?? 0) + msPerRequest;
      const waitMs = full - burstMs - now;
      // A rate such as 3/s has no exact number of milliseconds.
      if (waitMs > 1e-3) return waitMs;
      fullAt.delete(name);
      fullAt.set(name, full);
      if (fullAt.size > MAX_CALLERS) fullAt.delete(fullAt.keys().next().value!);
      return 0;
    },
  };
}

/** The refusal of a request that came too soon after others of the same key, or of the same address. */
export function rateLimited(waitMs: number, by: "key" | "address"): Failure {
  const whose = by === "key" ? "with this key" : "from this address";
  const message = `Too many requests ${whose} in a short time; Retry-After says when to go on, and no unit was taken`;
  return failure("RATE_LIMITED", message, ["Retry-After", String(Math.ceil(waitMs / 1_000))]);
}
