// What the visitor has chosen to see of an asset, as its address keeps it (`#/asset/USD_RLS?interval=1h&range=1w`), and the candles that this takes.
import { DAY_MS } from "../../../../core/internal.ts";
import { type CandleQuery, INTERVALS, type Interval } from "../../../../core/mod.ts";

/** The intervals of candles, as they are offered. */
export const INTERVAL_NAMES = ["15m", "1h", "4h", "1d"] as const satisfies readonly Interval[];

/** The ranges of the chart in days, and the number and unit that name them. */
export const RANGES = {
  "1d": [1, 1, "day"],
  "1w": [7, 1, "week"],
  "1m": [30, 1, "month"],
  "3m": [91, 3, "month"],
  "1y": [365, 1, "year"],
  all: [9_131, 25, "year"],
} as const;
/** The name of a range. */
export type RangeName = keyof typeof RANGES;
/** All of them, ascending. */
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[]; // a cast, as keys lose their names

/** Fewer candles than this make no picture. */
const FEWEST_CANDLES = 6;

/** The candles to ask for, in whole buckets. Times are ISO 8601 in UTC, without a fraction. */
export type CandleWindow = CandleQuery & Readonly<Record<"from" | "to", string>>;

/** Reads the choices of the chart from the query of an address. What is missing or makes no sense there becomes the first choice. */
export function parseChoice(query: URLSearchParams) {
  return {
    interval: INTERVAL_NAMES.find((name) => name === query.get("interval")) ?? "1d",
    range: RANGE_NAMES.find((name) => name === query.get("range")) ?? "3m",
    /** `undefined`: what fits the bars. */
    kind: (["line", "candles"] as const).find((kind) => kind === query.get("kind")),
    isLog: query.get("scale") === "log",
    /** The code of an asset that is compared in percent. */
    compare: query.get("compare") ?? undefined,
  };
}

/** The range that an interval can show: the wanted one, or the longest shorter one, else the shortest. */
export function rangeFor(interval: Interval, wanted: RangeName, maxCandles: number): RangeName {
  const fitting = RANGE_NAMES.filter((name) => fits(name, interval, maxCandles));
  return fitting.findLast((name) => RANGES[name][0] <= RANGES[wanted][0]) ?? fitting[0] ?? wanted;
}

/**
 * The candles of a choice. Every range can be chosen: at an interval that does not fit it, the finest that does shows a short one, the coarsest a long one.
 * It ends with the latest record, of the time `last`, not now: so an archive that ended last year fills the chart, and the same picture is the same request.
 */
export function chosenWindow(
  wanted: { readonly interval: Interval; readonly range: RangeName },
  last: number,
  maxCandles: number,
) {
  const fitting = INTERVAL_NAMES.filter((name) => fits(wanted.range, name, maxCandles));
  const isShort = candlesIn(wanted.range, wanted.interval) < FEWEST_CANDLES;
  const interval = fitting.find((name) => name === wanted.interval) ?? fitting.at(isShort ? 0 : -1) ?? wanted.interval;
  const range = rangeFor(interval, wanted.range, maxCandles);
  const width = widthOf(interval);
  const end = (Math.floor(last / width) + 1) * width;
  const start = end - Math.min(maxCandles, Math.ceil(candlesIn(range, interval))) * width;
  const [from, to] = [start, end].map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`) as [string, string];
  return { interval, range, from, to };
}

/** The width of an interval in milliseconds. */
export function widthOf(interval: Interval): number {
  return INTERVALS.get(interval)!;
}

/** Whether the candles make a picture, and an answer holds them. */
function fits(range: RangeName, interval: Interval, maxCandles: number): boolean {
  return candlesIn(range, interval) >= FEWEST_CANDLES && candlesIn(range, interval) <= maxCandles;
}

function candlesIn(range: RangeName, interval: Interval): number {
  return (RANGES[range][0] * DAY_MS) / widthOf(interval);
}
