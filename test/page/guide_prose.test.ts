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
