import type { UtcMillis } from "../brand.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";

/** Open, high, low, close of one interval, in the asset's quote unit. */
export interface Candle {
  /** Start, included; a multiple of the interval since 1970-01-01T00:00:00Z. */
  readonly start: UtcMillis;
  /** End, excluded: start plus interval. */
  readonly end: UtcMillis;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Observations in the candle, at least 1. */
  readonly observationCount: number;
}

/** The names of the candle intervals. */
export type Interval = "15m" | "1h" | "4h" | "1d";

/** The candle intervals by name, with their width in milliseconds. Source: contract, Endpoints 6. */
export const INTERVALS: ReadonlyMap<string, number> = new Map<Interval, number>([
  ["15m", 15 * MINUTE_MS],
  ["1h", HOUR_MS],
  ["4h", 4 * HOUR_MS],
  ["1d", DAY_MS],
]);

/**
 * Folds observations into candles aligned to the UTC epoch, in one pass.
 *
 * @param times Business times, strictly ascending.
 * @param values Values in the asset's quote unit, as many as `times`.
 * @param widthMs Candle width in milliseconds, e.g. 3_600_000 for `1h`.
 * @returns Candles ascending by start; buckets without an observation are left out.
 */
export function foldCandles(times: Float64Array, values: Float64Array, widthMs: number): Candle[] {
  const candles: Candle[] = [];
  let i = 0;
  while (i < times.length) {
    const start = Math.floor(times[i]! / widthMs) * widthMs;
    const end = start + widthMs;
    const first = i;
    const open = values[i]!;
    let high = open;
    let low = open;
    for (i++; i < times.length && times[i]! < end; i++) {
      const value = values[i]!;
      if (value > high) high = value;
      else if (value < low) low = value;
    }
    const close = values[i - 1]!;
    candles.push({ start: start as UtcMillis, end: end as UtcMillis, open, high, low, close, observationCount: i - first });
  }
  return candles;
}

/** Whether the candle's interval is over, so that only late observations can still change it. */
export function isComplete(candle: Candle, now: UtcMillis): boolean {
  return now >= candle.end;
}
