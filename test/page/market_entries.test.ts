import assert from "node:assert/strict";
import test from "node:test";
import { WATCH, entriesOf, groupsOf, nextSorting, sorted } from "../../adapters/page/browser/market/entries.ts";
import type { Column, Entry, Sorting } from "../../adapters/page/browser/market/entries.ts";
import type { MarketRow } from "../../adapters/page/market_summary.ts";
import { ASSETS } from "../../core/mod.ts";

const CODES = ["USD_RLS", "EUR_RLS", "GOLD_OUNCE_USD", "STOCK_IR", "AFN_RLS"];
const assets = ASSETS.filter(({ code }) => CODES.includes(code));

type Told = readonly [code: string, value: number, before: number | null, minute: number];

function row([code, value, before, minute]: Told): MarketRow {
  const businessTime = `2026-11-21T10:${minute}:00.000Z`;
  return { code, value, businessTime, before: before === null ? null : { date: "2026-11-20", value: before }, day: null, days: [] };
}

const TOLD: readonly Told[] = [["USD_RLS", 100, 80, 10], ["EUR_RLS", 120, 150, 30], ["GOLD_OUNCE_USD", 4_000, null, 20], ["STOCK_IR", 3_000, 0, 40]];
const rows = new Map(TOLD.map((one) => [one[0], row(one)]));

function order(column: Column, direction: Sorting["direction"], language: "en" | "fa" = "en"): string {
  return sorted(entriesOf(assets, rows, language), { column, direction }, language).map(({ asset }) => asset.baseCode).join(" ");
}

function catalogOrder(entries: readonly Entry[], hasPrice: boolean): string[] {
  return entries.filter(({ latest }) => (latest !== undefined) === hasPrice).map(({ asset }) => asset.baseCode);
}

test("entries: the change is against the day before, and absent without one or with a value of 0", () => {
  const ratios = entriesOf(assets, rows, "en").map(({ asset, ratio }) => [asset.code, ratio]);
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
  const entries = entriesOf(assets, rows, "en");
  assert.equal(sorted(entries, undefined, "en").map(({ asset }) => asset.baseCode).join(" "), catalogOrder(entries, true).concat(catalogOrder(entries, false)).join(" "));
  const unpriced = entriesOf(assets, new Map(), "en");
  assert.deepEqual(sorted(unpriced, undefined, "en"), unpriced);
});

test("entries: what is watched stands first and in no other group; crypto in rial is no second row", () => {
  const all = entriesOf(ASSETS.filter(({ code }) => [...CODES, "BTC_USD", "BTC_RLS"].includes(code)), rows, "en");
  const codesOf = (codes: readonly string[]): unknown => groupsOf(all, new Set(codes)).map(({ name, entries }) => [name, ...entries.map(({ asset }) => asset.code)]);
  assert.deepEqual(codesOf([]), [["FX", "USD_RLS", "EUR_RLS"], ["METAL", "GOLD_OUNCE_USD"], ["INDEX", "STOCK_IR"], ["NONE", "AFN_RLS", "BTC_USD"]]);
  const watched = ["EUR_RLS", "BTC_RLS", "STOCK_IR"];
  assert.deepEqual(codesOf(watched), [[WATCH, "EUR_RLS", "STOCK_IR", "BTC_RLS"], ["FX", "USD_RLS"], ["METAL", "GOLD_OUNCE_USD"], ["NONE", "AFN_RLS", "BTC_USD"]]);
});
