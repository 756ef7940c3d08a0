import assert from "node:assert/strict";
import test from "node:test";
import { baseOf } from "../../../adapters/page/browser/data/format.ts";
import {
  entriesOf,
  groupsOf,
  marketAddress,
  parseMarketChoice,
  sorted,
  sortedBy,
} from "../../../adapters/page/browser/data/market_entries.ts";
import type { MarketRow } from "../../../adapters/page/market_summary.ts";
import { ASSETS } from "../../../core/mod.ts";

const CODES = ["USD_RLS", "EUR_RLS", "GOLD_OUNCE_USD", "STOCK_IR", "AFN_RLS"];
const assets = ASSETS.filter(({ code }) => CODES.includes(code));

type ListedPrice = readonly [code: string, value: number, before: number | null, minute: number];

function row([code, value, yesterday, minute]: ListedPrice): MarketRow {
  const businessTime = `2026-11-21T10:${minute}:00.000Z`;
  const before = yesterday === null ? null : { date: "2026-11-20", value: yesterday };
  return { code, version: "1", value, businessTime, before, day: null, days: [] };
}

const PRICES: readonly ListedPrice[] = [
  ["USD_RLS", 100, 80, 10],
  ["EUR_RLS", 120, 150, 30],
  ["GOLD_OUNCE_USD", 4_000, null, 20],
  ["STOCK_IR", 3_000, 0, 40],
];
const rows = new Map(PRICES.map((one) => [one[0], row(one)]));

test("entries: a change is measured from the value of the day before; if that value is missing or 0, there is no change", () => {
  const ratios = entriesOf(assets, rows, "en").map(({ asset, ratio }) => [asset.code, ratio]);
  assert.deepEqual(Object.fromEntries(ratios), {
    USD_RLS: 0.25,
    EUR_RLS: -0.19999999999999996,
    GOLD_OUNCE_USD: undefined,
    STOCK_IR: undefined,
    AFN_RLS: undefined,
  });
});

const orders = [
  ["name", "ascending", "AFN EUR GOLD_OUNCE STOCK_IR USD"],
  ["price", "descending", "EUR USD GOLD_OUNCE STOCK_IR AFN"],
  ["change", "descending", "USD EUR GOLD_OUNCE STOCK_IR AFN"],
  ["age", "ascending", "STOCK_IR EUR GOLD_OUNCE USD AFN"],
] as const;
test("entries: sorting keeps rows with the same unit together, and puts rows without a value last", () => {
  for (const [column, order, codes] of orders) {
    const inOrder = sorted(entriesOf(assets, rows, "en"), { category: "", column, order, day: "" }, "en");
    assert.equal(inOrder.map(({ asset }) => baseOf(asset)).join(" "), codes, column);
  }
});

test("entries: a second click on a column reverses its order, a third click restores the catalog's order; the address has the order", () => {
  const addresses = ["#/?category=GOLD"];
  for (const column of ["price", "price", "price", "name"] as const) {
    const before = parseMarketChoice(new URLSearchParams(addresses.at(-1)!.split("?")[1]));
    addresses.push(marketAddress(sortedBy(before, column)));
  }
  assert.deepEqual(addresses.slice(1), [
    "#/?category=GOLD&sort=price",
    "#/?category=GOLD&sort=price&order=ascending",
    "#/?category=GOLD",
    "#/?category=GOLD&sort=name",
  ]);
  for (const query of ["category=x&sort=constructor&order=up", "", "sort=", "category=__proto__"]) {
    assert.equal(marketAddress(parseMarketChoice(new URLSearchParams(query))), "#/", query);
  }
});

test("entries: currencies come in the market's order, coins by weight; Bitcoin, Ether and Tether are the first cryptocurrencies; all others keep the catalog's order", () => {
  const codes = groupsOf(entriesOf(ASSETS, new Map(), "en"), new Set()).map(({ name, entries }) => [
    name,
    ...entries.slice(0, 7).map(({ asset }) => baseOf(asset)),
  ]);
  assert.deepEqual(codes.slice(0, 2), [
    ["FX", "USD", "EUR", "AED", "GBP", "TRY", "CNY", "AFN"],
    ["COIN", "SEKKEH", "BAHAR", "NIM_SEKKEH", "ROB_SEKKEH", "GERAMI_SEKKEH"],
  ]);
  assert.deepEqual(codes[4]!.slice(0, 4), ["CRYPTO", "BTC", "ETH", "USDT"]);
});

test("entries: watched assets are listed first, and not again in another group; crypto has no second row for its rial price", () => {
  const all = entriesOf(
    ASSETS.filter(({ code }) => [...CODES, "BTC_USD", "BTC_RLS"].includes(code)),
    rows,
    "en",
  );
  const codesOf = (codes: readonly string[]): unknown =>
    groupsOf(all, new Set(codes)).map(({ name, entries }) => [name, ...entries.map(({ asset }) => asset.code)]);
  assert.deepEqual(codesOf([]), [
    ["FX", "USD_RLS", "EUR_RLS"],
    ["METAL", "GOLD_OUNCE_USD"],
    ["INDEX", "STOCK_IR"],
    ["NONE", "BTC_USD", "AFN_RLS"],
  ]);
  const watched = ["EUR_RLS", "BTC_RLS", "STOCK_IR"];
  assert.deepEqual(codesOf(watched), [
    ["WATCH", "EUR_RLS", "STOCK_IR", "BTC_RLS"],
    ["FX", "USD_RLS"],
    ["METAL", "GOLD_OUNCE_USD"],
    ["NONE", "BTC_USD", "AFN_RLS"],
  ]);
});
