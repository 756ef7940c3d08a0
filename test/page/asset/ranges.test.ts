import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { candleWindow, isCapped, offeredRanges } from "../../../adapters/page/browser/asset/ranges.ts";
import { createPrices, INTERVALS } from "../../../core/mod.ts";
import type { Interval } from "../../../core/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { at, observation } from "../../support/generators.ts";

const DAY = 86_400_000;
const LAST = Date.parse("2026-11-20T16:30:00Z");
const YEARS = { first: LAST - 730 * DAY, last: LAST, maxCandles: 10_000 };

const offered: readonly (readonly [rule: string, interval: Interval, change: Partial<typeof YEARS>, ranges: readonly string[]])[] = [
  ["quarters of an hour stop where an answer is full", "15m", {}, ["1d", "1w", "1m", "3m", "all"]],
  ["hours reach a year", "1h", {}, ["1d", "1w", "1m", "3m", "1y", "all"]],
  ["a day of days is no picture", "1d", {}, ["1w", "1m", "3m", "1y", "all"]],
  ["a range longer than what there is is not offered", "1h", { first: LAST - 10 * DAY }, ["1d", "1w", "all"]],
  ["a server with a low cap offers what it can give", "1h", { maxCandles: 100 }, ["1d", "all"]],
  ["with one record there is all", "1d", { first: LAST }, ["all"]],
];
for (const [rule, interval, change, ranges] of offered) {
  test(`ranges: ${rule}`, () => assert.deepEqual(offeredRanges(interval, { ...YEARS, ...change }), ranges));
}

test("ranges: all begins with the first record, or as early as the cap allows, and tells which", () => {
  assert.equal(candleWindow("1d", "all", YEARS).from, "2024-11-20T00:00:00Z");
  assert.equal(isCapped("1d", YEARS), false);
  assert.equal(candleWindow("15m", "all", YEARS).from, "2026-08-08T12:45:00Z");
  assert.equal(isCapped("15m", YEARS), true);
});

test("ranges: the server answers every window that is offered", async () => {
  const intervals = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const spans = fc.tuple(fc.integer({ min: 0, max: 800 * DAY }), fc.integer({ min: 1, max: 12_000 }));
  await fc.assert(
    fc.asyncProperty(intervals, spans, async (interval, [span, maxCandles]) => {
      const supply = { first: LAST - span, last: LAST, maxCandles };
      const { observations } = createMemoryStore();
      observations.append([supply.first, ...(span > 0 ? [LAST] : [])].map((time) => observation({ businessTime: at(time) })));
      const prices = createPrices({ clock: () => at(LAST), observations, maxCandles });
      for (const range of offeredRanges(interval, supply)) {
        const candles = await prices.candles("BTC_USD", candleWindow(interval, range, supply));
        assert.equal(Date.parse(candles.at(-1)!.end), Date.parse(candleWindow(interval, range, supply).to));
        const width = INTERVALS.get(interval)!;
        if (range === "all" && !isCapped(interval, supply)) assert.equal(Date.parse(candles[0]!.start), Math.floor(supply.first / width) * width);
      }
    }),
    { numRuns: 25 },
  );
});
