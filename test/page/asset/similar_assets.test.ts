import assert from "node:assert/strict";
import { test } from "node:test";
import { similarAssets } from "../../../adapters/page/browser/asset/similar_assets.ts";
import { ASSETS } from "../../../core/mod.ts";

const cases = [
  ["a code in lower case", "usd_rls", "USD_RLS"],
  ["a code with another sign between", "BTC-USD", "BTC_USD"],
  ["a code without a sign", "btcusd", "BTC_USD"],
  ["a base alone", "eur", "EUR_RLS"],
  ["a unit that the contract does not have", "BTC_EUR", "BTC_USD"],
] as const;
for (const [rule, text, code] of cases) {
  test(`similar assets: ${rule} leads to the asset`, () => assert.equal(similarAssets(text, ASSETS)[0]?.code, code));
}

test("similar assets: five at most, and none for what is like nothing", () => {
  assert.ok(similarAssets("US", ASSETS).length <= 5, String(similarAssets("US", ASSETS).length));
  assert.deepEqual(similarAssets("<script>", ASSETS).filter(({ code }) => !code.startsWith("SC")), []);
  assert.deepEqual(similarAssets("", ASSETS), []);
  assert.deepEqual(similarAssets("؟؟؟", ASSETS), []);
});
