import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, objectOf } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";

const world = await createWorld();

test("latest: one record with the eight fields of the contract: 200", async () => {
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

// One after the other, in one world.
const arrivals = [
  ["an old record where nothing newer came", 7, "2011-03-01T00:00:00Z", 7],
  ["a newer one", 1, "2026-11-21T08:00:00Z", 1],
  ["one that is 1 ms newer", 2, "2026-11-21T08:00:00.001Z", 2],
  ["an older one that comes later", 3, "2026-11-21T08:00:00.000Z", 2],
  ["a correction, whose time has another offset", 4, "2026-11-21T11:30:00.001+03:30", 4],
  ["a correction of an earlier record", 5, "2011-03-01T00:00:00Z", 4],
] as const;
for (const [rule, value, businessTime, latest] of arrivals) {
  test(`latest: after ${rule} it has the latest business time, and of that what came last: 200`, async () => {
    await world.feed(["USD_RLS", value, businessTime], ["USDT_RLS", 9, "2026-11-21T09:30:00Z"]);
    assert.equal(objectOf((await world.ask(USD)).json)["value"], latest);
  });
}

const spellings = [
  ["a percent-encoded code is that code", "/api/v1/assets/%55SD%5FRLS"],
  ["a query is ignored, known nowhere here", `${USD}?codes=BTC_USD&codes=x&from=1`],
  ["a target in absolute form is the same target", `http://elsewhere.example:81${USD}`],
] as const;
for (const [rule, path] of spellings) {
  test(`latest: ${rule}: 200`, async () => {
    assert.equal((await world.ask(path)).text, (await world.ask(USD)).text);
  });
}

const unknown = [
  ["an unknown code is named", "ABC_RLS", /"ABC_RLS"/],
  ["the answer to a code in another case has the right spelling", "Btc_Usd", /"Btc_Usd".*\bBTC_USD\b/],
  ["a slug is no code", "gold_18_rls", /\bGOLD_18_RLS\b/],
  ["a base is no code", "USD", /"USD"/],
  ["a pair that the catalog does not have", "EUR_USD", /"EUR_USD"/],
  ["a code with a blank behind it", "USD_RLS%20", /"USD_RLS "/],
  ["two codes are none", "USD_RLS,EUR_RLS", /"USD_RLS,EUR_RLS"/],
  ["Persian digits are no code", "GOLD_%DB%B1%DB%B8_RLS", /"GOLD_۱۸_RLS"/],
  ["__proto__", "__proto__", /"__proto__"/],
  ["hasOwnProperty", "hasOwnProperty", /"hasOwnProperty"/],
] as const;
for (const [rule, segment, message] of unknown) {
  test(`latest: unknown symbol: ${rule}: 404`, async () => {
    assert.match(assertFailure(await world.ask(`/api/v1/assets/${segment}`), 404, "ASSET_NOT_FOUND"), message);
  });
}
