import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS, defineAsset } from "../../../core/market/assets.ts";
import { suggestAssets } from "../../../core/queries/suggest_assets.ts";

const RIAL = "(rial; 10 rial are 1 toman)";
const BITCOIN = `BTC_USD (US dollar) or BTC_RLS ${RIAL}`;

const CASES = [
  ["a code with toman", "USD_TMN", `USD_RLS ${RIAL}`],
  ["a code with another name of the toman", "USD_IRT", `USD_RLS ${RIAL}`],
  ["a base alone", "USD", `USD_RLS ${RIAL}`],
  ["a base with two quote units", "BTC", BITCOIN],
  ["a pair in the notation of exchanges", "BTCUSDT", BITCOIN],
  ["a pair with a slash", "btc/usdt", BITCOIN],
  ["a base whose code ends like a unit", "USDT", `USDT_USD (US dollar) or USDT_RLS ${RIAL}`],
  ["the beginning of codes", "GOLD", `GOLD_18_RLS, GOLD_24_RLS or GOLD_MESGHAL_RLS ${RIAL}`],
  ["a Persian name of several assets", "دلار", `USD_RLS, CAD_RLS or HKD_RLS ${RIAL}`],
  ["a Persian name from an Arabic keyboard", "نيم سكه", `NIM_SEKKEH_RLS ${RIAL}`],
  ["an English name", "bitcoin cash", `BCH_USD (US dollar) or BCH_RLS ${RIAL}`],
  ["nothing that is known", "XYZ_RLS", ""],
  ["no text", "", ""],
  ["a letter in many names", "E", ""],
] as const;
for (const [rule, text, wanted] of CASES) {
  test(`suggest assets: ${rule}`, () => assert.equal(suggestAssets(ASSETS, text), wanted));
}

test("suggest assets: each unit appears once, after all codes with this unit", () => {
  const assets = ["GOLD_A_RLS", "GOLD_B_USD", "GOLD_C_RLS"].map((code) =>
    defineAsset({ code, category: "GOLD", nameEn: "Gold", nameFa: "طلا" }),
  );
  assert.equal(suggestAssets(assets, "USD_TMN"), "", "only assets of the catalog");
  assert.equal(suggestAssets(assets, "GOLD"), `GOLD_A_RLS or GOLD_C_RLS ${RIAL} or GOLD_B_USD (US dollar)`);
});
