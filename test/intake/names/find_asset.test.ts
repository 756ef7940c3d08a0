import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PRICE_SERVICES } from "../../../adapters/intake/names/alias_table.ts";
import { createAssetNames, findService } from "../../../adapters/intake/names/find_asset.ts";
import { splitCsv } from "../../../adapters/intake/tables/split_fields.ts";
import { ASSETS, defineAsset } from "../../../core/mod.ts";

const names = createAssetNames(ASSETS);
const SERVICES = new Map(PRICE_SERVICES.map((service) => [service.name as string, service]));

/** The meaning of a name, e.g. `JPY_RLS per 100 in toman`; empty if the name means no asset. */
function read(name: string, service?: string): string {
  const { codes, per, unit } = names.find(name, SERVICES.get(service ?? ""));
  return (
    codes.join(" ") + (per === 1 ? "" : ` per ${per}`) + (codes.length === 0 || unit === undefined ? "" : ` in ${unit}`)
  );
}

/** Each meaning with the names for it. */
const NAMES: Readonly<Record<string, string>> = {
  "": ` | پوند سوریه | دلار سلیمانیه | دلار خرید | دلار (هزار تومان) | قیمت | قیمت (دلار) | price_usd | EURUSD | ریال
    تومان | IRT | azadi12 | 🇸🇾 پوند | طلا انس | coin | 100 سکه | date`,
  USD_RLS: `دلار | دلار آمریکا | دلار امريكا | قیمت دلار | نرخ دلار امروز | usd_rls | USD-RLS | usd | usd price
    🇺🇸 دلار | US Dollar / Iranian Rial | USD دلار | یک دلار | دلار فروش`,
  "USD_RLS in toman": "دلار (تومان) | USD_IRT | دلار به تومان",
  "USD_RLS in rial": "USD/IRR | قیمت دلار به ریال",
  "CAD_RLS USD_RLS": "🇨🇦 دلار",
  EUR_RLS: "يورو | €",
  SEKKEH_RLS: "سکه امامی | سكهٔ امامي | سکه تمام بهار آزادی طرح جدید | IR_COIN_EMAMI | sekee",
  BAHAR_RLS: "سکه بهار آزادی (طرح قدیم) | سکه بهار آزادی",
  "SEKKEH_RLS BAHAR_RLS": "سکه تمام | full_coin",
  NIM_SEKKEH_RLS: "نیم‌سکه | نیمسکه | azadi1_2 | ½ Azadi",
  GOLD_18_RLS: "طلای ۱۸ عیار | طلای ١٨ عیار | طلا | geram18",
  "GOLD_18_RLS GOLD_OUNCE_USD": "gold",
  "GOLD_OUNCE_USD in usd": "XAUUSD | XAU/USD | انس طلا به دلار",
  GOLD_MESGHAL_RLS: "مثقال | مظنه",
  "BHD_RLS IQD_RLS KWD_RLS": "دینار",
  "BTC_USD BTC_RLS": "BTC | بیت کوین | Bitcoin (BTC) | btc-bitcoin",
  BTC_USD: "btc_usd | BTC-USD | BTCUSD",
  "BTC_USD in usd": "BTCUSDT | BTC/USDT | BINANCE:BTCUSDT | بیت کوین به دلار | crypto-bitcoin",
  "USDT_RLS in toman": "USDT/IRT | USDTTMN | تتر به تومان",
  "RLUSD_USD in usd": "RLUSDUSDT",
  "JPY_RLS per 100": "۱۰۰ ین ژاپن | یکصد ین | صد ین | JPY (100) | 100 JPY",
  "JPY_RLS per 10": "JPY (10) | ۱۰ ین",
  "SHIB_USD SHIB_RLS per 1000": "SHIB1000 | هزار شیبا",
  "SHIB_USD per 1000 in usd": "1000SHIBUSDT",
  "PEPE_RLS per 1000000 in toman": "1M_PEPEIRT",
};

test("names: each name means an asset with unit and scale, several possible assets, or nothing", () => {
  for (const [meaning, texts] of Object.entries(NAMES)) {
    for (const text of texts.split(/ \| |\n +/)) assert.equal(read(text), meaning, text);
  }
});

test("names: a known service is recognized by its names for assets; these names then have the units, scales and meanings of that service", () => {
  const tables = [
    ["date", "usd1", "usd2"],
    ["azadi1", "gol18"],
    ["price_dollar_rl"],
    ["btc-rls", "shib-rls"],
    ["usd1", "date"],
    ["USD_RLS"],
    ["price_usd", "price_eur"],
  ];
  const services = tables.map((keys) => findService(keys)?.name);
  assert.deepEqual(services, ["bonbast", "bonbast", "tgju", "nobitex", undefined, undefined, undefined]);
  const cases = [
    ["bonbast", "usd1", "USD_RLS in toman"],
    ["bonbast", "usd2", ""],
    ["bonbast", "jpy1", "JPY_RLS per 10 in toman"],
    ["bonbast", "iqd", "IQD_RLS per 100 in toman"],
    ["bonbast", "ounce", "GOLD_OUNCE_USD"],
    ["bonbast", "bitcoin", "BTC_USD"],
    ["bonbast", "USD_RLS", "USD_RLS"],
    ["tgju", "price_jpy", "JPY_RLS per 100 in rial"],
    ["tgju", "۱۰ ین", "JPY_RLS per 10 in rial"],
    ["tgju", "silver", "SILVER_OUNCE_USD"],
    ["nobitex", "SHIBIRT", "SHIB_RLS per 1000 in rial"],
    ["nobitex", "BTCIRT", "BTC_RLS in rial"],
    ["nobitex", "btc-usdt", "BTC_USD in usd"],
  ] as const;
  for (const [service, name, meaning] of cases) assert.equal(read(name, service), meaning, `${service} ${name}`);
});

test("names: the operator's assets are found by code and name; names given to the command take precedence", () => {
  const nok = defineAsset({ code: "SYP_RLS", category: "FX", nameEn: "Syrian Pound", nameFa: "پوند سوریه" });
  const own = createAssetNames(
    [...ASSETS.filter(({ code }) => code !== "GBP_RLS"), nok],
    new Map([
      ["دلار", "EUR_RLS"],
      ["x", "BTC_USD"],
    ]),
  );
  const found = ["syp_rls", "پوند سوريه", "SYP/IRR", "دلار", "X", "پوند"].map((text) => own.find(text).codes.join());
  assert.deepEqual(found, ["SYP_RLS", "SYP_RLS", "SYP_RLS", "EUR_RLS", "BTC_USD", ""]);
});

test("names: names from public programs and sites never mean a wrong asset", () => {
  const file = join(process.env["MAZANEH_TEST_DATA"] ?? "", "../aliases/aliases.csv");
  const rows = existsSync(file)
    ? readFileSync(file, "utf8").trim().split("\n").slice(1)
    : ["USD_RLS,دلار آمریکا,persian,", "BTC_RLS,BTCIRT,nobitex,"];
  let right = 0;
  for (const row of rows) {
    const fields = splitCsv(row);
    assert.ok(fields.ok, row);
    const [code = "", name = "", kind = ""] = fields.value;
    const { codes } = names.find(name, SERVICES.get(kind));
    const isLeftOut = /^(?:persian-country|misspelling|sign)$/.test(kind) || name === "coin";
    assert.ok(codes.some((one) => one === code) || (codes.length === 0 && isLeftOut), `${row}: ${codes.join()}`);
    if (codes.length === 1) right++;
  }
  assert.ok(right > 0.9 * rows.length, `${right} of ${rows.length} are recognized`);
});
