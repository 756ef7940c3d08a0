import assert from "node:assert/strict";
import { test } from "node:test";
import { ASSETS } from "../../core/mod.ts";
import { assertFailure, createWorld, listOf, type Reply } from "../support/api_under_test.ts";

const PATH = "/api/v1/assets";

// Fed in another order than the catalog's. EUR_RLS and all others have no record.
const world = await createWorld();
await world.feed(
  ["BTC_USD", 91_250.5, "2026-11-21T09:58:00Z"],
  ["STOCK_IR", 3_100_000.25, "2026-11-21T09:00:00Z"],
  ["USD_RLS", 1_050_000, "2026-11-21T09:59:30.250Z"],
  ["GOLD_18_RLS", 105_000_000, "2026-11-21T09:55:00Z"],
  ["USD_RLS", 1_040_000, "2026-11-20T09:00:00Z"],
);

function codesOf(reply: Reply): readonly unknown[] {
  assert.equal(reply.status, 200, reply.text);
  return listOf(reply.json).map((record) => record["code"]);
}

test("assets: the full list holds the latest record of each asset that has one, in the catalog's order: 200", async () => {
  const reply = await world.ask(PATH);
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, [
    {
      code: "USD_RLS",
      name: "USD_RLS",
      slug: "usd_rls",
      labelEn: "US Dollar / Iranian Rial",
      labelFa: "دلار آمریکا / ریال ایران",
      quoteUnit: "RLS",
      value: 1_050_000,
      businessTime: "2026-11-21T09:59:30.250Z",
    },
    {
      code: "GOLD_18_RLS",
      name: "GOLD_18_RLS",
      slug: "gold_18_rls",
      labelEn: "18-Karat Gold (Gram) / Iranian Rial",
      labelFa: "طلای ۱۸ عیار / ریال ایران",
      quoteUnit: "RLS",
      value: 105_000_000,
      businessTime: "2026-11-21T09:55:00.000Z",
    },
    {
      code: "STOCK_IR",
      name: "STOCK_IR",
      slug: "stock_ir",
      labelEn: "Tehran Stock Exchange Overall Index / Iranian Rial",
      labelFa: "شاخص کل بورس تهران / ریال ایران",
      quoteUnit: "RLS",
      value: 3_100_000.25,
      businessTime: "2026-11-21T09:00:00.000Z",
    },
    {
      code: "BTC_USD",
      name: "BTC_USD",
      slug: "btc_usd",
      labelEn: "Bitcoin / US Dollar",
      labelFa: "بیت\u200cکوین / دلار آمریکا",
      quoteUnit: "USD",
      value: 91_250.5,
      businessTime: "2026-11-21T09:58:00.000Z",
    },
  ]);
});

test("assets: with a record for each, all are answered in the catalog's order: 200", async () => {
  const full = await createWorld();
  const backwards = [...ASSETS].reverse();
  await full.feed(...backwards.map(({ code }, index) => [code, index + 1, "2026-11-21T09:00:00Z"] as const));
  assert.deepEqual(
    codesOf(await full.ask(PATH)),
    ASSETS.map(({ code }) => code),
  );
});

const selections: readonly (readonly [rule: string, query: string, codes: readonly string[]])[] = [
  ["one code selects one asset, still in a list", "?codes=USD_RLS", ["USD_RLS"]],
  [
    "codes are separated by commas, the answer keeps the catalog's order",
    "?codes=BTC_USD,USD_RLS",
    ["USD_RLS", "BTC_USD"],
  ],
  ["a percent-encoded comma separates as well", "?codes=BTC_USD%2CUSD_RLS", ["USD_RLS", "BTC_USD"]],
  ["raw and encoded commas may be mixed", "?codes=BTC_USD%2cUSD_RLS,STOCK_IR", ["USD_RLS", "STOCK_IR", "BTC_USD"]],
  ["a percent-encoded letter is that letter", "?codes=%55SD%5FRLS", ["USD_RLS"]],
  ["blanks around a code are trimmed", "?codes=%20USD_RLS%20,%20BTC_USD%20", ["USD_RLS", "BTC_USD"]],
  ["a plus sign is a blank", "?codes=USD_RLS,+BTC_USD", ["USD_RLS", "BTC_USD"]],
  ["a code named twice is answered once", "?codes=USD_RLS,BTC_USD,USD_RLS", ["USD_RLS", "BTC_USD"]],
  ["a code without a record is left out", "?codes=EUR_RLS,USD_RLS", ["USD_RLS"]],
  ["without codes the list is full", "", ["USD_RLS", "GOLD_18_RLS", "STOCK_IR", "BTC_USD"]],
  ["an empty query changes nothing", "?", ["USD_RLS", "GOLD_18_RLS", "STOCK_IR", "BTC_USD"]],
  [
    "a parameter in another case is another one, and ignored",
    "?Codes=BTC_USD",
    ["USD_RLS", "GOLD_18_RLS", "STOCK_IR", "BTC_USD"],
  ],
  ["parameters that are not known are ignored, also twice", "?a=1&codes=USD_RLS&a=2&__proto__=x", ["USD_RLS"]],
  ["200 codes, repeated ones counted, may be named", `?codes=${"M_USD,".repeat(199)}USD_RLS`, ["USD_RLS"]],
];
for (const [rule, query, codes] of selections) {
  test(`assets: ${rule}: 200`, async () => {
    assert.deepEqual(codesOf(await world.ask(PATH + query)), codes);
  });
}

const refusals = [
  ["an empty list is refused", "?codes=", /comma/],
  ["codes without a value is refused", "?codes", /comma/],
  ["blanks alone are refused", "?codes=%20", /comma/],
  ["a comma alone is refused", "?codes=,", /comma/],
  ["a trailing comma is refused", "?codes=USD_RLS,", /comma/],
  ["a leading comma is refused", "?codes=,USD_RLS", /comma/],
  ["a gap in the list is refused", "?codes=USD_RLS,,BTC_USD", /comma/],
  ["an unknown code is refused and named", "?codes=ABC_RLS", /"ABC_RLS"/],
  ["one unknown code among known ones refuses all", "?codes=USD_RLS,ABC_RLS,BTC_USD", /"ABC_RLS"/],
  ["a code in the wrong case is refused, and the right one named", "?codes=usd_rls", /"usd_rls".*\bUSD_RLS\b/],
  ["a code in mixed case is refused, and the right one named", "?codes=BTC_USD,Usd_Rls", /"Usd_Rls".*\bUSD_RLS\b/],
  ["a base without its quote unit is refused", "?codes=USD", /"USD"/],
  ["another separator is no comma", "?codes=USD_RLS;BTC_USD", /"USD_RLS;BTC_USD"/],
  ["a blank between codes is no comma", "?codes=USD_RLS%20BTC_USD", /"USD_RLS BTC_USD"/],
  ["a JSON list is no list of codes", '?codes=["USD_RLS"]', /"\["USD_RLS"\]"/],
  ["a text that is not percent-encoded UTF-8 is no code", "?codes=%zz", /"%zz"/],
  ["__proto__ is no code", "?codes=__proto__", /"__proto__"/],
  ["constructor is no code", "?codes=constructor", /"constructor"/],
  ["toString is no code", "?codes=USD_RLS,toString", /"toString"/],
  ["hasOwnProperty is no code", "?codes=hasOwnProperty", /"hasOwnProperty"/],
  ["more than 200 codes are refused", `?codes=${"M_USD,".repeat(200)}USD_RLS`, /200/],
] as const;
for (const [rule, query, message] of refusals) {
  test(`assets: ${rule}: 400`, async () => {
    assert.match(assertFailure(await world.ask(PATH + query), 400, "INVALID_CODES"), message);
  });
}

test("assets: codes given twice is refused, with the same value or not: 400", async () => {
  for (const query of [
    "?codes=USD_RLS&codes=BTC_USD",
    "?codes=USD_RLS&codes=USD_RLS",
    "?codes=USD_RLS&%63odes=BTC_USD",
  ]) {
    assert.match(assertFailure(await world.ask(PATH + query), 400, "DUPLICATE_PARAMETER"), /codes/);
  }
});

test("assets: when no asset at all has a record: 404", async () => {
  const empty = await createWorld();
  assertFailure(await empty.ask(PATH), 404, "ASSET_NOT_FOUND");
});

test("assets: when none of the named assets has a record: 404", async () => {
  assertFailure(await world.ask(`${PATH}?codes=EUR_RLS,ETH_USD`), 404, "ASSET_NOT_FOUND");
});

test("assets: HEAD answers as GET, field by field: 200", async () => {
  const varying = new Set(["X-Request-Id", "RateLimit", "X-RateLimit-Remaining"]);
  const fields = (reply: Reply): [string, string][] =>
    Object.entries(reply.headers).filter(([name]) => !varying.has(name));
  const head = await world.ask(PATH, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.deepEqual(fields(head), fields(await world.ask(PATH)));
  assert.equal((await world.ask(`${PATH}?codes=`, { method: "HEAD" })).status, 400);
});

test("assets: an operator's own catalog decides which codes there are, and their order: 200", async () => {
  const [usd, eur] = ASSETS;
  assert.ok(usd && eur, "the catalog has two assets");
  const own = await createWorld({ assets: [eur, usd] });
  await own.feed(["USD_RLS", 1, "2026-11-21T09:00:00Z"], ["EUR_RLS", 2, "2026-11-21T09:00:00Z"]);
  assert.deepEqual(codesOf(await own.ask(PATH)), ["EUR_RLS", "USD_RLS"]);
  assertFailure(await own.ask(`${PATH}?codes=BTC_USD`), 400, "INVALID_CODES");
});
