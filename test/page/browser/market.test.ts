import assert from "node:assert/strict";
import test from "node:test";
import { marketDayOf } from "../../../adapters/page/browser/data/format.ts";
import { createKnownMarket, isStale } from "../../../adapters/page/browser/data/market.ts";
import type { MarketRow, MarketSummary } from "../../../adapters/page/market_summary.ts";

const DOLLAR: MarketRow = {
  code: "USD_RLS",
  version: "1",
  value: 100,
  businessTime: "2026-11-21T10:00:00.000Z",
  before: { date: "2026-11-20", value: 90 },
  day: { open: 95, high: 101, low: 94, count: 3 },
  days: [90, 100],
};

function summaryOf(...assets: readonly MarketRow[]): MarketSummary {
  return { updatedAt: "2026-11-21T10:01:00.000Z", from: "2026-11-20", to: "2026-11-21", assets };
}

function knownWith(...answers: readonly (() => Promise<MarketSummary> | MarketSummary)[]) {
  const left = [...answers];
  return createKnownMarket(async () => left.shift()!(), marketDayOf("Asia/Tehran"));
}

test("market state: a newer value from another answer reaches all views; an older value, or another value for the same time, does not", async () => {
  const known = knownWith(() => summaryOf(DOLLAR));
  await known.load();
  const valueAfter = (businessTime: string, value: number): number => {
    known.note({ code: "USD_RLS", value, businessTime });
    return known.state.value.rows.get("USD_RLS")!.value;
  };
  assert.equal(valueAfter("2026-11-21T09:59:59.000Z", 1), 100);
  assert.equal(valueAfter("2026-11-21T10:00:00.000Z", 2), 100);
  assert.equal(valueAfter("2026-11-21T10:15:00.000Z", 120), 120);
  assert.deepEqual(known.state.value.rows.get("USD_RLS"), {
    ...DOLLAR,
    value: 120,
    businessTime: "2026-11-21T10:15:00.000Z",
    day: { open: 95, high: 120, low: 94, count: 3 },
    days: [90, 120],
  });
});

test("market state: the first value of a new market day is compared with the last value before that day; an asset without a price gets its first price", async () => {
  const known = knownWith(() => summaryOf(DOLLAR));
  await known.load();
  known.note({ code: "USD_RLS", value: 130, businessTime: "2026-11-21T20:30:00.000Z" }); // midnight in Tehran
  const { value, before, day } = known.state.value.rows.get("USD_RLS")!;
  assert.deepEqual([value, before, day], [130, { date: "2026-11-21", value: 100 }, null]);
  known.note({ code: "EUR_RLS", value: 5, businessTime: "2026-11-21T10:00:00.000Z" });
  assert.equal(known.state.value.rows.get("EUR_RLS")!.value, 5);
});

test("market state: a new summary replaces everything, because a record can be withdrawn; newer values that arrived during the load stay", async () => {
  const known = knownWith(
    () => summaryOf({ ...DOLLAR, value: 999, businessTime: "2026-11-21T11:00:00.000Z" }),
    () => summaryOf(DOLLAR),
    () => {
      known.note({ code: "USD_RLS", value: 110, businessTime: "2026-11-21T10:30:00.000Z" });
      return summaryOf(DOLLAR);
    },
  );
  await known.load();
  await known.load();
  assert.equal(known.state.value.rows.get("USD_RLS")!.value, 100);
  await known.load();
  assert.equal(known.state.value.rows.get("USD_RLS")!.value, 110);
});

test("market state: a failed load keeps the prices and says why; the next successful load clears the failure", async () => {
  const known = knownWith(
    () => summaryOf(DOLLAR),
    () => Promise.reject(new Error("gone")),
    () => summaryOf(DOLLAR),
  );
  await known.load();
  await known.load();
  assert.deepEqual(
    [known.state.value.rows.size, String(known.state.value.failure), known.state.value.isLoading],
    [1, "Error: gone", false],
  );
  await known.load();
  assert.equal(known.state.value.failure, undefined);
});

test("market state: a load that starts during another load waits for the same answer", async () => {
  const known = knownWith(() => summaryOf(DOLLAR)); // a second request would fail
  await Promise.all([known.load(), known.load(), known.load()]);
  assert.deepEqual([known.state.value.rows.size, known.state.value.failure], [1, undefined]);
});

test("market state: a price becomes stale when time passes without a new answer", () => {
  const taken = Date.parse(DOLLAR.businessTime);
  const stale = [0, 60, 60.001].map((minutes) => isStale(DOLLAR, taken + minutes * 60_000, 60));
  assert.deepEqual(stale, [false, false, true]);
});
