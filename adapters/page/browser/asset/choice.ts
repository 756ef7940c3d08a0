// What the visitor has chosen to see of an asset, as its address keeps it (`#/asset/USD_RLS?interval=1h&range=1w`), and the candles that this takes.
import { INTERVALS } from "../../../../core/mod.ts";
import type { Interval } from "../../../../core/mod.ts";
import { DAY_MS } from "../../../../core/internal.ts";

/** The ranges of the chart by name, in days. */
const RANGES = { "1d": 1, "1w": 7, "1m": 30, "3m": 91, "1y": 365, all: 9_131 } as const;
/** The name of a range. */
export type RangeName = keyof typeof RANGES;

type Ranged = Pick<CandleWindow, "interval"> & { readonly range: RangeName };

/** Fewer candles than this make no picture, so that a range with fewer is not offered. */
const FEWEST_CANDLES = 6;

/** The candles to ask for: those that start in [from, to), in whole buckets. */
export interface CandleWindow {
  readonly interval: Interval;
  /** ISO 8601 in UTC, without a fraction. */
  readonly from: string;
  readonly to: string;
}

/** Reads the choices of the chart from the query of an address. What is missing or makes no sense there becomes the first choice. */
export function parseChoice(query: URLSearchParams) {
  const [interval = "", range = "", kind] = ["interval", "range", "kind"].map((name) => query.get(name) ?? "");
  return {
    interval: isInterval(interval) ? interval : "1d",
    range: isRange(range) ? range : "3m",
    /** `undefined`: what fits the bars. */
    kind: kind === "line" || kind === "candles" ? kind : undefined,
    isLog: query.get("scale") === "log",
    /** The code of an asset that is compared in percent. */
    compare: query.get("compare") ?? undefined,
  } as const;
}

/** The ranges that make sense at an interval, ascending: with enough candles for a picture, and no more than an answer holds. */
export function offeredRanges(interval: Interval, maxCandles: number): readonly RangeName[] {
  return Object.keys(RANGES).filter(isRange).filter((name) => {
    const candles = (RANGES[name] * DAY_MS) / widthOf(interval);
    return candles >= FEWEST_CANDLES && candles <= maxCandles;
  });
}

/**
 * The candles of a choice, and its range: that itself if it is offered, else the longest offered one that is shorter, else the shortest.
 * It ends with the latest record, not now: so an archive that ended last year fills the chart, and the same picture is the same request.
 *
 * @param last The business time of the latest record, in milliseconds.
 */
export function chosenWindow({ interval, range: wanted }: Ranged, last: number, maxCandles: number): CandleWindow & Ranged {
  const offered = offeredRanges(interval, maxCandles);
  const range = offered.findLast((name) => RANGES[name] <= RANGES[wanted]) ?? offered[0] ?? wanted;
  const width = widthOf(interval);
  const end = (Math.floor(last / width) + 1) * width;
  const candles = Math.min(maxCandles, Math.ceil((RANGES[range] * DAY_MS) / width));
  return { interval, range, from: isoSeconds(end - candles * width), to: isoSeconds(end) };
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
