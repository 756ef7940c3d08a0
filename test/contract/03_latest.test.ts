import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFailure, createWorld, objectOf, type World } from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";

async function valueOf(world: World, path = USD): Promise<unknown> {
  const reply = await world.ask(path);
  assert.equal(reply.status, 200, reply.text);
  return objectOf(reply.json)["value"];
}

test("latest: one record with the eight fields of the contract: 200", async () => {
  const world = await createWorld();
  await world.feed(["XAUT_USD", 4_120.75, "2026-11-21T09:59:59.999Z"]);
  const reply = await world.ask("/api/v1/assets/XAUT_USD");
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

const orders: readonly (readonly [
  rule: string,
  records: readonly (readonly [value: number, time: string])[],
  value: number,
])[] = [
  [
    "the record with the latest business time",
    [
      [1, "2026-11-20T09:00:00Z"],
      [2, "2026-11-21T09:00:00Z"],
    ],
    2,
  ],
  [
    "the latest business time, not the latest arrival",
    [
      [2, "2026-11-21T09:00:00Z"],
      [1, "2026-11-20T09:00:00Z"],
    ],
    2,
  ],
  [
    "the latest to the millisecond",
    [
      [2, "2026-11-21T09:00:00.001Z"],
      [1, "2026-11-21T09:00:00.000Z"],
    ],
    2,
  ],
  [
    "of two records of one business time the one that came later",
    [
      [1, "2026-11-21T09:00:00Z"],
      [2, "2026-11-21T09:00:00Z"],
    ],
    2,
  ],
  [
    "one business time written with another offset is the same",
    [
      [1, "2026-11-21T09:00:00Z"],
      [2, "2026-11-21T12:30:00+03:30"],
    ],
    2,
  ],
  [
    "correcting an earlier record leaves the latest",
    [
      [1, "2026-11-20T09:00:00Z"],
      [2, "2026-11-21T09:00:00Z"],
      [3, "2026-11-20T09:00:00Z"],
    ],
    2,
  ],
  ["an old record where nothing newer came", [[7, "2011-03-01T00:00:00Z"]], 7],
];
for (const [rule, records, value] of orders) {
  test(`latest: ${rule}: 200`, async () => {
    const world = await createWorld();
    for (const [each, time] of records)
      await world.feed(["USD_RLS", each, time], ["EUR_RLS", 9, "2026-11-21T09:30:00Z"]);
    assert.equal(await valueOf(world), value);
  });
}

test("latest: assets are not mixed up, also when one base has two quotes: 200", async () => {
  const world = await createWorld();
  await world.feed(["BTC_USD", 91_000, "2026-11-21T09:00:00Z"], ["BTC_RLS", 95_550_000_000, "2026-11-21T09:30:00Z"]);
  assert.equal(await valueOf(world, "/api/v1/assets/BTC_USD"), 91_000);
  assert.equal(await valueOf(world, "/api/v1/assets/BTC_RLS"), 95_550_000_000);
});

const spellings = [
  ["a percent-encoded code is that code", "/api/v1/assets/%55SD%5FRLS"],
  ["a query is ignored, known nowhere here", `${USD}?codes=BTC_USD&codes=x&from=1`],
  ["a target in absolute form is the same target", `http://elsewhere.example:81${USD}`],
] as const;
for (const [rule, path] of spellings) {
  test(`latest: ${rule}: 200`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 5, "2026-11-21T09:00:00Z"]);
    assert.equal(await valueOf(world, path), 5);
  });
}

test("latest: an asset of the catalog without a record: 404", async () => {
  const world = await createWorld();
  await world.feed(["EUR_RLS", 5, "2026-11-21T09:00:00Z"]);
  assert.match(assertFailure(await world.ask(USD), 404, "ASSET_NOT_FOUND"), /USD_RLS/);
});

const unknown = [
  ["an unknown code is named", "ABC_RLS", /"ABC_RLS"/],
  ["the answer to a code in lower case has the right spelling", "usd_rls", /"usd_rls".*\bUSD_RLS\b/],
  ["a slug is no code", "gold_18_rls", /\bGOLD_18_RLS\b/],
  ["the answer to a code in mixed case has the right spelling", "Btc_Usd", /"Btc_Usd".*\bBTC_USD\b/],
  ["a base is no code", "USD", /"USD"/],
  ["a pair that the catalog does not have", "EUR_USD", /"EUR_USD"/],
  ["a code with a blank behind it", "USD_RLS%20", /"USD_RLS "/],
  ["two codes are none", "USD_RLS,EUR_RLS", /"USD_RLS,EUR_RLS"/],
  ["the catalog route in another case", "Supported", /"Supported"/],
  ["Persian digits are no code", "GOLD_%DB%B1%DB%B8_RLS", /"GOLD_۱۸_RLS"/],
  ["__proto__", "__proto__", /"__proto__"/],
  ["constructor", "constructor", /"constructor"/],
  ["toString", "toString", /"toString"/],
  ["hasOwnProperty", "hasOwnProperty", /"hasOwnProperty"/],
  ["valueOf", "valueOf", /"valueOf"/],
] as const;
for (const [rule, segment, message] of unknown) {
  test(`latest: unknown symbol: ${rule}: 404`, async () => {
    const world = await createWorld();
    await world.feed(["USD_RLS", 5, "2026-11-21T09:00:00Z"]);
    assert.match(assertFailure(await world.ask(`/api/v1/assets/${segment}`), 404, "ASSET_NOT_FOUND"), message);
  });
}

test("latest: HEAD answers as GET: 200 and 404", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 5, "2026-11-21T09:00:00Z"]);
  const [head, get] = [await world.ask(USD, { method: "HEAD" }), await world.ask(USD)];
  assert.equal(head.status, 200);
  assert.equal(head.headers["ETag"], get.headers["ETag"]);
  assert.equal((await world.ask("/api/v1/assets/EUR_RLS", { method: "HEAD" })).status, 404);
});
