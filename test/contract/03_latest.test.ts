import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, objectOf } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";

const world = await createWorld();

test("latest: returns one record with the contract's eight fields: 200", async () => {
  const own = await createWorld();
  await own.feed(["XAUT_USD", 4_120.75, "2026-11-21T09:59:59.999Z"]);
  const reply = await own.ask("/api/v1/assets/XAUT_USD");
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, {
    code: "XAUT_USD",
    name: "XAUT_USD",
    slug: "xaut_usd",
    labelEn: "Tether Gold / US Dollar",
    labelFa: "تتر گلد / دلار آمریکا",
    quoteUnit: "USD",
    value: 4_120.75,
    businessTime: "2026-11-21T09:59:59.999Z",
  });
});

test("latest: an asset of the catalog without a record: 404", async () => {
  await world.feed(["EUR_RLS", 5, "2026-11-21T09:00:00Z"]);
  assert.match(assertFailure(await world.ask(USD), 404, "ASSET_NOT_FOUND"), /USD_RLS/);
});

// These records arrive one after the other in the same world.
const arrivals = [
  ["an old record and no newer one", 7, "2011-03-01T00:00:00Z", 7],
  ["a newer record", 1, "2026-11-21T08:00:00Z", 1],
  ["a record 1 ms newer", 2, "2026-11-21T08:00:00.001Z", 2],
  ["an older record that arrives later", 3, "2026-11-21T08:00:00.000Z", 2],
  ["a correction with another UTC offset", 4, "2026-11-21T11:30:00.001+03:30", 4],
  ["a correction of an earlier record", 5, "2011-03-01T00:00:00Z", 4],
] as const;
for (const [rule, value, businessTime, latest] of arrivals) {
  test(`latest: after ${rule}, returns the last version of the record with the latest business time: 200`, async () => {
    await world.feed(["USD_RLS", value, businessTime], ["USDT_RLS", 9, "2026-11-21T09:30:00Z"]);
    assert.equal(objectOf((await world.ask(USD)).json)["value"], latest);
  });
}

const spellings = [
  ["a percent-encoded code is decoded", "/api/v1/assets/%55SD%5FRLS"],
  ["a query is ignored, because the route has no parameters", `${USD}?codes=BTC_USD&codes=x&from=1`],
  ["a target in absolute form works, too", `http://elsewhere.example:81${USD}`],
] as const;
for (const [rule, path] of spellings) {
  test(`latest: ${rule}: 200`, async () => {
    assert.equal((await world.ask(path)).text, (await world.ask(USD)).text);
  });
}

const unknown = [
  ["the message names an unknown code", "ABC_RLS", /"ABC_RLS"/],
  ["the message corrects the case of a code", "Btc_Usd", /"Btc_Usd".*\bBTC_USD\b/],
  ["a slug is not a code", "gold_18_rls", /\bGOLD_18_RLS\b/],
  ["a base is not a code", "USD", /"USD"/],
  ["a pair that the catalog does not have", "EUR_USD", /"EUR_USD"/],
  ["a code followed by a blank", "USD_RLS%20", /"USD_RLS "/],
  ["two codes, separated by a comma", "USD_RLS,EUR_RLS", /"USD_RLS,EUR_RLS"/],
  ["Persian digits are not valid in a code", "GOLD_%DB%B1%DB%B8_RLS", /"GOLD_۱۸_RLS"/],
  ["__proto__", "__proto__", /"__proto__"/],
  ["hasOwnProperty", "hasOwnProperty", /"hasOwnProperty"/],
] as const;
for (const [rule, segment, message] of unknown) {
  test(`latest: unknown symbol: ${rule}: 404`, async () => {
    assert.match(assertFailure(await world.ask(`/api/v1/assets/${segment}`), 404, "ASSET_NOT_FOUND"), message);
  });
}
