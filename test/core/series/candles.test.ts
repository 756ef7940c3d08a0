import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldCandles, INTERVALS } from "../../../core/market/candles.ts";
import { createSeriesStore } from "../../../core/series/series_store.ts";
import { at, CODE, DAY, observation } from "../../support/generators.ts";
import { slowCandles, someTicks } from "../../support/slow_candles.ts";
import { runs } from "../../support/suite_size.ts";

const ALL_TIME = { from: at(-10 * DAY), to: at(10 * DAY) };

test("candles: records in any order and batches produce the candles of the sorted list", () => {
  const arrivals = someTicks.chain((ticks) =>
    fc.record({
      ticks: fc.constant(ticks),
      shuffled: fc.shuffledSubarray(ticks, { minLength: ticks.length, maxLength: ticks.length }),
      cuts: fc.array(fc.nat(ticks.length), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(arrivals, ({ ticks, shuffled, cuts }) => {
      const store = createSeriesStore();
      const edges = [0, ...cuts.sort((a, b) => a - b), shuffled.length];
      edges.slice(1).forEach((end, batch) => {
        for (const { time, value } of shuffled.slice(edges[batch], end)) {
          assert.equal(store.putAll([observation({ businessTime: at(time), value })], batch + 1), 0);
        }
        // Also reads between the batches, to find cached candles that a later batch should have changed.
        store.candles(CODE, ALL_TIME, 3_600_000);
      });
      for (const width of INTERVALS.values())
        assert.deepEqual([...store.candles(CODE, ALL_TIME, width).candles], slowCandles(ticks, width));
    }),
    { numRuns: runs(50) },
  );
});

test("candles: a window has exactly the candles that start in it", () => {
  const window = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(20));
  fc.assert(
    fc.property(someTicks, window, fc.constantFrom(...INTERVALS.values()), (ticks, [first, length], width) => {
      const store = createSeriesStore();
      store.putAll(
        ticks.map(({ time, value }) => observation({ businessTime: at(time), value })),
        1,
      );
      const [from, to] = [at(first * width), at((first + length) * width)];
      const wanted = slowCandles(ticks, width).filter(({ start }) => start >= from && start < to);
      assert.deepEqual([...store.candles(CODE, { from, to }, width).candles], wanted);
    }),
    { numRuns: runs(60) },
  );
});

test("candles: an index into a list of candles counts from the start, a negative index from the end", () => {
  const candles = foldCandles(Float64Array.of(0, 1, 900_000), Float64Array.of(5, 3, 4), 900_000);
  const [first, second] = candles;
  const found = [-3, -2, -1, 0, 1, 2].map((index) => candles.at(index));
  assert.deepEqual(found, [undefined, first, second, first, second, undefined]);
  assert.deepEqual([...foldCandles(new Float64Array(0), new Float64Array(0), 900_000)], []);
});
