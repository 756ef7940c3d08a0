import assert from "node:assert/strict";
import { test } from "node:test";
import { candleBars, lastSparse, summarize } from "../../../adapters/page/browser/asset/chart_data.ts";

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

test("chart data: days with one record before closer bars are found, whatever the width of a bar", () => {
  const bar = (hours: number, observations = 1) => ({ time: Date.parse(HOUR) + hours * 3_600_000, open: 1, high: observations, low: 1, close: 1, observations, isRunning: false });
  const quarters = [bar(0), bar(24), bar(72), bar(96, 3), bar(96.25), bar(96.5)];
  assert.equal(lastSparse(quarters), quarters[2], "a day without a record between");
  const line = [bar(0), bar(24), bar(48), bar(48.25)];
  assert.equal(lastSparse(line), line[1], "each of the closer bars has one record too");
  const days = [bar(0), bar(24), bar(48, 90), bar(72), bar(96)];
  assert.equal(lastSparse(days), days[1]);
  const others = [
    ["the last record of a day is no day", [bar(0), bar(14), bar(14.25, 2)]],
    ["one record a day to the end is a line", [bar(0), bar(24), bar(48)]],
    ["closer bars come first", [bar(0, 4), bar(24), bar(48), bar(72, 2)]],
    ["nothing", []],
  ] as const;
  for (const [rule, bars] of others) assert.equal(lastSparse(bars), undefined, rule);
});
