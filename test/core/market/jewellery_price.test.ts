import assert from "node:assert/strict";
import { test } from "node:test";
import {
  affordableJewellery,
  gramOfFineness,
  type JewelleryTerms,
  KARAT_FINENESS,
  priceJewellery,
} from "../../../core/internal.ts";

const TERMS: JewelleryTerms = { gram: 19_090_064, wage: { percent: 17 }, profitPercent: 7, taxPercent: 10 };

test("jewellery: in a receipt for 5.24 g, each amount is a whole number computed from the rounded amounts above it, and the total is the sum of the amounts", () => {
  assert.deepEqual(priceJewellery(5.24, TERMS), {
    grams: 5.24,
    gold: 100_031_935, // 100,031,935.36
    wage: 17_005_429, // 0.17 × 100,031,935 = 17,005,428.95
    profit: 8_192_615, // 0.07 × 117,037,364 = 8,192,615.48
    extras: 0,
    tax: 2_519_804, // 0.10 × 25,198,044
    total: 127_749_783,
    totalPerGram: 24_379_730,
  });
});

test("jewellery: the same piece has the right total with other wages", () => {
  for (const [percent, total] of [
    [7, 115_976_025],
    [12, 121_862_905],
    [22, 133_636_663],
    [27, 139_523_542],
  ] as const)
    assert.equal(priceJewellery(5.24, { ...TERMS, wage: { percent } }).total, total);
});

test("jewellery: a wage in toman per gram is multiplied by the weight; extras are taxed but earn no profit", () => {
  const { wage, profit, extras, tax, total } = priceJewellery(2.5, {
    ...{ gram: 20_000_000, wage: { perGram: 3_000_001 }, profitPercent: 7, taxPercent: 10, extras: 1_000_000 },
  });
  assert.deepEqual(
    { wage, profit, extras, tax, total },
    // 7,500,002.5; 0.07 × 57,500,003 = 4,025,000.21; 0.10 × 12,525,003 = 1,252,500.3
    { wage: 7_500_003, profit: 4_025_000, extras: 1_000_000, tax: 1_252_500, total: 63_777_503 },
  );
});

test("jewellery: the price of a gram of another fineness is computed from the rial price of 18 karats, and rounded only once", () => {
  const grams = Object.values(KARAT_FINENESS).map((fineness) => gramOfFineness(190_900_643, fineness));
  // 190,900,643 × 875 / 7,500 = 22,271,741.68; × 916 / 7,500 = 23,315,331.86; × 1,000 / 7,500 = 25,453,419.07
  assert.deepEqual(grams, [19_090_064, 22_271_742, 23_315_332, 25_453_419]);
});

test("jewellery: decimal halves are rounded up exactly", () => {
  for (const [what, grams, gram, gold] of [
    ["1.005 × 100 = 100.5", 1.005, 100, 101],
    ["8.165 × 100 = 816.5, a little less as a double", 8.165, 100, 817],
    ["1.499999 × 1 is below the half", 1.499999, 1, 1],
    ["0.0000005 × 1,000,000 = 0.5", 0.0000005, 1_000_000, 1],
    ["9.99 × 900,719,925,474,099 = 8,998,192,055,486,249.01", 9.99, 900_719_925_474_099, 8_998_192_055_486_249],
  ] as const)
    assert.equal(
      priceJewellery(grams, { gram, wage: { percent: 0 }, profitPercent: 0, taxPercent: 0 }).gold,
      gold,
      what,
    );
});

test("jewellery: the affordable weight is the largest that the money pays for, in hundredths of a gram; the exact price of a piece is enough for this piece", () => {
  const terms = { gram: 37, wage: { perGram: 4.5 }, profitPercent: 7, taxPercent: 9, extras: 20 };
  for (let money = 0; money < 300; money++) {
    let grams = 0;
    while (priceJewellery((grams + 1) / 100, terms).total <= money) grams++;
    const found = affordableJewellery(money, terms);
    assert.deepEqual(
      [found?.receipt.grams ?? 0, money - (found?.receipt.total ?? money)],
      [grams / 100, found?.left ?? 0],
    );
  }
  assert.deepEqual(affordableJewellery(100_000_000, TERMS)?.receipt, priceJewellery(4.1, TERMS));
  assert.deepEqual(affordableJewellery(127_749_783, TERMS)?.receipt.grams, 5.24);
  assert.equal(affordableJewellery(127_749_782, TERMS)?.receipt.grams, 5.23);
});

test("jewellery: invalid weights and prices are refused", () => {
  for (const call of [
    () => priceJewellery(0, TERMS),
    () => priceJewellery(-1, TERMS),
    () => priceJewellery(Number.NaN, TERMS),
    () => priceJewellery(1, { ...TERMS, taxPercent: Infinity }),
    () => affordableJewellery(1_000, { ...TERMS, gram: 0 }),
  ])
    assert.throws(call, RangeError);
});
