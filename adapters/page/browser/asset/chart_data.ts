// Candles and daily values as the chart draws them.
import type { PriceCandle } from "../../../../core/mod.ts";

/** One point of the chart, in the displayed unit. */
export interface Bar {
  /** Start of the bucket, or the business time of a daily value: milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Observations in the candle; `undefined` for a daily value. */
  readonly observations: number | undefined;
  /** Whether its interval is not over yet. */
  readonly isRunning: boolean;
}

/** What a range shows, in the order of time. */
export interface RangeSummary {
  readonly first: Bar;
  readonly last: Bar;
  /** The bars with the highest high and the lowest low; the earliest of several. */
  readonly highest: Bar;
  readonly lowest: Bar;
  /** From the first opening to the last close, as a part of the opening: 0.05 is a rise of 5 %. */
  readonly change: number;
}

/** Candles as bars in the same unit and order. */
export function candleBars(candles: readonly PriceCandle[]): Bar[] {
  return candles.map(({ start, open, high, low, close, observationCount, complete }) => {
    return { time: Date.parse(start), open, high, low, close, observations: observationCount, isRunning: !complete };
  });
}

/** Daily values as bars, for an asset without candles. */
export function dailyBars(records: readonly { readonly value: number; readonly businessTime: string }[]): Bar[] {
  return records.map(({ value, businessTime }) => {
    return { time: Date.parse(businessTime), open: value, high: value, low: value, close: value, observations: undefined, isRunning: false };
  });
}

/** Whether bars are better drawn as candles: at least two thirds have a height. A row of dashes says less than a line. */
export function areCandles(bars: readonly Bar[]): boolean {
  return bars.filter(({ high, low }) => high !== low).length * 3 >= bars.length * 2;
}

/** A stretch of time without a record, in milliseconds: from the last bar before it to the first after it. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** Whole intervals without a record. */
  readonly missing: number;
}

/** The gaps between bars that are longer than two intervals. */
export function gapsOf(bars: readonly Bar[], widthMs: number): readonly Gap[] {
  return bars.slice(1).flatMap(({ time }, at) => {
    const from = bars[at]!.time;
    const missing = Math.round((time - from) / widthMs) - 1;
    return missing > 2 ? [{ from, to: time, missing }] : [];
  });
}

/** The times of the buckets between bars that have none, so that a chart gives time its true width. */
export function emptyTimes(bars: readonly Bar[], widthMs: number): readonly number[] {
  return bars.slice(1).flatMap(({ time }, at) => {
    const before = bars[at]!.time;
    return Array.from({ length: Math.max(0, Math.round((time - before) / widthMs) - 1) }, (_, step) => before + (step + 1) * widthMs);
  });
}

/** The bars with a latest value that came after them: within the last bar, or as a new one. Older values change nothing. */
export function withLatest(bars: readonly Bar[], { value, time }: { readonly value: number; readonly time: number }, widthMs: number): readonly Bar[] {
  const last = bars.at(-1);
  const start = Math.floor(time / widthMs) * widthMs;
  if (last === undefined || last.observations === undefined || start < last.time) return bars;
  const begun: Bar = { time: start, open: value, high: value, low: value, close: value, observations: 1, isRunning: true };
  if (start > last.time) return [...bars.slice(0, -1), { ...last, isRunning: false }, begun];
  if (!last.isRunning || last.close === value) return bars;
  return [...bars.slice(0, -1), { ...last, close: value, high: Math.max(last.high, value), low: Math.min(last.low, value) }];
}

/** The summary of bars; `undefined` for none. */
export function summarize(bars: readonly Bar[]): RangeSummary | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let [highest, lowest] = [first, first];
  for (const bar of bars) {
    if (bar.high > highest.high) highest = bar;
    if (bar.low < lowest.low) lowest = bar;
  }
  return { first, last, highest, lowest, change: last.close / first.open - 1 };
}

/** Decimals that tell prices of this size apart on an axis: five significant digits, at most 12 decimals. */
export function axisDecimals(highest: number): number {
  return highest > 0 ? Math.min(12, Math.max(0, 4 - Math.floor(Math.log10(highest)))) : 0;
}
