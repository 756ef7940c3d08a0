import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chosenWindow, offeredRanges, parseChoice } from "../../../adapters/page/browser/asset/choice.ts";
import type { RangeName } from "../../../adapters/page/browser/asset/choice.ts";
import { createPrices, INTERVALS } from "../../../core/mod.ts";
import type { Interval } from "../../../core/mod.ts";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { at, observation } from "../../support/generators.ts";

const FIRST = { interval: "1d", range: "3m", kind: undefined, isLog: false, compare: undefined };
const cases: readonly (readonly [rule: string, query: string, change: object])[] = [
  ["an address without choices has the first ones", "", {}],
  ["interval and range", "interval=15m&range=1w", { interval: "15m", range: "1w" }],
  ["an unknown interval or range is the first one", "interval=2h&range=constructor", {}],
  ["kind, scale and comparison", "kind=line&scale=log&compare=SEKKEH_RLS", { kind: "line", isLog: true, compare: "SEKKEH_RLS" }],
  ["an unknown kind is what fits the bars", "kind=pie&scale=7", {}],
];
for (const [rule, query, change] of cases) {
  test(`choice: ${rule}`, () => assert.deepEqual(parseChoice(new URLSearchParams(query)), { ...FIRST, ...change }));
}

const DAY = 86_400_000;
const LAST = Date.parse("2026-11-20T16:30:00Z");
const YEARS = { first: LAST - 730 * DAY, last: LAST, maxCandles: 10_000 };

const offered: readonly (readonly [rule: string, interval: Interval, change: Partial<typeof YEARS>, ranges: readonly string[]])[] = [
  ["quarters of an hour stop where an answer is full", "15m", {}, ["1d", "1w", "1m", "3m"]],
  ["hours reach a year, and not two", "1h", {}, ["1d", "1w", "1m", "3m", "1y"]],
  ["a day of days is no picture", "1d", {}, ["1w", "1m", "3m", "1y", "all"]],
  ["a range longer than what there is is not offered", "1h", { first: LAST - 10 * DAY }, ["1d", "1w", "all"]],
  ["a server with a low cap offers what it can give", "1h", { maxCandles: 100 }, ["1d"]],
  ["where it can give none, all is what it can give", "15m", { maxCandles: 10 }, ["all"]],
  ["with one record there is all", "1d", { first: LAST }, ["all"]],
];
for (const [rule, interval, change, ranges] of offered) {
  test(`ranges: ${rule}`, () => assert.deepEqual(offeredRanges(interval, { ...YEARS, ...change }), ranges));
}

test("ranges: one that is not offered is the longest shorter one, else the shortest", () => {
  const rangeOf = (interval: Interval, range: RangeName) => chosenWindow({ interval, range }, YEARS).range;
  assert.deepEqual([rangeOf("1d", "1y"), rangeOf("15m", "1y"), rangeOf("1d", "1d")], ["1y", "3m", "1w"]);
});

test("ranges: the server answers every window that is offered, to its end", async () => {
  const intervals = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const spans = fc.tuple(fc.integer({ min: 0, max: 800 * DAY }), fc.integer({ min: 1, max: 12_000 }));
  await fc.assert(
    fc.asyncProperty(intervals, spans, async (interval, [span, maxCandles]) => {
      const supply = { first: LAST - span, last: LAST, maxCandles };
      const { observations } = createMemoryStore();
      observations.append([supply.first, ...(span > 0 ? [LAST] : [])].map((time) => observation({ businessTime: at(time) })));
      const prices = createPrices({ clock: () => at(LAST), observations, maxCandles });
      const width = INTERVALS.get(interval)!;
      for (const range of offeredRanges(interval, supply)) {
        const window = chosenWindow({ interval, range }, supply);
        const candles = await prices.candles("BTC_USD", window);
        assert.deepEqual([window.range, Date.parse(candles.at(-1)!.end)], [range, Date.parse(window.to)]);
        const isWhole = range === "all" && span / width < maxCandles - 1;
        if (isWhole) assert.equal(Date.parse(candles[0]!.start), Math.floor(supply.first / width) * width);
      }
    }),
    { numRuns: 25 },
  );
});
