import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chosenWindow, offeredRanges, parseChoice } from "../../../adapters/page/browser/asset/choice.ts";
import type { RangeName } from "../../../adapters/page/browser/asset/choice.ts";
import { createPrices } from "../../../core/mod.ts";
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

const offered: readonly (readonly [rule: string, interval: Interval, maxCandles: number, ranges: readonly string[]])[] = [
  ["quarters of an hour stop where an answer is full", "15m", 10_000, ["1d", "1w", "1m", "3m"]],
  ["hours reach a year, and not 25", "1h", 10_000, ["1d", "1w", "1m", "3m", "1y"]],
  ["a day of days is no picture", "1d", 10_000, ["1w", "1m", "3m", "1y", "all"]],
  ["a server with a low cap offers what it can give", "1h", 100, ["1d"]],
  ["where it can give none, none is offered", "15m", 10, []],
];
for (const [rule, interval, maxCandles, ranges] of offered) {
  test(`ranges: ${rule}`, () => assert.deepEqual(offeredRanges(interval, maxCandles), ranges));
}

test("ranges: one that is not offered is the longest shorter one, else the shortest", () => {
  const rangeOf = (interval: Interval, range: RangeName) => chosenWindow({ interval, range }, LAST, 10_000).range;
  assert.deepEqual([rangeOf("1d", "1y"), rangeOf("15m", "1y"), rangeOf("1d", "1d")], ["1y", "3m", "1w"]);
});

test("ranges: the server answers every window up to its latest record, whatever its cap", async () => {
  const intervals = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const ranges = fc.constantFrom<RangeName>("1d", "1w", "1m", "3m", "1y", "all");
  await fc.assert(
    fc.asyncProperty(intervals, ranges, fc.integer({ min: 0, max: 800 * DAY }), fc.integer({ min: 1, max: 12_000 }), async (interval, range, span, maxCandles) => {
      const { observations } = createMemoryStore();
      observations.append([LAST - span, ...(span > 0 ? [LAST] : [])].map((time) => observation({ businessTime: at(time) })));
      const prices = createPrices({ clock: () => at(LAST), observations, maxCandles });
      const window = chosenWindow({ interval, range }, LAST, maxCandles);
      const candles = await prices.candles("BTC_USD", window);
      assert.equal(candles.at(-1)!.end, new Date(window.to).toISOString());
    }),
    { numRuns: 60 },
  );
});
