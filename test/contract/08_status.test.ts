import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalendarDate } from "../../core/mod.ts";
import { createWorld, replyOf, requestOf } from "../support/api_under_test.ts";

const PATH = "/api/v1/status";

// Written out in the contract's order, because a list from the code under test would repeat the code's mistakes.
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

test("status: needs no key, and has the contract's six fields and nine routes in their order: 200", async () => {
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

test("status: is UNAVAILABLE while no request with a key can be served, then OK again: 200", async () => {
  let canServe = false;
  const world = await createWorld({ canServe: () => canServe });
  const { json } = await world.ask(PATH, { key: null });
  assert.deepEqual([json["status"], json["endpoints"]], ["UNAVAILABLE", ENDPOINTS]);
  canServe = true;
  assert.equal((await world.ask(PATH, { key: null })).json["status"], "OK");
});

const HELP = "/help/index.html";
const OTHER = "https://docs.example/mazaneh";
const links: readonly (readonly [rule: string, host: string | undefined, url: string, documentationUrl?: string])[] = [
  ["the host that the client used", "prices.example:8080", "http://prices.example:8080/docs"],
  ["an IPv6 address", "[::1]:8080", "http://[::1]:8080/docs"],
  ["localhost if the request has no host", undefined, "http://localhost/docs"],
  ["localhost for an empty host", "", "http://localhost/docs"],
  ["localhost if the Host field also contains a path", "prices.example/evil", "http://localhost/docs"],
  ["localhost if the Host field also contains a user name", "user@evil.example", "http://localhost/docs"],
  ["localhost if the Host field contains markup", 'a"><script>', "http://localhost/docs"],
  ["localhost for a host that is too long", "a".repeat(300), "http://localhost/docs"],
  ["a path by setting", "prices.example", `http://prices.example${HELP}`, HELP],
  ["another server by setting", "prices.example", OTHER, OTHER],
];
for (const [rule, host, url, documentationUrl] of links) {
  test(`status: the documentation link has ${rule}: 200`, async () => {
    const world = await createWorld(documentationUrl === undefined ? {} : { documentationUrl });
    const reply = await world.ask(PATH, { key: null, headers: host === undefined ? [] : ["Host", host] });
    assert.equal(reply.json["documentationUrl"], url);
  });
}

test("status: the application's name is a setting, and the documentation link uses https if the request did: 200", async () => {
  const { api } = await createWorld({ application: "<b>R&D</b>" });
  const request = requestOf(PATH, { headers: ["Host", "prices.example"] });
  const { json } = replyOf(await api({ ...request, scheme: "https" }));
  assert.deepEqual([json["application"], json["documentationUrl"]], ["<b>R&D</b>", "https://prices.example/docs"]);
});

test("status: ignores a malformed key, two keys or a Bearer token, and reports no quota: 200", async () => {
  const world = await createWorld();
  for (const headers of [
    ["X-API-Key", "nonsense"],
    ["X-API-Key", "one", "Authorization", "ApiKey two"],
    ["Authorization", "Bearer token"],
  ]) {
    const reply = await world.ask(`${PATH}?verbose=1&verbose=2`, { key: null, headers });
    assert.deepEqual([reply.status, reply.json], [200, (await world.ask(PATH)).json]);
    assert.ok(!Object.keys(reply.headers).some((name) => /ratelimit|www-authenticate/i.test(name)), "no quota");
  }
});

test("status: costs nothing, and works even with a used-up quota or a disabled account: 200", async () => {
  const world = await createWorld();
  const [spent, disabled] = [await world.account({ units: 1 }), await world.account({ status: "DISABLED" })];
  await world.ask("/api/v1/assets", { key: spent.key });
  for (const { key } of [spent, disabled]) {
    const reply = await world.ask(PATH, { key });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["RateLimit"], undefined);
  }
  assert.equal(world.store.quota.used(spent.id, "2026-11-21" as CalendarDate), 1);
});

test("status: works without a store: 200 while every port fails", async () => {
  const down = (): never => assert.fail("down");
  const { api } = await createWorld({
    observations: { latest: down, coverage: down, lastOfEach: down, candles: down, version: down },
    accounts: { find: down },
    quota: { take: down, giveBack: down, used: down },
    sha256: down,
  });
  assert.equal((await api(requestOf(PATH))).status, 200);
});
