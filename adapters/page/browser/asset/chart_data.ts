// Candles as the chart draws them.
import type { PriceCandle } from "../../../../core/mod.ts";
import type { MarketRow } from "../../market_summary.ts";

/** One candle, or one point of the line: its close. In the unit of the API. */
export interface Bar extends Pick<PriceCandle, "open" | "high" | "low" | "close"> {
  /** Start of its interval, in milliseconds. */
  readonly time: number;
  /** Whether its interval is not over yet. */
  readonly isRunning: boolean;
}

/** Candles as bars in the same unit and order. */
export function barsOf(candles: readonly PriceCandle[]): readonly Bar[] {
  return candles.map(({ start, open, high, low, close, complete }) => ({ time: Date.parse(start), open, high, low, close, isRunning: !complete }));
}

/** Whether bars are better drawn as candles: at least two thirds have a height. A row of dashes says less than a line. */
export function areCandles(bars: readonly Bar[]): boolean {
  return bars.filter(({ high, low }) => high !== low).length * 3 >= bars.length * 2;
}

/** The gaps between bars that are longer than two intervals: the times of the last bar before each and the first after it. */
export function gapsOf(bars: readonly Bar[], widthMs: number): readonly { readonly from: number; readonly to: number }[] {
  return bars.slice(1).flatMap(({ time }, at) => {
    const from = bars[at]!.time;
    return time - from > 3 * widthMs ? [{ from, to: time }] : [];
  });
}

/** The times of all intervals from the first bar to the last, also of those without one, so that a chart gives time its true width. */
export function slotsOf(bars: readonly Bar[], widthMs: number): readonly number[] {
  const [first, last] = [bars[0], bars.at(-1)];
  return first === undefined ? [] : Array.from({ length: Math.round((last!.time - first.time) / widthMs) + 1 }, (_, at) => first.time + at * widthMs);
}

/** The bars with a latest value that came after them: within the last bar, or as a new one. Older values change nothing. */
export function withLatest(bars: readonly Bar[], latest: Pick<MarketRow, "value" | "businessTime"> | undefined, widthMs: number): readonly Bar[] {
  const last = bars.at(-1);
  if (last === undefined || latest === undefined) return bars;
  const { value, businessTime } = latest;
  const start = Math.floor(Date.parse(businessTime) / widthMs) * widthMs;
  if (start < last.time) return bars;
  const begun: Bar = { time: start, open: value, high: value, low: value, close: value, isRunning: true };
  if (start > last.time) return [...bars.slice(0, -1), { ...last, isRunning: false }, begun];
  if (!last.isRunning || last.close === value) return bars;
  return [...bars.slice(0, -1), { ...last, close: value, high: Math.max(last.high, value), low: Math.min(last.low, value) }];
}

/** The lowest low and the highest high. */
export function extremesOf(bars: readonly Bar[]): { readonly low: number; readonly high: number } {
  return bars.reduce(({ low, high }, bar) => ({ low: Math.min(low, bar.low), high: Math.max(high, bar.high) }), { low: Infinity, high: -Infinity });
}

/** Decimals that tell prices of this size apart on an axis: five significant digits, at most 12 decimals. */
export function axisDecimals(highest: number): number {
  return highest > 0 ? Math.min(12, Math.max(0, 4 - Math.floor(Math.log10(highest)))) : 0;
}
