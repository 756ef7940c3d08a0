import fc from "fast-check";
import type { Candle } from "../../core/market/candles.ts";
import { at, DAY } from "./generators.ts";

/** Ticks at different times over some days around 1970, some of them at the start or end of a bucket. */
export const someTicks = fc.uniqueArray(
  fc.record({
    time: fc.oneof(
      fc.integer({ min: -3 * DAY, max: 3 * DAY }),
      fc
        .tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -1, max: 1 }))
        .map(([quarter, near]) => quarter * 900_000 + near),
    ),
    value: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
  }),
  { selector: ({ time }) => time, maxLength: 120 },
);

/** Computes the candles of ticks in a slow but simple way, with a list of values for each bucket. */
export function slowCandles(
  ticks: readonly { readonly time: number; readonly value: number }[],
  width: number,
): Candle[] {
  const startOf = (time: number): number => time - (((time % width) + width) % width);
  const buckets = new Map<number, number[]>();
  for (const { time, value } of [...ticks].sort((a, b) => a.time - b.time)) {
    const values = buckets.get(startOf(time));
    if (values) values.push(value);
    else buckets.set(startOf(time), [value]);
  }
  return [...buckets].map(([start, values]) => ({
    start: at(start),
    end: at(start + width),
    open: values[0]!,
    high: Math.max(...values),
    low: Math.min(...values),
    close: values.at(-1)!,
    observationCount: values.length,
  }));
}
