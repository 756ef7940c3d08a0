import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldCandles, INTERVALS } from "../../../core/market/candles.ts";
import { someTicks } from "../../support/slow_candles.ts";
import { runs } from "../../support/suite_size.ts";

test("candles: every interval counts the same observations, and a wide candle combines its narrow ones", () => {
  const widths = [...INTERVALS.values()];
  fc.assert(
    fc.property(someTicks, (ticks) => {
      const sorted = [...ticks].sort((a, b) => a.time - b.time);
      const times = Float64Array.from(sorted, ({ time }) => time);
      const values = Float64Array.from(sorted, ({ value }) => value);
      const byWidth = widths.map((width) => [...foldCandles(times, values, width)]);
      for (const candles of byWidth) {
        assert.equal(
          candles.reduce((sum, { observationCount }) => sum + observationCount, 0),
          ticks.length,
        );
      }
      for (const [index, wide] of byWidth.slice(1).entries()) {
        const narrow = byWidth[index]!;
        for (const candle of wide) {
          const parts = narrow.filter(({ start }) => start >= candle.start && start < candle.end);
          assert.deepEqual(candle, {
            start: candle.start,
            end: candle.end,
            open: parts[0]?.open,
            high: Math.max(...parts.map(({ high }) => high)),
            low: Math.min(...parts.map(({ low }) => low)),
            close: parts.at(-1)?.close,
            observationCount: parts.reduce((sum, { observationCount }) => sum + observationCount, 0),
          });
        }
      }
    }),
    { numRuns: runs(40) },
  );
});

test("candles: a list of them is read by index, from the end too", () => {
  const candles = foldCandles(Float64Array.of(0, 1, 900_000), Float64Array.of(5, 3, 4), 900_000);
  const [first, second] = candles;
  assert.deepEqual(first, { start: 0, end: 900_000, open: 5, high: 5, low: 3, close: 3, observationCount: 2 });
  assert.deepEqual(
    [-3, -2, -1, 0, 1, 2].map((index) => candles.at(index)),
    [undefined, first, second, first, second, undefined],
  );
  assert.deepEqual([...foldCandles(new Float64Array(0), new Float64Array(0), 900_000)], []);
});
