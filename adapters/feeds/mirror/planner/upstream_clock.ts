import { HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { UtcClock, UtcMillis } from "../../../../core/mod.ts";

/** Clocks further apart are no basis for a plan: nobody knows what day it is. */
const MAX_APART_MS = 36 * HOUR_MS;
/** An answer that is too old comes from a cache, unless it is too old by the same time for hours: then the clock was set back. */
const [SAME_LAG_MS, SET_BACK_MS] = [2 * MINUTE_MS, 6 * HOUR_MS];
/** Between two answers, this machine's clock and the time passed differ by less, unless the clock was set. */
const NOT_SET_MS = 5_000;

/**
 * The upstream's clock, from this machine's, the milliseconds that have passed by `elapsed`, and the upstream's answers.
 * `start`: a time of the upstream that was known before, and how far it was ahead then.
 */
export function createUpstreamClock(
  { clock, elapsed }: Readonly<{ clock: UtcClock; elapsed: () => number }>,
  start: Readonly<{ time: number | undefined; aheadMs: number }>,
) {
  const { time = 0, aheadMs } = start;
  const begin = { time, here: time - aheadMs, at: elapsed() };
  let known: typeof begin | undefined = time > 0 ? begin : undefined;
  let isHeard = false;
  /** How far answers were behind: the first of about the same, and the least. */
  let lag = { first: Infinity, least: Infinity, since: 0 };
  let last = { time: Number.NaN, at: 0 };
  let hasMoved = false;

  return {
    /** How far the upstream's clock is ahead. */
    aheadMs: (): number => (known ? known.time - known.here : aheadMs),
    /** Whether an answer came in the last minute, and this machine's clock was not set since. */
    isRecent(): boolean {
      const passed = elapsed() - (known?.at ?? 0);
      return isHeard && passed < MINUTE_MS && Math.abs(clock() - known!.here - passed) < NOT_SET_MS;
    },
    /** Takes over an answer: by how much the clock has jumped, and whether it stands still. `undefined` if the clocks are too far apart. */
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
      // The only time that was ever answered may be of any age.
      const believed = isStill && !hasMoved ? here + aheadMs : least;
      const next = isOld ? believed : least - lag.least;
      if (Math.abs(next - here) > MAX_APART_MS) return undefined;
      // A machine that has slept knows the time passed by its clock alone, and one whose clock was set by `elapsed` alone.
      const ahead = known ? next - known.time - Math.max(passed, here - known.here) : 0;
      [known, isHeard] = [{ time: next, here, at }, true];
      return { jumpMs: Math.max(0, ahead) + Math.min(0, next - least), isStill };
    },
  };
}
