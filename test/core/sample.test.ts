import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ASSETS, defineAsset } from "../../core/assets.ts";
import type { UtcMillis } from "../../core/brand.ts";
import type { Observation } from "../../core/observation.ts";
import { SAMPLE_INTRADAY, sampleObservations } from "../../fixtures/sample.ts";

const QUARTER = 900_000;
const DAY = 86_400_000;
const NOW = at("2026-11-21T10:07:31.250Z");
const MAIN_CODES = ["USD_RLS", "EUR_RLS", "AED_RLS", "SEKKEH_RLS", "GOLD_18_RLS", "GOLD_OUNCE_USD", "BTC_USD", "BTC_RLS",
  "ETH_USD", "ETH_RLS", "USDT_USD", "USDT_RLS"];

function at(text: string): UtcMillis {
  return Date.parse(text) as UtcMillis;
}

function sample(now: UtcMillis): Map<string, Observation[]> {
  const series = new Map<string, Observation[]>();
  for (const observation of sampleObservations(now)) {
    const rows = series.get(observation.code);
    if (rows === undefined) series.set(observation.code, [observation]);
    else rows.push(observation);
  }
  return series;
}

let archive: Map<string, Observation[]>;
before(() => {
  archive = sample(NOW);
});

function rowsOf(code: string): readonly Observation[] {
  const rows = archive.get(code);
  assert.ok(rows, code);
  return rows;
}

/** Values by business time, to hold two series against each other. */
function valuesOf(code: string): Map<number, number> {
  return new Map(rowsOf(code).map(({ businessTime, value }) => [businessTime, value]));
}

test("sample: the same now gives the same bytes", () => {
  assert.equal(JSON.stringify([...sampleObservations(NOW)]), JSON.stringify([...archive.values()].flat()));
});

test("sample: every code of the catalog, in its order", () => {
  assert.deepEqual([...archive.keys()], ASSETS.map(({ code }) => String(code)));
});

test("sample: ascending business times per code, none twice, none after now, none stale", () => {
  for (const [code, rows] of archive) {
    let previous = -Infinity;
    for (const { businessTime } of rows) {
      assert.ok(businessTime > previous, `${code} ${businessTime}`);
      previous = businessTime;
    }
    assert.ok(previous <= NOW && NOW - previous < QUARTER, code);
    assert.equal(previous % QUARTER, 0, code);
  }
});

test("sample: one record a Tehran day at 20:00 over two years, every 15 minutes over three weeks for the main codes", () => {
  const today = at("2026-11-20T20:30:00Z"); // midnight in Tehran
  for (const [code, rows] of archive) {
    const daily = rows.filter(({ businessTime }) => businessTime % DAY === 16.5 * 3_600_000);
    assert.equal(daily.length, 730, code);
    assert.equal(daily[0]?.businessTime, at("2024-11-21T16:30:00Z"), code);
    if (!SAMPLE_INTRADAY.has(code)) {
      assert.equal(rows.length, 731, code);
      continue;
    }
    const fine = rows.filter(({ businessTime }) => businessTime >= today - 21 * DAY);
    assert.equal(fine.length, 21 * 96 + 55, code); // 00:00 to 13:30 of today
    assert.ok(fine.every(({ businessTime }, i) => businessTime === today - 21 * DAY + i * QUARTER), code);
    assert.equal(rows.length, 730 - 21 + fine.length, code);
  }
  assert.equal(SAMPLE_INTRADAY.size, 20);
  for (const code of MAIN_CODES) assert.ok(SAMPLE_INTRADAY.has(code), code);
});

test("sample: observations are accepted ones of the provider SAMPLE", () => {
  for (const observation of [...archive.values()].flat()) {
    const { value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
    assert.ok(Number.isFinite(value) && value > 0);
    assert.ok(sourceTime === businessTime && insertTime === NOW);
    assert.ok(provider === "SAMPLE" && qualityStatus === "ACCEPTED" && qualityMessage === "");
  }
});

test("sample: the days before today are the same at every hour of today", () => {
  const midnight = at("2026-11-20T20:30:00Z");
  const past = (now: UtcMillis): unknown[] =>
    [...sampleObservations(now)]
      .filter(({ businessTime }) => businessTime < midnight)
      .map(({ code, businessTime, value }) => [code, businessTime, value]);
  const atTen = past(NOW);
  assert.ok(atTen.length > 100_000);
  for (const hour of ["2026-11-20T20:30:00.000Z", "2026-11-21T16:30:00Z", "2026-11-21T20:29:59.999Z"]) {
    assert.deepEqual(past(at(hour)), atTen, hour);
  }
});

test("sample: a moment has one value, on whatever day the sample is made", () => {
  const later = sample(at("2027-02-03T23:59:00Z"));
  for (const [code, rows] of later) {
    const known = valuesOf(code);
    const shared = rows.filter(({ businessTime }) => known.has(businessTime));
    assert.ok(shared.length >= 655, code);
    assert.ok(shared.every(({ businessTime, value }) => known.get(businessTime) === value), code);
  }
});

test("sample: at the very second of a mark, the mark's record is there", () => {
  for (const now of [at("2026-11-21T16:30:00.000Z"), at("2026-11-20T20:30:00.000Z")]) {
    for (const [code, rows] of sample(now)) assert.equal(rows.at(-1)?.businessTime, now, code);
  }
});

test("sample: whole rials for currencies and gold, coins to 10,000, crypto in rial from 1,000 up", () => {
  for (const { code, category, quoteUnit } of ASSETS) {
    const values = rowsOf(code).map(({ value }) => value);
    if (category === "FX" || category === "GOLD") assert.ok(values.every(Number.isInteger), code);
    if (category === "COIN") assert.ok(values.every((value) => value % 10_000 === 0), code);
    if (category === "CRYPTO" && quoteUnit === "RLS") {
      assert.ok(values.every((value) => value < 1_000 || Number.isInteger(value)), code);
    }
  }
});

test("sample: US dollar values have at most 7 significant digits", () => {
  for (const { code, quoteUnit } of ASSETS) {
    if (quoteUnit !== "USD") continue;
    assert.ok(rowsOf(code).every(({ value }) => Number(value.toPrecision(7)) === value), code);
  }
});

const sizes = [
  ["USD_RLS", 1_500_000, 2_300_000],
  ["SEKKEH_RLS", 1_500_000_000, 2_600_000_000],
  ["GOLD_18_RLS", 140_000_000, 250_000_000],
  ["GOLD_OUNCE_USD", 3_200, 5_200],
  ["STOCK_IR", 3_500_000, 5_500_000],
  ["BTC_USD", 40_000, 170_000],
  ["USDT_USD", 0.99, 1.01],
  ["SHIB_USD", 0.0000025, 0.000013],
  ["SHIB_RLS", 5, 25],
  ["PEPE_USD", 0.00000025, 0.0000014],
  ["PEPE_RLS", 0.5, 2.6],
] as const;
for (const [code, low, high] of sizes) {
  test(`sample: ${code} stays between ${low} and ${high}, in other decades too`, () => {
    const years = ["2025-01-01T00:00:00Z", "2031-06-01T00:00:00Z", "2040-06-01T00:00:00Z"];
    const only = ASSETS.filter((asset) => asset.code === code);
    for (const now of [NOW, ...years.map(at)]) {
      for (const { value } of sampleObservations(now, only)) assert.ok(value >= low && value <= high, `${value}`);
    }
  });
}

test("sample: some PEPE_USD values are below a millionth, and tiny rial values keep decimals", () => {
  assert.ok(rowsOf("PEPE_USD").some(({ value }) => String(value).includes("e-7")));
  assert.ok(rowsOf("PEPE_RLS").some(({ value }) => !Number.isInteger(value)));
  assert.ok(rowsOf("SHIB_RLS").some(({ value }) => !Number.isInteger(value)));
});

test("sample: crypto in rial is its US dollar price times the dollar", () => {
  const dollar = valuesOf("USD_RLS");
  for (const { code, baseCode, category, quoteUnit } of ASSETS) {
    if (category !== "CRYPTO" || quoteUnit !== "RLS") continue;
    const usd = valuesOf(`${baseCode}_USD`);
    for (const { businessTime, value } of rowsOf(code)) {
      const exact = usd.get(businessTime)! * (dollar.get(businessTime) ?? Number.NaN);
      assert.ok(Math.abs(value - exact) <= Math.max(exact * 1e-6, value >= 1_000 ? 0.5 : 0), `${code} ${value} ${exact}`);
    }
  }
});

test("sample: 24 karat and the mesghal follow from 18 karat", () => {
  const gold18 = valuesOf("GOLD_18_RLS");
  const cases = [["GOLD_24_RLS", 4 / 3], ["GOLD_MESGHAL_RLS", 4.3315]] as const;
  for (const [code, factor] of cases) {
    for (const { businessTime, value } of rowsOf(code)) {
      assert.ok(Math.abs(value - gold18.get(businessTime)! * factor) <= 0.51, code);
    }
  }
});

test("sample: pegged currencies keep their cross rate to the dollar", () => {
  const dollar = valuesOf("USD_RLS");
  const pegs = [["AED_RLS", 0.2723], ["SAR_RLS", 0.2666], ["OMR_RLS", 2.601]] as const;
  for (const [code, cross] of pegs) {
    for (const { businessTime, value } of rowsOf(code)) {
      assert.ok(Math.abs(value / dollar.get(businessTime)! / cross - 1) < 0.02, code);
    }
  }
});

test("sample: an asset it has no price for is left out, and only assets asked for are made", () => {
  const own = defineAsset({ code: "KRW_RLS", category: "FX", nameEn: "South Korean Won", nameFa: "وون کره جنوبی" });
  const codes = new Set([...sampleObservations(NOW, [own, ...ASSETS.slice(0, 2)])].map(({ code }) => String(code)));
  assert.deepEqual([...codes], ["USD_RLS", "EUR_RLS"]);
});
