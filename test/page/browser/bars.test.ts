import assert from "node:assert/strict";
import { test } from "node:test";
import {
  areCandles,
  axisDecimals,
  barsOf,
  gapsOf,
  slotsOf,
  withLatest,
} from "../../../adapters/page/browser/data/bars.ts";

const DAY = 86_400_000;

function barsAt(...days: readonly number[]) {
  return days.map((day) => ({ time: day * DAY, open: 1, high: 2, low: 1, close: 2, isRunning: false }));
}

test("chart data: drawn as candles if at least two thirds of the bars have a height, else as a line", () => {
  const [tall, flat] = [barsAt(0)[0]!, { ...barsAt(0)[0]!, high: 1 }];
  assert.deepEqual([[tall, tall, flat], [tall, flat], [flat], []].map(areCandles), [true, false, false, true]);
});

test("chart data: a candle becomes a bar with the same values; the bar counts as running until the candle is complete", () => {
  const values = { open: 100, high: 120, low: 90, close: 110 };
  const [start, end] = ["1970-01-02T00:00:00.000Z", "1970-01-03T00:00:00.000Z"] as const;
  const candle = { start, end, ...values, observationCount: 4, complete: false };
  assert.deepEqual(barsOf([candle]), [{ time: DAY, ...values, isRunning: true }]);
});

test("chart data: intervals without a bar are as wide as all others; more than two of them in a row are a gap", () => {
  const bars = barsAt(0, 1, 4, 98, 99);
  assert.deepEqual(
    slotsOf(bars, DAY),
    Array.from({ length: 100 }, (_, day) => day * DAY),
  );
  assert.deepEqual(gapsOf(bars, DAY), [{ from: 4 * DAY, to: 98 * DAY }]);
  assert.deepEqual(
    gapsOf(barsAt(0, 8, 16, 24, 60), DAY),
    [{ from: 24 * DAY, to: 60 * DAY }],
    "if most bars are eight days apart, eight days without a record are not a gap",
  );
  assert.deepEqual(gapsOf(barsAt(0, 1, 2, 3, 6, 10), DAY), [{ from: 6 * DAY, to: 10 * DAY }]);
  assert.deepEqual([gapsOf([], DAY), slotsOf([], DAY)], [[], []]);
});

test("chart data: numbers on an axis have five significant digits", () => {
  assert.deepEqual([1_980_631, 99.5, 1, 0.0000061, 0, 1e-30].map(axisDecimals), [0, 3, 4, 10, 0, 12]);
});

test("chart data: a latest value updates the running bar or begins the next bar; an older value changes nothing", () => {
  const valueAt = (day: number, value = 5) => ({ value, businessTime: new Date(day * DAY).toISOString() });
  const bars = [...barsAt(0), { ...barsAt(1)[0]!, isRunning: true }];
  assert.deepEqual(withLatest(bars, valueAt(1.5), DAY).at(-1), { ...bars[1], high: 5, close: 5 });
  assert.deepEqual(withLatest(bars, valueAt(1.5, 0.5), DAY).at(-1), { ...bars[1], low: 0.5, close: 0.5 });
  const later = withLatest(bars, valueAt(3.5), DAY).map(({ time, close, isRunning }) => [time / DAY, close, isRunning]);
  assert.deepEqual(later, [
    [0, 2, false],
    [1, 2, false],
    [3, 5, true],
  ]);
  assert.equal(withLatest(bars, valueAt(0.5), DAY), bars);
  assert.deepEqual(withLatest([], valueAt(0), DAY), []);
});
