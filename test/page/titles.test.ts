import assert from "node:assert/strict";
import test from "node:test";
import { placeOf } from "../../adapters/page/browser/places.ts";
import { titleOf } from "../../adapters/page/browser/titles.ts";
import { ASSETS } from "../../core/mod.ts";

const settings = { application: "mazaneh", isSample: false, marketTimeZone: "Asia/Tehran", quotaTimeZone: "UTC", staleThresholdMinutes: 60, maxCandles: 10_000, assets: ASSETS };

const cases = [
  ["#/", "Market – Mazaneh", "بازار – مظنه"],
  ["#/asset/USD_RLS", "US Dollar (USD_RLS) – Mazaneh", "دلار آمریکا (USD_RLS) – مظنه"],
  ["#/asset/NOTHING", "NOTHING – Mazaneh", "NOTHING – مظنه"],
  ["#/reference/getAsset", "Reference – Mazaneh", "مرجع – مظنه"],
  ["#/guide/quota", "Guide – Mazaneh", "راهنما – مظنه"],
] as const;
for (const [hash, english, persian] of cases) {
  test(`titles: ${hash} is "${english}"`, () => {
    assert.deepEqual([titleOf(placeOf(hash), settings, "en"), titleOf(placeOf(hash), settings, "fa")], [english, persian]);
  });
}

test("titles: the name of an embedder's service stays as it is", () => {
  assert.equal(titleOf(placeOf(""), { ...settings, application: "iPrices" }, "fa"), "بازار – iPrices");
});
