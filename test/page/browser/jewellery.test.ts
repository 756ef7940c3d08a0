import assert from "node:assert/strict";
import { test } from "node:test";
import { calculateGold, changedGold, otherWages, parseGold } from "../../../adapters/page/browser/data/jewellery.ts";

const QUOTE = 190_900_643;
const read = (query: string, market: number | undefined = QUOTE) =>
  calculateGold(parseGold(new URLSearchParams(query)), market);

test("calculator: reads the fields of an address, with defaults for missing and invalid ones", () => {
  const parsed = (query: string, rates = {}) => parseGold(new URLSearchParams(query), rates);
  assert.deepEqual(parsed(""), { grams: "1", karat: "18", wage: "17", profit: "7", tax: "10" });
  assert.deepEqual(parsed("pay=5&fineness=585&wagePerGram=9&tax=0", { profit: "5", tax: "9" }), {
    pay: "5",
    fineness: "585",
    wagePerGram: "9",
    profit: "5",
    tax: "0",
  });
  assert.deepEqual(changedGold(parsed(""), { wage: undefined, wagePerGram: "80" }), {
    grams: "1",
    karat: "18",
    wagePerGram: "80",
    profit: "7",
    tax: "10",
  });
  const damaged = "grams=0 grams=x fineness=1001 fineness=0 gram=0 wage= profit=-1 grams=1e14";
  for (const query of damaged.split(" ")) assert.equal(read(query).receipt, undefined, query);
  assert.equal(read("").receipt?.total, 24_379_730);
  assert.equal(calculateGold(parseGold(new URLSearchParams()), undefined).receipt, undefined, "without a price");
});

test("calculator: receipts for wages in percent and for a wage in money have the totals that were computed by hand", () => {
  const { receipt, terms, wage } = read("grams=5.24");
  assert.equal(receipt?.total, 127_749_783);
  assert.equal(wage.perGram, 3_245_311);
  const wages = otherWages(receipt!, terms!);
  assert.equal(wages.map(({ percent }) => percent).join(" "), "7 12 17 22 27");
  assert.deepEqual([wages[0]?.total, wages[4]?.total], [115_976_025, 139_523_542]);
  const inMoney = read("grams=5.24&wagePerGram=32453110");
  assert.equal(inMoney.receipt?.wage, 17_005_430); // 5.24 × 3,245,311 = 17,005,429.64
  assert.equal(inMoney.wage.percent, 17);
  assert.deepEqual(
    [otherWages(receipt!, inMoney.terms!)[2]?.percent, otherWages(receipt!, read("wage=3").terms!)[0]?.percent],
    [17, 3],
  );
});

test("calculator: the price of a gram of another fineness is computed from the displayed price, in whole toman", () => {
  assert.equal(read("karat=21").gram, 22_271_741); // 19,090,064 × 875 / 750 = 22,271,741.33
  assert.equal(read("karat=24&gram=190000009").gram, 25_333_335); // 19,000,001 × 4 / 3 = 25,333,334.67
  assert.equal(read("fineness=585").gram, 14_890_250); // 19,090,064 × 0.78 = 14,890,249.92
});

test("calculator: an amount of money buys as many hundredths of a gram as it can pay for, with wage, profit and tax", () => {
  const { receipt, left, money } = read("pay=1000000000");
  assert.deepEqual([receipt?.grams, receipt?.total, left, money], [4.1, 99_956_893, 43_107, 100_000_000]);
  assert.equal(read("pay=1000").receipt, undefined);
});
