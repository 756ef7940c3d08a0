import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetCode } from "../../../core/branded_types.ts";
import { CURRENCY_NAMES } from "../../../core/market/asset_names.ts";
import { ASSETS, defineAsset, indexAssets } from "../../../core/market/assets.ts";

// Written out, because a table from the code under test would repeat the code's mistakes.
const CODES = `
  USD_RLS EUR_RLS SEKKEH_RLS NIM_SEKKEH_RLS ROB_SEKKEH_RLS BAHAR_RLS GERAMI_SEKKEH_RLS
  GOLD_18_RLS GOLD_24_RLS GOLD_MESGHAL_RLS
  GOLD_OUNCE_USD SILVER_OUNCE_USD PLATINUM_OUNCE_USD
  STOCK_IR
  AFN_RLS AED_RLS AMD_RLS AZN_RLS BHD_RLS BRL_RLS GBP_RLS CAD_RLS CHF_RLS DKK_RLS
  GEL_RLS HKD_RLS INR_RLS IQD_RLS KWD_RLS MYR_RLS NOK_RLS NZD_RLS OMR_RLS PKR_RLS
  QAR_RLS SAR_RLS SEK_RLS SGD_RLS THB_RLS TRY_RLS AUD_RLS JPY_RLS CNY_RLS RUB_RLS
  BTC_USD BTC_RLS ETH_USD ETH_RLS USDT_USD USDT_RLS BNB_USD BNB_RLS XRP_USD XRP_RLS
  USDC_USD USDC_RLS SOL_USD SOL_RLS TRX_USD TRX_RLS HYPE_USD HYPE_RLS DOGE_USD DOGE_RLS
  ZEC_USD ZEC_RLS LINK_USD LINK_RLS ADA_USD ADA_RLS XLM_USD XLM_RLS DAI_USD DAI_RLS
  BCH_USD BCH_RLS USDE_USD USDE_RLS USD1_USD USD1_RLS CC_USD CC_RLS LTC_USD LTC_RLS
  USDG_USD USDG_RLS HBAR_USD HBAR_RLS AVAX_USD AVAX_RLS SUI_USD SUI_RLS SHIB_USD SHIB_RLS
  PYUSD_USD PYUSD_RLS XAUT_USD XAUT_RLS CRO_USD CRO_RLS TAO_USD TAO_RLS UNI_USD UNI_RLS
  NEAR_USD NEAR_RLS OKB_USD OKB_RLS PAXG_USD PAXG_RLS WLFI_USD WLFI_RLS RLUSD_USD RLUSD_RLS
  ASTER_USD ASTER_RLS ONDO_USD ONDO_RLS MNT_USD MNT_RLS M_USD M_RLS USDD_USD USDD_RLS
  AAVE_USD AAVE_RLS PUMP_USD PUMP_RLS SKY_USD SKY_RLS DOT_USD DOT_RLS WLD_USD WLD_RLS
  ICP_USD ICP_RLS PEPE_USD PEPE_RLS ATOM_USD ATOM_RLS
`
  .trim()
  .split(/\s+/);

test("catalog: has the contract's codes, each once, in the contract's order", () => {
  assert.deepEqual(
    ASSETS.map(({ code }) => String(code)),
    CODES,
  );
  assert.equal(new Set(CODES).size, CODES.length);
});

test("catalog: an asset of each category has its base and labels", () => {
  for (const [code, category, baseCode, labelEn, labelFa] of [
    ["USD_RLS", "FX", "USD", "US Dollar / Iranian Rial", "دلار آمریکا / ریال ایران"],
    ["SEKKEH_RLS", "COIN", "SEKKEH", "Emami Gold Coin / Iranian Rial", "سکه امامی / ریال ایران"],
    ["GOLD_18_RLS", "GOLD", "GOLD_18", "18-Karat Gold (Gram) / Iranian Rial", "طلای ۱۸ عیار / ریال ایران"],
    ["GOLD_OUNCE_USD", "METAL", "GOLD_OUNCE", "Gold Ounce / US Dollar", "انس طلا / دلار آمریکا"],
    ["BTC_USD", "CRYPTO", "BTC", "Bitcoin / US Dollar", "بیت\u200cکوین / دلار آمریکا"],
  ] as const) {
    const quoteUnit = code.endsWith("_USD") ? "USD" : "RLS";
    const found = ASSETS.find((asset) => asset.code === code);
    assert.deepEqual(found, { code, baseCode, category, quoteUnit, labelEn, labelFa });
  }
});

test("labels: Persian names have only Persian letters and digits, half-spaces inside words, and no Arabic ي or ك", () => {
  for (const { code, labelFa } of ASSETS) {
    const [base = ""] = labelFa.split(" / ");
    assert.match(base, /^[ءآئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی۰-۹\u200c ()]+$/, code);
    assert.match(base, /[آ-ی]/, code);
    assert.doesNotMatch(labelFa, /(^|[ ()])\u200c|\u200c($|[ ()\u200c])| {2}|^ /, code);
  }
});

test("labels: the Persian name of a currency contains its country as the runtime names it", () => {
  const names = new Intl.DisplayNames("fa", { type: "currency" });
  // The market uses other names for these countries.
  const others = ["GBP", "NZD", "SAR"];
  for (const [base, , nameFa] of CURRENCY_NAMES) {
    const country = nameFa.split(" ").at(-1)!;
    assert.equal(names.of(base)!.includes(country), !others.includes(base), `${base}: ${nameFa}, ${names.of(base)}`);
  }
});

test("index and definition: a code occurs once, has 1 to 32 characters of A-Z, 0-9 and _, and does not begin with _", () => {
  const [usd] = ASSETS;
  assert.throws(() => indexAssets([...ASSETS, usd!]), { name: "RangeError", message: /"USD_RLS" twice/ });
  for (const code of ["", "usd_rls", "_USD", "USD-RLS", "USD RLS", "USD_RLS\n", "طلا", "A".repeat(33)]) {
    assert.throws(() => indexAssets([{ ...usd!, code: code as AssetCode }]), RangeError, code);
    assert.throws(() => defineAsset({ code, category: "FX", nameEn: "x", nameFa: "ایکس" }), RangeError, code);
  }
});

test("definition: derives base, unit and labels of an embedder's asset from its code and names", () => {
  const own = defineAsset({ code: "ZZZ_RLS", category: "FX", nameEn: "South Korean Won", nameFa: "وون کره جنوبی" });
  assert.deepEqual(own, {
    code: "ZZZ_RLS" as AssetCode,
    baseCode: "ZZZ",
    category: "FX",
    quoteUnit: "RLS",
    labelEn: "South Korean Won / Iranian Rial",
    labelFa: "وون کره جنوبی / ریال ایران",
  });
  assert.equal(indexAssets([...ASSETS, own]).size, ASSETS.length + 1);
});
