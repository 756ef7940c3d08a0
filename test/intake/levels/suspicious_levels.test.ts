import assert from "node:assert/strict";
import { test } from "node:test";
import { lastYearOfTables, referencesOf } from "../../../adapters/intake/levels/expected_prices.ts";
import type { PriceSeries, PricesToJudge } from "../../../adapters/intake/levels/price_chain.ts";
import { COINS, MIDDLES } from "../../../adapters/intake/levels/price_levels_by_year.ts";
import { findSuspiciousLevels } from "../../../adapters/intake/levels/suspicious_levels.ts";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import { sampleObservations } from "../../../fixtures/sample.ts";
import { DAY } from "../../support/generators.ts";

/** Values from a date on, `days` days apart (default: 1). */
interface Values {
  readonly from: string;
  readonly days?: number;
  readonly values: readonly number[];
}
/** The new values by asset code, such as `USD_RLS`. The stored values have a `+` after the code: `USD_RLS+`. */
type Prices = Readonly<Record<string, Values>>;

function columnsOf(given: Values | undefined): PriceSeries {
  const { from, days = 1, values } = given ?? { from: "2026-01-01", values: [] };
  return { times: values.map((_, i) => Date.parse(from) + i * days * DAY), values };
}

/** Each suspicion as code, reason, level, and the dates of its records, or `all` for all new records. */
function suspiciousOf(prices: Prices): string[] {
  const codes = new Set(Object.keys(prices).map((name) => name.replace("+", "")));
  const judged = [...codes].map((code): [AssetCode, PricesToJudge] => [
    code as AssetCode,
    { batch: columnsOf(prices[code]), stored: columnsOf(prices[`${code}+`]) },
  ]);
  return findSuspiciousLevels(new Map(judged)).map(({ code, why, level, times, of }) => {
    const dates =
      times.length === of ? "all" : times.map((time) => new Date(time).toISOString().slice(5, 10)).join(" ");
    return `${code} ${why} ${level} ${dates}`.trim();
  });
}

const august = (...values: readonly number[]): Values => ({ from: "2026-08-10", values });
const [DOLLAR, EURO, OUNCE] = [
  [1_870_000, 1_880_000, 1_905_000, 1_910_000],
  [2_130_000, 2_140_000, 2_170_000, 2_180_000],
  [4_540, 4_550, 4_560, 4_550],
];
const tenth = (values: readonly number[]): number[] => values.map((value) => value / 10);
const STORED = { from: "2026-08-05", values: [1_860_000, 1_865_000, 1_868_000, 1_869_000, 1_870_000] };

const cases: readonly (readonly [what: string, prices: Prices, ...suspicious: string[]])[] = [
  ["nothing at all", {}],
  ["a true file", { USD_RLS: august(...DOLLAR), EUR_RLS: august(...EURO) }],
  ["a whole file in toman, with a single dated row", { USD_RLS: august(187_000) }, "USD_RLS level -1 all"],
  [
    "a whole file in toman, with assets that agree with each other",
    { USD_RLS: august(...tenth(DOLLAR)), EUR_RLS: august(...tenth(EURO)) },
    "USD_RLS level -1 all",
    "EUR_RLS level -1 all",
  ],
  ["rial values of 2018, as low as toman of 2024", { USD_RLS: { from: "2018-09-20", values: [150_000, 160_000] } }],
  ["toman values of 2024", { USD_RLS: { from: "2024-05-20", values: [59_000, 60_000] } }, "USD_RLS level -1 all"],
  [
    "points read as decimal marks in some rows only",
    { AED_RLS: august(519_500, 520_000, 519.5, 520_500) },
    "AED_RLS level -3 08-12",
  ],
  [
    "all assets in toman for one day",
    { USD_RLS: august(1_870_000, 188_000, 1_900_000), EUR_RLS: august(2_130_000, 214_000, 2_170_000) },
    "USD_RLS level -1 08-11",
    "EUR_RLS level -1 08-11",
  ],
  [
    "months in toman: a factor of ten is never believed, however long it lasts",
    { USD_RLS: august(...Array<number>(60).fill(188_000)), "USD_RLS+": STORED },
    "USD_RLS level -1 all",
  ],
  [
    "a year in toman after stored rial values",
    { USD_RLS: { from: "2026-09-20", days: 30, values: Array<number>(12).fill(188_000) }, "USD_RLS+": STORED },
    "USD_RLS level -1 all",
  ],
  [
    "a jump by a factor that is no power of ten, too recent to be believed",
    { USD_RLS: august(4_300_000, 4_310_000), "USD_RLS+": STORED },
    "USD_RLS jump 0 all",
  ],
  [
    "a jump by another factor that has lasted two days",
    { USD_RLS: august(4_300_000, 4_310_000, 4_320_000), "USD_RLS+": STORED },
  ],
  [
    "Kuwaiti dinars named as dollars",
    { USD_RLS: august(6_140_000, 6_150_000, 6_160_000, 6_170_000), "USD_RLS+": STORED },
    "USD_RLS jump 0 all",
  ],
  [
    "dirhams named as dollars from a date on",
    { USD_RLS: august(1_870_000, 1_880_000, 515_000, 516_000, 517_000) },
    "USD_RLS jump 0 08-12 08-13 08-14",
  ],
  [
    "an asset that jumps out of its plausible range and stays there",
    { AED_RLS: august(519_500, 520_000, 1_150_000, 1_151_000, 1_152_000), USD_RLS: august(...DOLLAR, 1_911_000) },
    "AED_RLS jump 0 08-12 08-13 08-14",
  ],
  [
    "a jump repeated by three records within a minute",
    { USD_RLS: { ...august(4_300_000, 4_310_000, 4_320_000), days: 1 / 4_320 }, "USD_RLS+": STORED },
    "USD_RLS jump 0 all",
  ],
  [
    "spikes after which the price returns: one between stored values, one of two records on one day, and spikes of metals, coins and the lira",
    {
      USD_RLS: august(1_400_000),
      "USD_RLS+": { from: "2026-08-09", days: 2, values: [1_870_000, 1_880_000] },
      EUR_RLS: { from: "2026-08-10", days: 0.2, values: [2_130_000, 1_600_000, 1_500_000, 2_140_000] },
      SILVER_OUNCE_USD: august(60, 71, 61),
      USDT_USD: august(1, 1.2, 1),
      ETH_USD: august(3_000, 4_900, 3_010),
      TRY_RLS: august(41_000, 58_000, 41_100),
    },
    "USD_RLS jump 0 all",
    ...["SILVER_OUNCE_USD", "USDT_USD", "ETH_USD"].map((code) => `${code} jump 0 08-11`),
    "EUR_RLS jump 0 08-10 08-10",
    "TRY_RLS jump 0 08-11",
  ],
  ["a spike in toman", { USD_RLS: august(187_000, 280_000, 188_000) }, "USD_RLS level -1 all"],
  [
    "moves that are not suspicious: to a lasting level, between values days apart, between neighbours that differ, and of assets that usually move more",
    {
      AED_RLS: august(519_500, 670_000, 671_000),
      USD_RLS: { from: "2026-08-10", days: 5, values: [1_870_000, 2_420_000, 1_890_000] },
      EUR_RLS: august(2_130_000, 2_750_000, 2_400_000),
      RUB_RLS: august(24_000, 33_000, 24_100),
      BTC_USD: august(90_000, 140_000, 91_000),
    },
  ],
  [
    "a coin that falls by 60 % in a day, and by 90 % in a year",
    { BTC_USD: august(90_000, 36_000, 37_000), ADA_USD: { from: "2018-01-05", days: 350, values: [1.05, 0.04] } },
  ],
  [
    "a coin with a single value ten times too high, among weekly values",
    { XRP_USD: { from: "2021-01-01", days: 7, values: [0.3, 0.32, 3.1, 0.29, 0.31] } },
    "XRP_USD level 1 01-15",
  ],
  [
    "stored values in toman, and a correct file of later days",
    { USD_RLS: august(...DOLLAR), "USD_RLS+": { ...STORED, values: tenth(STORED.values) } },
    "USD_RLS level 1 all",
    "USD_RLS stored -1",
  ],
  ["a correct file for days stored as toman", { USD_RLS: august(...DOLLAR), "USD_RLS+": august(...tenth(DOLLAR)) }],
  [
    "values equal to the stored ones, even if these are wrong",
    { USD_RLS: august(...tenth(DOLLAR)), "USD_RLS+": august(...tenth(DOLLAR)) },
    "USD_RLS stored -1",
  ],
  [
    "values that do not fit the stored price of the dollar",
    { AED_RLS: august(...EURO.map((value) => value * 0.9)), "USD_RLS+": august(...DOLLAR) },
    "AED_RLS asset 0 all",
  ],
  [
    "an implausible value that fits the asset's own accepted values",
    { AED_RLS: august(1_030_000), "AED_RLS+": { ...STORED, values: [1_020_000] }, "USD_RLS+": STORED },
  ],
  [
    "a price of the dollar that does not fit most other assets",
    { USD_RLS: august(700_000), EUR_RLS: august(2_130_000), AED_RLS: august(519_500) },
    "USD_RLS asset 0 all",
  ],
  [
    "gold, judged by the ounce and the dollar",
    {
      GOLD_18_RLS: august(205_000_000, 80_000_000),
      "USD_RLS+": august(...DOLLAR),
      "GOLD_OUNCE_USD+": august(...OUNCE),
    },
    "GOLD_18_RLS jump 0 08-11",
  ],
  [
    "a price per mesghal in a row for the gram, and the price of three coins in a row for one, become pending even if only the known prices of the year can show it; gold of this year and a true mesghal pass",
    {
      GOLD_18_RLS: { from: "2018-03-01", values: [6_600_000] },
      SEKKEH_RLS: { from: "2023-05-01", values: [930_000_000] },
      GOLD_24_RLS: { from: "2026-08-20", values: [253_000_000] },
      GOLD_MESGHAL_RLS: { from: "2018-03-01", values: [6_600_000] },
    },
    ...["GOLD_18_RLS", "SEKKEH_RLS"].map((code) => `${code} asset 0 all`),
  ],
  [
    "a whole coin named as a quarter coin",
    { ROB_SEKKEH_RLS: august(2_100_000_000), "USD_RLS+": august(...DOLLAR), "GOLD_OUNCE_USD+": august(...OUNCE) },
    "ROB_SEKKEH_RLS asset 0 all",
  ],
  [
    "the euro and the dollar with exchanged names",
    { USD_RLS: august(...EURO), EUR_RLS: august(...DOLLAR) },
    "EUR_RLS asset 0 all",
    "USD_RLS asset 0 all",
  ],
  [
    "values of the euro below those stored for the dollar",
    { EUR_RLS: august(...DOLLAR.map((value) => value / 1.17)), "USD_RLS+": august(...DOLLAR) },
    "EUR_RLS asset 0 all",
  ],
  [
    "a coin in toman, judged by its price in dollars",
    { BTC_RLS: august(1.7e10), "BTC_USD+": august(90_000), "USD_RLS+": august(...DOLLAR) },
    "BTC_RLS level -1 all",
  ],
  ["a coin in toman, with the dollar", { ETH_RLS: august(4.9e8), USD_RLS: august(...DOLLAR) }, "ETH_RLS level -1 all"],
  [
    "coins in rial",
    {
      BTC_RLS: august(1.58e11, 1.57e11),
      ETH_RLS: august(4.9e9),
      DOGE_RLS: august(175_000),
      SHIB_RLS: august(10),
      USDT_RLS: august(...DOLLAR),
    },
  ],
  [
    "a coin without a table of prices, in a file in toman",
    { CRO_RLS: august(14_000), BTC_RLS: august(1.58e10), USD_RLS: august(...tenth(DOLLAR)) },
    "USD_RLS level -1 all",
    "BTC_RLS level -1 all",
    "CRO_RLS level -1 all",
  ],
  [
    "a coin without a table of prices, in a file with the dollar in rial",
    { CRO_RLS: august(14_000), BTC_RLS: august(1.58e10), USD_RLS: august(...DOLLAR) },
    "BTC_RLS level -1 all",
  ],
  [
    "assets without known prices",
    {
      XYZ_RLS: august(5, 15, 7),
      STOCK_IR: august(4_000_000, 4_100_000),
      DOGE_USD: { from: "2030-01-01", values: [1] },
    },
  ],
  [
    "an asset without known prices that falls to a tenth",
    { XYZ_RLS: august(5, 5, 5, 0.5, 0.5) },
    "XYZ_RLS level -1 08-13 08-14",
  ],
  [
    "values from years before and after the tables of prices",
    {
      USD_RLS: { from: "2031-01-01", values: [25_000_000] },
      BTC_USD: { from: "2012-01-01", values: [5] },
      EUR_RLS: { from: "1990-01-01", values: [90] },
    },
  ],
];

test("levels: values become pending if they are powers of ten off, jump without confirmation, or do not fit the market; others pass", () => {
  for (const [what, prices, ...suspicious] of cases) assert.deepEqual(suspiciousOf(prices), suspicious, what);
});

test("levels: a suspicion names the first value and the nearest correct one, or the middle price of the year if none is near", () => {
  const levelsOf = (values: readonly number[], stored?: Values): unknown => {
    const dollars = { batch: columnsOf(august(...values)), stored: columnsOf(stored) };
    return findSuspiciousLevels(new Map([["USD_RLS", dollars]])).flatMap(({ value, expected }) => [value, expected]);
  };
  assert.deepEqual(levelsOf([187_000]), [187_000, 1_626_000]);
  assert.deepEqual(levelsOf([1_870_000, 187_500]), [187_500, 1_870_000]);
  assert.deepEqual(levelsOf([200_000, 200_100, 2_000_000, 2_001_000, 2_002_000]), [200_000, 2_000_000]);
  assert.deepEqual(levelsOf([2_000_000, 3_000_000, 2_010_000]), [3_000_000, 2_000_000]);
  assert.deepEqual(levelsOf([4_300_000], STORED), [4_300_000, 1_870_000]);
  assert.deepEqual(levelsOf([200_000], { from: "2026-03-01", values: [1_400_000] }), [200_000, 1_626_000]);
});

test("levels: in prices that move by up to 3 % a day, each of 50 spikes by a factor of 1.5 is found, and no other value is suspicious", () => {
  const starts = { USD_RLS: 1_500_000, EUR_RLS: 1_700_000, SEKKEH_RLS: 1_700_000_000, GOLD_18_RLS: 170_000_000 };
  for (const [code, start] of Object.entries(starts)) {
    for (let seed = 1; seed <= 50; seed++) {
      const values = [start];
      for (let day = 1; day < 40; day++) values.push(values[day - 1]! * (1 + 0.03 * Math.sin(seed * 13 + day * 78)));
      const row = 1 + (seed % 38);
      values[row]! *= seed % 2 ? 1.5 : 1 / 1.5;
      const date = new Date(Date.parse("2026-02-01") + row * DAY).toISOString().slice(5, 10);
      assert.deepEqual(suspiciousOf({ [code]: { from: "2026-02-01", values } }), [`${code} jump 0 ${date}`]);
    }
  }
});

test("levels: referencesOf returns the assets that an asset is compared with", () => {
  const wanted = {
    "": ["USD_RLS", "BTC_USD"],
    USD_RLS: ["EUR_RLS", "TRY_RLS"],
    GOLD_OUNCE_USD: ["PAXG_USD"],
    "USD_RLS GOLD_OUNCE_USD": ["SEKKEH_RLS"],
    "BTC_USD USD_RLS": ["BTC_RLS"],
  };
  for (const [references, codes] of Object.entries(wanted))
    for (const code of codes) assert.equal(referencesOf(code as AssetCode).join(" "), references, code);
});

test("levels: all tables end with the same year, and prices of adjacent years are much closer than a factor of ten", () => {
  for (const [code, [first = NaN, ...middles]] of MIDDLES) {
    assert.equal(first + middles.length - 1, lastYearOfTables(), code);
    for (const [i, middle] of middles.entries())
      assert.ok(Math.abs(Math.log(middle / (middles[i - 1] ?? middle))) < Math.log(2.5), `${code} ${middle}`);
  }
  for (const [code, [first = NaN, ...bounds]] of COINS) {
    assert.equal(first + bounds.length / 2 - 1, lastYearOfTables(), code);
    for (let i = 0; i < bounds.length; i += 2) {
      const [lowBefore = 0, highBefore = Infinity] = bounds.slice(Math.max(0, i - 2), i);
      const [low, high] = [bounds[i]!, bounds[i + 1]!];
      assert.ok(low < high && low < 1.1 * highBefore && high > lowBefore / 1.1, `${code} ${low} ${high}`);
    }
  }
});

test("levels: no price of the sample is suspicious", () => {
  const now = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;
  const prices = new Map<AssetCode, { times: number[]; values: number[] }>();
  for (const { code, businessTime, value } of sampleObservations(now, { after: now - DAY })) {
    const { times, values } = prices.get(code) ?? { times: [], values: [] };
    prices.set(code, { times: [...times, businessTime], values: [...values, value] });
  }
  assert.deepEqual(
    findSuspiciousLevels(new Map([...prices].map(([code, batch]) => [code, { batch, stored: columnsOf(undefined) }]))),
    [],
  );
});
