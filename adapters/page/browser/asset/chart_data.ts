// Candles and daily values as the chart draws them.
import { HOUR_MS } from "../../../../core/internal.ts";
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

/** A record of a day stands at least so far from the next one; the records of one day stand closer. */
const SPARSE_MS = 12 * HOUR_MS;

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

/** Whether no bar has a height, as with one record a day. Then a line says more than a row of dashes. */
export function isLine(bars: readonly Bar[]): boolean {
  return bars.every(({ high, low }) => high === low);
}

/**
 * The last bar of the sparse days that the chart begins with: at least two, each with one record, before bars that stand
 * closer. `undefined` where it begins with others, or there are no others. A chart gives each bar the same width, so
 * these days look like something else than they were.
 */
export function lastSparse(bars: readonly Bar[]): Bar | undefined {
  const dense = bars.findIndex(({ time, observations }, index) => observations !== 1 || (bars[index + 1]?.time ?? Infinity) - time < SPARSE_MS);
  return dense < 2 ? undefined : bars[dense - 1];
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
