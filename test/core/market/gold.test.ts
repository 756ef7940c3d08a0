import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { GOLD } from "../../../adapters/intake/levels/price_levels_by_year.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import {
  ASSETS,
  createIngest,
  createPrices,
  GOLD_PIECES,
  goldWorth,
  gramOfGold,
  PriceError,
} from "../../../core/mod.ts";

const RATES = { ounce: 3_918.36, dollar: 1_985_528 };

test("gold: a gram of pure gold costs ounce times dollar over 31.1034768", () => {
  assert.equal(Math.round(gramOfGold(RATES)), 250_133_242);
});

// Calculated by hand from a price of 250,133,242 rial for a gram of pure gold.
const worths = [
  ["SEKKEH_RLS", 1_987_700_000, 1_830_900_293, 0.0856, 2_155_570],
  ["NIM_SEKKEH_RLS", 1_011_450_000, 915_450_147, 0.1049, 2_193_743],
  ["GERAMI_SEKKEH_RLS", 286_430_000, 227_371_117, 0.2597, 2_501_262],
  ["GOLD_18_RLS", 190_900_643, 187_599_932, 0.0176, 2_020_462],
  ["GOLD_MESGHAL_RLS", 826_886_135, 812_645_759, 0.0175, 2_020_322],
] as const;
test("gold: computes the worth of a piece's gold, its bubble (negative if the piece is cheaper than its gold), and the dollar price that the piece's price implies", () => {
  for (const [code, price, gold, ratio, dollar] of worths) {
    const worth = goldWorth(GOLD_PIECES.find((piece) => piece.code === code)!, price, RATES);
    assert.ok(Math.abs(worth.gold - gold) < 60, String(worth.gold));
    assert.equal(worth.bubble, price - worth.gold);
    assert.ok(Math.abs(worth.ratio - ratio) < 0.0001, String(worth.ratio));
    assert.ok(Math.abs(worth.impliedDollar - dollar) < 2, String(worth.impliedDollar));
  }
  assert.ok(goldWorth({ grams: 1, fineness: 1 }, 1, RATES).bubble < 0, "a gram costs more than 1 rial");
});

test("gold: the pieces are the coins and gold by weight in the catalog, and the table of price levels has their weights", () => {
  const pieces = ASSETS.filter(({ category }) => category === "COIN" || category === "GOLD").map(({ code }) => code);
  assert.deepEqual(GOLD_PIECES.map(({ code }) => code).toSorted(), pieces.toSorted());
  for (const { code, grams, fineness } of GOLD_PIECES)
    assert.ok(Math.abs(GOLD.get(code)![0]! - grams * fineness) < 0.0001, code);
});

test("gold: createPrices uses the latest records, leaves out pieces without one, and fails without ounce or dollar: ASSET_NOT_FOUND", async () => {
  const store = createMemoryStore();
  const prices = createPrices({ ...nodeSystem, ...store });
  const businessTime = "2026-08-21T16:30:00.000Z";
  const ingest = createIngest({ ...nodeSystem, ...store });
  await ingest([
    { code: "SEKKEH_RLS", value: 1_987_700_000, businessTime },
    { code: "GOLD_OUNCE_USD", value: RATES.ounce, businessTime },
  ]);
  await assert.rejects(prices.goldWorth(), (error) => error instanceof PriceError && error.code === "ASSET_NOT_FOUND");
  await ingest([{ code: "USD_RLS", value: RATES.dollar, businessTime }]);
  const [emami, ...others] = await prices.goldWorth();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [emami!.code, emami!.value, emami!.businessTime, emami!.grams, Math.round(emami!.impliedDollar)],
    ["SEKKEH_RLS", 1_987_700_000, businessTime, 8.133, 2_155_570],
  );
});
