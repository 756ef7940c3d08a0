import assert from "node:assert/strict";
import { test } from "node:test";
import { areCandles, candleBars, emptyTimes, gapsOf, summarize, withLatest } from "../../../adapters/page/browser/asset/chart_data.ts";

const HOUR = "2026-11-20T10:00:00.000Z";
const NEXT = "2026-11-20T11:00:00.000Z";
const END = "2026-11-20T12:00:00.000Z";
const CANDLES = [
  { start: HOUR, end: NEXT, open: 100, high: 120, low: 90, close: 110, observationCount: 4, complete: true },
  { start: NEXT, end: END, open: 110, high: 120, low: 95, close: 105, observationCount: 2, complete: false },
];

test("chart data: a summary has the first and last values, the extremes and where they were, and the change", () => {
  const bars = candleBars(CANDLES);
  const summary = summarize(bars);
  assert.equal(summary?.first, bars[0]);
  assert.equal(summary?.last, bars[1]);
  assert.equal(summary?.highest, bars[0], "the earlier of two equal highs");
  assert.equal(summary?.lowest, bars[0]);
  assert.ok(Math.abs(summary!.change - 0.05) < 1e-12, String(Math.abs(summary!.change - 0.05)));
  assert.equal(summarize([]), undefined);
});

const DAY = 86_400_000;

function barsAt(...days: readonly number[]) {
  return days.map((day) => ({ time: day * DAY, open: 1, high: 2, low: 1, close: 2, observations: 2, isRunning: false }));
}

test("chart data: candles where at least two thirds of the bars have a height, else a line", () => {
  const [tall, flat] = [barsAt(0)[0]!, { ...barsAt(0)[0]!, high: 1 }];
  assert.deepEqual([[tall, tall, flat], [tall, flat], [flat], []].map(areCandles), [true, false, false, true]);
});

test("chart data: a stretch without records is as wide as it was; one of more than two intervals is a gap, with its length", () => {
  const bars = barsAt(0, 1, 4, 98, 99);
  assert.equal(bars.length + emptyTimes(bars, DAY).length, 100);
  assert.deepEqual(emptyTimes(bars, DAY).slice(0, 3), [2 * DAY, 3 * DAY, 5 * DAY]);
  assert.deepEqual(gapsOf(bars, DAY), [{ from: 4 * DAY, to: 98 * DAY, missing: 93 }]);
  assert.deepEqual([gapsOf([], DAY), emptyTimes([], DAY)], [[], []]);
});

test("chart data: a latest value goes into the running bar or begins the next one; an older one changes nothing", () => {
  const bars = [...barsAt(0), { ...barsAt(1)[0]!, isRunning: true }];
  assert.deepEqual(withLatest(bars, { value: 5, time: 1.5 * DAY }, DAY).at(-1), { ...bars[1], high: 5, close: 5 });
  const later = withLatest(bars, { value: 5, time: 3.5 * DAY }, DAY).map(({ time, close, isRunning }) => [time / DAY, close, isRunning]);
  assert.deepEqual(later, [[0, 2, false], [1, 2, false], [3, 5, true]]);
  assert.equal(withLatest(bars, { value: 5, time: 0.5 * DAY }, DAY), bars);
  assert.deepEqual(withLatest([], { value: 5, time: 0 }, DAY), []);
});
