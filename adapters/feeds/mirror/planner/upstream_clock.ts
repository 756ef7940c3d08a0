import { HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { UtcClock, UtcMillis } from "../../../../core/mod.ts";

/** If the clocks are further apart, the day is uncertain, and no requests are sent. */
const MAX_APART_MS = 36 * HOUR_MS;
/** An answer with an old time is from a cache. If all answers lag equally for hours, the upstream's clock was set back. */
const [SAME_LAG_MS, SET_BACK_MS] = [2 * MINUTE_MS, 6 * HOUR_MS];
/** A larger difference between this machine's clock and the elapsed time shows that the clock was set. */
const NOT_SET_MS = 5_000;

/**
 * Derives the upstream's clock from this machine's clock, the elapsed milliseconds, and the upstream's answers. `start`
 * is the last known time of the upstream, and how far the upstream's clock was ahead at that time.
 */
export function createUpstreamClock(
  { clock, elapsed }: Readonly<{ clock: UtcClock; elapsed: () => number }>,
  start: Readonly<{ time: number | undefined; aheadMs: number }>,
) {
  const { time = 0, aheadMs } = start;
  const begin = { time, here: time - aheadMs, at: elapsed() };
  let known: typeof begin | undefined = time > 0 ? begin : undefined;
  let isHeard = false;
  /** The latest answers with similar lags: the lag of the first one, the smallest lag, and when the first one came. */
  let lag = { first: Infinity, least: Infinity, since: 0 };
  let last = { time: Number.NaN, at: 0 };
  let hasMoved = false;

  return {
    /** How far the upstream's clock is ahead of this machine's. */
    aheadMs: (): number => (known ? known.time - known.here : aheadMs),
    /** Whether an answer arrived in the last minute, and this machine's clock has not been set since. */
    isRecent(): boolean {
      const passed = elapsed() - (known?.at ?? 0);
      return isHeard && passed < MINUTE_MS && Math.abs(clock() - known!.here - passed) < NOT_SET_MS;
    },
    /** Returns how an answer moves the clock; `undefined` if the clocks are too far apart. */
    hear(time: UtcMillis): { readonly jumpMs: number; readonly isStill: boolean } | undefined {
      const [here, at] = [clock(), elapsed()];
      const passed = at - (known?.at ?? at);
      const least = known ? known.time + passed : time;
      const isStill = time === last.time && at - last.at >= MINUTE_MS;
      hasMoved ||= time !== last.time && !Number.isNaN(last.time);
      if (time !== last.time) last = { time, at };
      const behind = least - time;
      if (behind <= 0 || Math.abs(behind - lag.first) > SAME_LAG_MS) lag = { first: behind, least: behind, since: at };
      lag = { ...lag, least: Math.min(lag.least, behind) };
      const isOld = isStill || (behind > 0 && at - lag.since < SET_BACK_MS);
      // If all answers so far stated the same time, a cache may have kept it for long: the given `aheadMs` is better.
      const believed = isStill && !hasMoved ? here + aheadMs : least;
      const next = isOld ? believed : least - lag.least;
      if (Math.abs(next - here) > MAX_APART_MS) return undefined;
      // After sleep, only the machine's clock has advanced correctly; after the clock was set, only `elapsed` has.
      const ahead = known ? next - known.time - Math.max(passed, here - known.here) : 0;
      [known, isHeard] = [{ time: next, here, at }, true];
      return { jumpMs: Math.max(0, ahead) + Math.min(0, next - least), isStill };
    },
  };
}
