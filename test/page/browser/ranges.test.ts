import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chosenWindow, parseChoice, type RangeName, rangeFor } from "../../../adapters/page/browser/data/ranges.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { createPrices, type Interval } from "../../../core/mod.ts";
import { at, observation } from "../../support/generators.ts";

const FIRST = { interval: "1d", range: "3m", kind: undefined, compare: undefined };
const cases: readonly (readonly [rule: string, query: string, change: object])[] = [
  ["an address without choices has the first ones", "", {}],
  ["interval and range", "interval=15m&range=1w", { interval: "15m", range: "1w" }],
  ["an unknown interval or range is the first one", "interval=2h&range=constructor", {}],
  ["kind and comparison", "kind=line&compare=SEKKEH_RLS", { kind: "line", compare: "SEKKEH_RLS" }],
  ["an unknown kind is what fits the bars", "kind=pie", {}],
];
for (const [rule, query, change] of cases) {
  test(`choice: ${rule}`, () => assert.deepEqual(parseChoice(new URLSearchParams(query)), { ...FIRST, ...change }));
}

const DAY = 86_400_000;
const LAST = Date.parse("2026-11-20T16:30:00Z");

type Shown = readonly [Interval, RangeName];
const shown: readonly (readonly [rule: string, wanted: Shown, maxCandles: number, shown: Shown])[] = [
  ["a range that fits is shown at the interval that was chosen", ["4h", "1y"], 10_000, ["4h", "1y"]],
  ["a day of days is no picture: it is shown at the finest interval", ["1d", "1d"], 10_000, ["15m", "1d"]],
  ["a range of more candles than an answer holds is shown at the coarsest", ["15m", "1y"], 10_000, ["1d", "1y"]],
  ["hours do not reach 25 years", ["1h", "all"], 10_000, ["1d", "all"]],
  ["the finest is one that an answer holds", ["1d", "1d"], 10, ["4h", "1d"]],
  ["a server with a low cap shows the longest range that it can", ["1d", "1y"], 100, ["1d", "3m"]],
  ["where it can give no picture, nothing changes", ["15m", "1d"], 5, ["15m", "1d"]],
];
for (const [rule, [interval, range], maxCandles, wanted] of shown) {
  test(`ranges: ${rule}`, () => {
    const window = chosenWindow({ interval, range }, LAST, maxCandles);
    assert.deepEqual([window.interval, window.range], wanted);
  });
}

test("ranges: an interval that is chosen takes the range if it fits, else the longest shorter one, else the shortest", () => {
  const cases = [
    ["1d", "1y", "1y"],
    ["15m", "1y", "3m"],
    ["1d", "1d", "1w"],
  ] as const;
  for (const [interval, range, wanted] of cases)
    assert.equal(rangeFor(interval, range, 10_000), wanted, `${interval} ${range}`);
});

test("ranges: the server answers every window up to its latest record, whatever its cap", async () => {
  const intervals = fc.constantFrom<Interval>("15m", "1h", "4h", "1d");
  const ranges = fc.constantFrom<RangeName>("1d", "1w", "1m", "3m", "1y", "all");
  await fc.assert(
    fc.asyncProperty(
      intervals,
      ranges,
      fc.integer({ min: 0, max: 800 * DAY }),
      fc.integer({ min: 1, max: 12_000 }),
      async (interval, range, span, maxCandles) => {
        const { observations } = createMemoryStore();
        observations.append(
          [LAST - span, ...(span > 0 ? [LAST] : [])].map((time) => observation({ businessTime: at(time) })),
        );
        const prices = createPrices({ clock: () => at(LAST), observations, maxCandles });
        const window = chosenWindow({ interval, range }, LAST, maxCandles);
        const candles = await prices.candles("BTC_USD", window);
        assert.equal(candles.at(-1)!.end, new Date(window.to).toISOString());
      },
    ),
    { numRuns: 60 },
  );
});
