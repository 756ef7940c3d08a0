import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, listOf, type Reply } from "../support/api_under_test.ts";

const PATH = "/api/v1/assets";

// Stored in another order than the catalog's. EUR_RLS and all other assets have no record.
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

test("assets: the full list has the latest record of each asset with data, in catalog order: 200", async () => {
  const reply = await world.ask(PATH);
  assert.equal(reply.status, 200);
  assert.deepEqual(
    listOf(reply.json).map(({ code, value, businessTime }) => [code, value, businessTime]),
    [
      ["USD_RLS", 1_050_000, "2026-11-21T09:59:30.250Z"],
      ["GOLD_18_RLS", 105_000_000, "2026-11-21T09:55:00.000Z"],
      ["STOCK_IR", 3_100_000.25, "2026-11-21T09:00:00.000Z"],
      ["BTC_USD", 91_250.5, "2026-11-21T09:58:00.000Z"],
    ],
  );
});

const ALL = ["USD_RLS", "GOLD_18_RLS", "STOCK_IR", "BTC_USD"];
const selections: readonly (readonly [rule: string, query: string, codes: readonly string[]])[] = [
  ["one code selects one asset, still in a list", "?codes=USD_RLS", ["USD_RLS"]],
  ["the answer is in catalog order", "?codes=BTC_USD,USD_RLS", ["USD_RLS", "BTC_USD"]],
  ["raw and encoded commas may be mixed", "?codes=BTC_USD%2cUSD_RLS,STOCK_IR", ["USD_RLS", "STOCK_IR", "BTC_USD"]],
  ["a percent-encoded letter is decoded", "?codes=%55SD%5FRLS", ["USD_RLS"]],
  ["blanks around a code are trimmed", "?codes=%20USD_RLS%20,%20BTC_USD%20", ["USD_RLS", "BTC_USD"]],
  ["a plus sign means a blank", "?codes=USD_RLS,+BTC_USD", ["USD_RLS", "BTC_USD"]],
  ["a repeated code is answered once", "?codes=USD_RLS,BTC_USD,USD_RLS", ["USD_RLS", "BTC_USD"]],
  ["a code without a record is left out", "?codes=EUR_RLS,USD_RLS", ["USD_RLS"]],
  ["an empty query changes nothing", "?", ALL],
  ["a parameter name in another case is ignored", "?Codes=BTC_USD", ALL],
  ["200 codes are allowed, counting repeated ones", `?codes=${"M_USD,".repeat(199)}USD_RLS`, ["USD_RLS"]],
];
for (const [rule, query, codes] of selections) {
  test(`assets: ${rule}: 200`, async () => {
    assert.deepEqual(codesOf(await world.ask(PATH + query)), codes);
  });
}

const refusals = [
  ["an empty list", "?codes=", /comma/],
  ["a missing value", "?codes", /comma/],
  ["a blank alone", "?codes=%20", /comma/],
  ["a trailing comma", "?codes=USD_RLS,", /comma/],
  ["a leading comma", "?codes=,USD_RLS", /comma/],
  ["an empty place in the list", "?codes=USD_RLS,,BTC_USD", /comma/],
  ["one unknown code among known ones", "?codes=USD_RLS,ABC_RLS,BTC_USD", /"ABC_RLS"/],
  ["a code in the wrong case (the message has the right one)", "?codes=usd_rls", /"usd_rls".*\bUSD_RLS\b/],
  ["a base without its quote unit", "?codes=USD", /"USD"/],
  ["another separator", "?codes=USD_RLS;BTC_USD", /"USD_RLS;BTC_USD"/],
  ["a text that is not percent-encoded UTF-8", "?codes=%zz", /"%zz"/],
  ["__proto__", "?codes=__proto__", /"__proto__"/],
  ["toString among known codes", "?codes=USD_RLS,toString", /"toString"/],
  ["more than 200 codes", `?codes=${"M_USD,".repeat(200)}USD_RLS`, /200/],
] as const;
for (const [rule, query, message] of refusals) {
  test(`assets: codes are refused for ${rule}: 400`, async () => {
    assert.match(assertFailure(await world.ask(PATH + query), 400, "INVALID_CODES"), message);
  });
}

test("assets: if no asset, or no requested one, has a record: 404", async () => {
  assertFailure(await (await createWorld()).ask(PATH), 404, "ASSET_NOT_FOUND");
  assertFailure(await world.ask(`${PATH}?codes=EUR_RLS,ETH_USD`), 404, "ASSET_NOT_FOUND");
});
