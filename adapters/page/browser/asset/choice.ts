// What the visitor has chosen to see of an asset, as its address keeps it (`#/asset/USD_RLS?interval=1h&range=1w`), and the candles that this takes.
import { INTERVALS } from "../../../../core/mod.ts";
import type { Interval } from "../../../../core/mod.ts";
import { DAY_MS } from "../../../../core/internal.ts";

/** The ranges of the chart by name, in days; `all` reaches back to the first record. */
const RANGES = { "1d": 1, "1w": 7, "1m": 30, "3m": 91, "1y": 365, all: Infinity } as const;
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

/** The choices of the chart. */
export interface Choice {
  readonly interval: Interval;
  readonly range: RangeName;
  /** `undefined`: what fits the bars. */
  readonly kind: "line" | "candles" | undefined;
  readonly isLog: boolean;
  /** The code of an asset that is compared in percent. */
  readonly compare: string | undefined;
}

/** Reads the choices from the query of an address. What is missing or makes no sense there becomes the first choice. */
export function parseChoice(query: URLSearchParams): Choice {
  const [interval = "", range = "", kind] = ["interval", "range", "kind"].map((name) => query.get(name) ?? "");
  return {
    interval: isInterval(interval) ? interval : "1d",
    range: isRange(range) ? range : "3m",
    kind: kind === "line" || kind === "candles" ? kind : undefined,
    isLog: query.get("scale") === "log",
    compare: query.get("compare") ?? undefined,
  };
}

/**
 * The ranges that make sense at an interval, ascending: with enough candles for a picture, no more than an answer holds, and shorter than
 * what there is. Where none does, `all` shows as much as an answer holds.
 */
export function offeredRanges(interval: Interval, { first, last, maxCandles }: Supply): readonly RangeName[] {
  const width = widthOf(interval);
  const all = Math.floor(last / width) - Math.floor(first / width) + 1;
  const offered = Object.keys(RANGES).filter(isRange).filter((name) => {
    const candles = Math.min(all, (RANGES[name] * DAY_MS) / width);
    return candles <= maxCandles && (name === "all" || (candles >= FEWEST_CANDLES && candles < all));
  });
  return offered.length === 0 ? ["all"] : offered;
}

/**
 * The candles of a choice, and its range: that itself if it is offered, else the longest offered one that is shorter, else the shortest.
 * It ends with the latest record, not now: so an archive that ended last year fills the chart, and the same picture is the same request.
 */
export function chosenWindow({ interval, range: wanted }: Pick<Choice, "interval" | "range">, supply: Supply): CandleWindow & { readonly range: RangeName } {
  const offered = offeredRanges(interval, supply);
  const range = offered.findLast((name) => RANGES[name] <= RANGES[wanted]) ?? offered[0]!;
  const width = widthOf(interval);
  const end = (Math.floor(supply.last / width) + 1) * width;
  const start = Math.max(Math.floor(supply.first / width) * width, end - RANGES[range] * DAY_MS, end - supply.maxCandles * width);
  return { interval, range, from: isoSeconds(start), to: isoSeconds(end) };
}

/** The width of an interval in milliseconds. */
export function widthOf(interval: Interval): number {
  return INTERVALS.get(interval)!;
}

function isoSeconds(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, 19)}Z`;
}

function isInterval(text: string): text is Interval {
  return INTERVALS.has(text);
}

function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}
