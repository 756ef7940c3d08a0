import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  chosenWindow,
  firstDayOf,
  parseChoice,
  RANGE_NAMES,
  type RangeName,
  rangeFor,
} from "../../../adapters/page/browser/data/ranges.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { type CalendarDate, createPrices, type Interval } from "../../../core/mod.ts";
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
  const ranges = fc.constantFrom(...RANGE_NAMES);
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

const firstDays: readonly (readonly [rule: string, range: RangeName, day: string, first: string])[] = [
  ["a week is seven days", "1w", "2026-03-03", "2026-02-24"],
  ["months are those of the calendar", "3m", "2026-11-22", "2026-08-22"],
  ["a shorter month ends sooner", "1m", "2026-03-31", "2026-02-28"],
  ["a year before 29 February is the 28th", "1y", "2024-02-29", "2023-02-28"],
  ["Nowruz counts from 29 Esfand", "nowruz", "2026-11-22", "2026-03-20"],
  ["after a leap year from 30 Esfand", "nowruz", "2025-04-01", "2025-03-20"],
  ["on Nowruz from the day before", "nowruz", "2026-03-21", "2026-03-20"],
  ["before Nowruz from the one of last year", "nowruz", "2026-03-20", "2025-03-20"],
];
for (const [rule, range, day, first] of firstDays) {
  test(`ranges: ${rule}`, () => assert.equal(firstDayOf(range, day as CalendarDate), first));
}
