// Which candles the chart can ask for: intervals, ranges, and what the server's cap and the asset's records leave of them.
import { INTERVALS } from "../../../../core/mod.ts";
import type { Interval } from "../../../../core/mod.ts";
import { DAY_MS } from "../../../../core/internal.ts";

/** The ranges of the chart by name, in days; `all` reaches back to the first record, as far as the server's cap allows. */
export const RANGES = { "1d": 1, "1w": 7, "1m": 30, "3m": 91, "1y": 365, all: Infinity } as const;
/** The name of a range. */
export type RangeName = keyof typeof RANGES;

/** Fewer candles than this make no picture, so that a range with fewer is not offered. */
const FEWEST_CANDLES = 6;

/** What there is of an asset, and how much of it one answer may hold. */
export interface Supply {
  /** The business time of the first record, in milliseconds. */
  readonly first: number;
  /** The business time of the latest record. */
  readonly last: number;
  /** Most candles in one answer. */
  readonly maxCandles: number;
}

/** The candles to ask for: those that start in [from, to), in whole buckets. */
export interface CandleWindow {
  readonly interval: Interval;
  /** ISO 8601 in UTC, without a fraction. */
  readonly from: string;
  readonly to: string;
}

/** Whether a text names an interval. */
export function isInterval(text: string): text is Interval {
  return INTERVALS.has(text);
}

/** Whether a text names a range. */
export function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}

/**
 * The ranges that make sense at an interval, ascending: with enough candles for a picture, no more than an answer
 * holds, and shorter than what there is. `all` is always the last one.
 */
export function offeredRanges(interval: Interval, { first, last, maxCandles }: Supply): RangeName[] {
  const width = widthOf(interval);
  return Object.entries(RANGES).flatMap(([name, days]) => {
    if (!isRange(name)) return [];
    const candles = (days * DAY_MS) / width;
    const isOffered = candles >= FEWEST_CANDLES && candles <= maxCandles && days * DAY_MS < last - first;
    return isOffered || name === "all" ? [name] : [];
  });
}

/** The range itself if it is offered, else the longest offered one that is shorter, else the shortest. */
export function nearestRange(wanted: RangeName, offered: readonly RangeName[]): RangeName {
  const fitting = offered.filter((name) => RANGES[name] <= RANGES[wanted]);
  return fitting.at(-1) ?? offered[0] ?? "all";
}

/**
 * The candles of a range. It ends with the latest record, not now: so an archive that ended last year fills the chart,
 * and the same picture is the same request.
 */
export function candleWindow(interval: Interval, range: RangeName, { first, last, maxCandles }: Supply): CandleWindow {
  const width = widthOf(interval);
  const end = (Math.floor(last / width) + 1) * width;
  const start = Math.max(Math.floor(first / width) * width, end - RANGES[range] * DAY_MS, end - maxCandles * width);
  return { interval, from: isoSeconds(start), to: isoSeconds(end) };
}

/** The candles that a choice asks for, with the range that is nearest to the chosen one. */
export function chosenWindow(choice: { readonly interval: Interval; readonly range: RangeName }, supply: Supply): CandleWindow & { readonly range: RangeName } {
  const range = nearestRange(choice.range, offeredRanges(choice.interval, supply));
  return { range, ...candleWindow(choice.interval, range, supply) };
}

/** Whether the range `all` cannot show all there is, as the server's cap is lower. */
export function isCapped(interval: Interval, { first, last, maxCandles }: Supply): boolean {
  const width = widthOf(interval);
  return Math.floor(last / width) - Math.floor(first / width) + 1 > maxCandles;
}

/** The width of an interval in milliseconds. */
export function widthOf(interval: Interval): number {
  return INTERVALS.get(interval) ?? DAY_MS;
}

function isoSeconds(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, 19)}Z`;
}
