import assert from "node:assert/strict";
import { test } from "node:test";
import { proseOf } from "../../adapters/page/browser/guide/prose.ts";
import { guideValues } from "../../adapters/page/guide/guide_values.ts";

const SETTINGS = { assets: [], marketTimeZone: "Asia/Tehran", quotaTimeZone: "UTC", staleThresholdMinutes: 60, maxCandles: 10_000 };

test("guide: numbers of a Persian text, its own and those of the settings, have the digits that the reader wants", () => {
  const values = guideValues({ settings: SETTINGS, baseUrl: "http://localhost:8080", key: "KEY" }, "fa");
  const text = "۳۱ روز، {{maxCandles}} کندل، ۱۹۰٬۵۰۰٫۵ تومان، {{marketTimeZone}}";
  assert.equal(proseOf(text, values, { digits: "persian" }), "۳۱ روز، ۱۰٬۰۰۰ کندل، ۱۹۰٬۵۰۰٫۵ تومان، Asia/Tehran");
  assert.equal(proseOf(text, values, { digits: "latin" }), "31 روز، 10,000 کندل، 190,500.5 تومان، Asia/Tehran");
});

test("guide: the examples name the dollar and Bitcoin, or the first assets of another catalog, and the dollar of none", () => {
  const asset = (code: string) => ({ code, baseCode: code, category: "FX", labelEn: code, labelFa: code, quoteUnit: "RLS" });
  const codes = (...all: readonly string[]): unknown => {
    const values = guideValues({ settings: { ...SETTINGS, assets: all.map(asset) }, baseUrl: "", key: "" }, "en");
    return [values.get("code"), values.get("codes")];
  };
  assert.deepEqual(codes("EUR_RLS", "BTC_USD", "USD_RLS"), ["USD_RLS", "USD_RLS,BTC_USD"]);
  assert.deepEqual(codes("SAFFRON_RLS", "SUGAR_RLS"), ["SAFFRON_RLS", "SAFFRON_RLS,SUGAR_RLS"]);
  assert.deepEqual(codes("BTC_USD"), ["BTC_USD", "BTC_USD"]);
  assert.deepEqual(codes(), ["USD_RLS", "USD_RLS"]);
});
