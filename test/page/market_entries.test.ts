import assert from "node:assert/strict";
import test from "node:test";
import { entriesOf, nextSorting, sorted } from "../../adapters/page/browser/market/entries.ts";
import type { Column, Entry, Sorting } from "../../adapters/page/browser/market/entries.ts";
import type { MarketRow } from "../../adapters/page/market_summary.ts";
import { ASSETS } from "../../core/mod.ts";

const CODES = ["USD_RLS", "EUR_RLS", "GOLD_OUNCE_USD", "STOCK_IR", "AFN_RLS"];
const assets = ASSETS.filter(({ code }) => CODES.includes(code));

function row([code, value, before, minute]: readonly [code: string, value: number, before: number | null, minute: number]): MarketRow {
  return { code, value, businessTime: `2026-11-21T10:${minute}:00.000Z`, stale: false, before: before === null ? null : { date: "2026-11-20", value: before }, days: [] };
}

const summary = {
  updatedAt: "2026-11-21T11:00:00.000Z",
  from: "2026-10-23",
  to: "2026-11-21",
  assets: ([["USD_RLS", 100, 80, 10], ["EUR_RLS", 120, 150, 30], ["GOLD_OUNCE_USD", 4_000, null, 20], ["STOCK_IR", 3_000, 0, 40]] as const).map(row),
};

function order(column: Column, direction: Sorting["direction"], language: "en" | "fa" = "en"): string {
  return sorted(entriesOf(assets, summary, language), { column, direction }, language).map(({ asset }) => asset.baseCode).join(" ");
}

function catalogOrder(entries: readonly Entry[], hasPrice: boolean): string[] {
  return entries.filter(({ latest }) => (latest !== undefined) === hasPrice).map(({ asset }) => asset.baseCode);
}

test("entries: the change is against the day before, and absent without one or with a value of 0", () => {
  const ratios = entriesOf(assets, summary, "en").map(({ asset, ratio }) => [asset.code, ratio]);
  assert.deepEqual(Object.fromEntries(ratios), { USD_RLS: 0.25, EUR_RLS: -0.19999999999999996, GOLD_OUNCE_USD: undefined, STOCK_IR: undefined, AFN_RLS: undefined });
});

const orders = [
  ["name", "ascending", "AFN EUR GOLD_OUNCE STOCK_IR USD"],
  ["price", "descending", "EUR USD GOLD_OUNCE STOCK_IR AFN"],
  ["change", "descending", "USD EUR GOLD_OUNCE STOCK_IR AFN"],
  ["age", "ascending", "STOCK_IR EUR GOLD_OUNCE USD AFN"],
] as const;
for (const [column, direction, codes] of orders) {
  test(`entries: sorted by ${column}, ${direction}: units stay together, and what has no value comes last`, () => {
    assert.equal(order(column, direction), codes);
  });
}

test("entries: a third click on a column leads back to the order of the catalog, in which those without a price come last", () => {
  const first = nextSorting(undefined, "price");
  assert.deepEqual(first, { column: "price", direction: "descending" });
  const second = nextSorting(first, "price");
  assert.deepEqual(second, { column: "price", direction: "ascending" });
  assert.equal(nextSorting(second, "price"), undefined);
  assert.deepEqual(nextSorting(second, "name"), { column: "name", direction: "ascending" });
  const entries = entriesOf(assets, summary, "en");
  assert.equal(sorted(entries, undefined, "en").map(({ asset }) => asset.baseCode).join(" "), catalogOrder(entries, true).concat(catalogOrder(entries, false)).join(" "));
  const unpriced = entriesOf(assets, undefined, "en");
  assert.deepEqual(sorted(unpriced, undefined, "en"), unpriced);
});
