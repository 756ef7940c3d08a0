import assert from "node:assert/strict";
import test from "node:test";
import { fold } from "../../../adapters/intake/names/fold_text.ts";
import { matches, meant } from "../../../adapters/page/browser/data/asset_search.ts";
import { entriesOf } from "../../../adapters/page/browser/data/market_entries.ts";
import { ASSETS } from "../../../core/mod.ts";

const entries = entriesOf(ASSETS, new Map(), "en");

function codes(query: string): readonly string[] {
  return matches(entries, query).map(({ asset }) => asset.code);
}

const same = [
  ["Arabic letters", "ريال سعودي", "ریال سعودی"],
  ["Arabic kaf", "بيت‌كوين", "بیت‌کوین"],
  ["without the non-joiner", "بیتکوین", "بیت‌کوین"],
  ["digits of three scripts", "طلای ۱۸ و ١٨", "طلای 18 و 18"],
  ["a letter with madda", "آمریکا", "امریکا"],
  ["a letter with a combining madda", "آمریکا", "آمریکا"],
  ["hamza on heh", "سکهٔ", "سکه"],
  ["marks of direction", "\u200fدلار\u200e", "دلار"],
] as const;
test("search: spellings that count as the same", () => {
  for (const [rule, one, other] of same) assert.equal(fold(one), fold(other), rule);
});

const firsts = [
  ["دلار آمریکا", "USD_RLS"],
  ["دلار امريكا", "USD_RLS"],
  ["usd_rls", "USD_RLS"],
  ["usdrls", "USD_RLS"],
  ["بیت کوین", "BTC_USD"],
  ["١٨", "GOLD_18_RLS"],
  ["طلای ۱۸", "GOLD_18_RLS"],
  ["دلار آزاد", "USD_RLS"],
  ["XAU", "GOLD_OUNCE_USD"],
  ["BTC/USDT", "BTC_USD"],
  ["USDTIRT", "USDT_RLS"],
  ["dollar", "USD_RLS"],
  ["دلار", "USD_RLS"],
  ["lira", "TRY_RLS"],
  ["لیر", "TRY_RLS"],
  ["bit", "BTC_USD"],
  ["سکه", "SEKKEH_RLS"],
  ["بهار", "BAHAR_RLS"],
  ["gold ounce", "GOLD_OUNCE_USD"],
  ["eth", "ETH_USD"],
  ["yoro", "EUR_RLS"],
  ["derham", "AED_RLS"],
  ["tala 24", "GOLD_24_RLS"],
  ["bors", "STOCK_IR"],
] as const;
test("search: names in both languages, other spellings and exchange codes find the intended asset first", () => {
  for (const [query, code] of firsts) assert.equal(codes(query)[0], code, query);
});

test("search: “dollar” does not find assets that are only quoted in dollars, but “bitcoin dollar” does", () => {
  const found = ["dollar", "دلار", "دلار آمریکا"].map((query) => codes(query).includes("BTC_USD"));
  assert.deepEqual(found, [false, false, false]);
  assert.deepEqual(codes("bitcoin dollar"), ["BTC_USD", "BCH_USD"]);
});

test("search: a mistyped word is read as the closest word of a name; an unknown word, or text without letters and digits, finds nothing", () => {
  const read = (query: string): readonly [string, string | undefined] => [
    meant(entries, query),
    codes(meant(entries, query))[0],
  ];
  assert.deepEqual(read("dolar"), ["dollar", "USD_RLS"]);
  assert.deepEqual(read("canadian dolar"), ["canadian dollar", "CAD_RLS"]);
  assert.deepEqual(read("Tethr"), ["tether", "USDT_USD"]);
  assert.deepEqual(read("دولاار"), ["دولار", "USD_RLS"]);
  for (const query of ["qwertz", "", "  ", "_", "\u200c", "xy", "mz_live_9JJQRVx"])
    assert.deepEqual(codes(meant(entries, query)), [], query);
});
