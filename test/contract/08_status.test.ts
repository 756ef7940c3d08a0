import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiRequest, CalendarDate } from "../../core/mod.ts";
import { err } from "../../core/result.ts";
import { assertFailure, createWorld, fields, objectOf, textOf } from "../support/api_under_test.ts";

const PATH = "/api/v1/status";

// Written out here on purpose, in the contract's order: a list made by the code under test would agree with any mistake in it.
const ENDPOINTS = [
  "GET /api/v1/assets",
  "GET /api/v1/assets/supported",
  "GET /api/v1/assets/{assetName}",
  "GET /api/v1/assets/{assetName}/{date}",
  "GET /api/v1/assets/{assetName}/history",
  "GET /api/v1/assets/{assetCode}/ohlc",
  "POST /api/v1/assets/{assetName}",
  "GET /api/v1/status",
  "GET /api/v1/access",
];

test("status: the six fields of the contract, and the nine routes in its order, without a key: 200", async () => {
  const world = await createWorld();
  const reply = await world.ask(PATH, { key: null, headers: ["Host", "prices.example"] });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, {
    status: "OK",
    application: "mazaneh",
    apiVersion: "v1",
    serverTime: "2026-11-21T10:00:00.000Z",
    documentationUrl: "http://prices.example/docs",
    endpoints: ENDPOINTS,
  });
});

test("status: the server's time is the clock's: 200", async () => {
  const world = await createWorld();
  world.setNow("2028-02-29T23:59:59.999Z");
  assert.equal(objectOf((await world.ask(PATH)).json)["serverTime"], "2028-02-29T23:59:59.999Z");
});

test("status: says UNAVAILABLE while no request with a key can be served, and OK again after that: 200", async () => {
  let canServe = false;
  const world = await createWorld({ canServe: () => canServe });
  const reply = await world.ask(PATH, { key: null });
  assert.deepEqual([reply.status, objectOf(reply.json)["status"]], [200, "UNAVAILABLE"]);
  assert.deepEqual(objectOf(reply.json)["endpoints"], ENDPOINTS);
  canServe = true;
  assert.equal(objectOf((await world.ask(PATH, { key: null })).json)["status"], "OK");
});

const links: readonly (readonly [
  rule: string,
  documentationUrl: string | undefined,
  headers: readonly string[],
  url: string,
])[] = [
  ["the server as the client named it", undefined, ["Host", "prices.example"], "http://prices.example/docs"],
  ["with its port", undefined, ["host", "prices.example:8080"], "http://prices.example:8080/docs"],
  ["by an IPv6 address", undefined, ["HOST", "[::1]:8080"], "http://[::1]:8080/docs"],
  ["localhost where the client named none", undefined, [], "http://localhost/docs"],
  ["localhost where the client named nothing", undefined, ["Host", ""], "http://localhost/docs"],
  ["localhost where a path hides in the name", undefined, ["Host", "prices.example/evil"], "http://localhost/docs"],
  ["localhost where a user hides in the name", undefined, ["Host", "user@evil.example"], "http://localhost/docs"],
  ["localhost where markup hides in the name", undefined, ["Host", 'a"><script>'], "http://localhost/docs"],
  ["localhost where the name is endless", undefined, ["Host", "a".repeat(300)], "http://localhost/docs"],
  ["a path by setting", "/help/index.html", ["Host", "prices.example"], "http://prices.example/help/index.html"],
  [
    "another server by setting",
    "https://docs.example/mazaneh",
    ["Host", "prices.example"],
    "https://docs.example/mazaneh",
  ],
];
for (const [rule, documentationUrl, headers, url] of links) {
  test(`status: the documentation link names ${rule}: 200`, async () => {
    const world = await createWorld(documentationUrl === undefined ? {} : { documentationUrl });
    assert.equal(objectOf((await world.ask(PATH, { key: null, headers })).json)["documentationUrl"], url);
  });
}

function plain(target: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: "GET", target, headers: fields([]), scheme: "http", text: async () => err("TOO_LARGE"), ...more };
}

test("status: reached by https the documentation link is https: 200", async () => {
  const { api } = await createWorld();
  const { body } = await api(plain(PATH, { scheme: "https", headers: fields(["Host", "prices.example"]) }));
  assert.equal(objectOf(JSON.parse(textOf(body)))["documentationUrl"], "https://prices.example/docs");
});

test("status: the name of the application is a setting: 200", async () => {
  const { api } = await createWorld({ application: "<b>R&D</b>" });
  assert.equal(objectOf(JSON.parse(textOf((await api(plain(PATH))).body)))["application"], "<b>R&D</b>");
});

const callers: readonly (readonly [rule: string, headers: readonly string[]])[] = [
  ["no key", []],
  ["a malformed key", ["X-API-Key", "nonsense"]],
  ["two different keys", ["X-API-Key", "one", "Authorization", "ApiKey two"]],
  ["a Bearer token", ["Authorization", "Bearer token"]],
];
for (const [rule, headers] of callers) {
  test(`status: with ${rule} the answer is the same, and reports no quota: 200`, async () => {
    const world = await createWorld();
    const reply = await world.ask(PATH, { key: null, headers });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json, (await world.ask(PATH)).json);
    assert.deepEqual(
      Object.keys(reply.headers).filter((name) => /ratelimit|www-authenticate/i.test(name)),
      [],
    );
  });
}

test("status: costs nothing, and is answered when the quota is used up, or the account is disabled: 200", async () => {
  const world = await createWorld();
  const [spent, disabled] = [await world.account({ units: 1 }), await world.account({ status: "DISABLED" })];
  await world.ask("/api/v1/assets", { key: spent.key });
  assert.equal((await world.ask("/api/v1/assets", { key: spent.key })).status, 429);
  for (const { key } of [spent, disabled]) {
    const reply = await world.ask(PATH, { key });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["RateLimit"], undefined);
  }
  assert.equal(world.store.quota.used(spent.id, "2026-11-21" as CalendarDate), 1);
});

test("status: needs no store: 200 while every port fails", async () => {
  function down(): never {
    throw new Error("down");
  }
  const { api } = await createWorld({
    observations: { latest: down, coverage: down, lastOfEach: down, candles: down, version: down },
    accounts: { find: down },
    quota: { take: down, giveBack: down, used: down },
    sha256: down,
  });
  assert.equal((await api(plain(PATH))).status, 200);
});

test("status: HEAD is answered as GET, other methods are not: 200 and 405", async () => {
  const world = await createWorld();
  assert.equal((await world.ask(PATH, { method: "HEAD", key: null })).status, 200);
  assertFailure(await world.ask(PATH, { method: "POST", key: null }), 405, "METHOD_NOT_ALLOWED");
});

test("status: a query is ignored: 200", async () => {
  const world = await createWorld();
  assert.equal((await world.ask(`${PATH}?verbose=1&verbose=2&api_key=x`, { key: null })).status, 200);
});
