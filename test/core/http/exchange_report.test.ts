import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../../adapters/http/node/sha256.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { createApi, Unavailable, type UtcMillis } from "../../../core/mod.ts";
import { type Ask, createFedWorld, fields, requestOf, type World } from "../../support/api_under_test.ts";

const LATEST = "/api/v1/assets/USD_RLS";
const ROUTE = "/api/v1/assets/{assetName}";

async function reportOf({ api, key }: World, target: string, ask: Ask = {}) {
  const answer = await api(requestOf(target, { key, ...ask }));
  assert.ok(answer.report, "the answer has a report");
  assert.equal(answer.report.requestId, answer.headers[answer.headers.indexOf("X-Request-Id") + 1]);
  return { status: answer.status, ...answer.report };
}

test("the report of an answer: names the route, the account and the id of the key, never the key", async () => {
  const world = await createFedWorld();
  const report = await reportOf(world, LATEST);
  const [entry] = world.store.accounts.book().keys;
  const { requestId: _, ...rest } = report;
  assert.deepEqual(rest, {
    ...{ status: 200, route: ROUTE, accountId: "account-1", keyId: entry!.id, plan: "PLAN_1" },
    ...{ code: undefined, isCached: false, units: "taken" },
  });
  assert.equal(JSON.stringify(report).includes(world.key), false);
});

test("the report of an answer: stays the same when a target is requested again, except that it states whether the body was cached", async () => {
  const world = await createFedWorld();
  for (const wanted of [false, false, true, true]) {
    const { route, units, accountId, isCached } = await reportOf(world, LATEST);
    assert.deepEqual([route, units, accountId, isCached], [ROUTE, "taken", "account-1", wanted]);
  }
  await world.feed(["USD_RLS", 1_906_000, "2026-11-21T09:30:00Z"]);
  assert.equal((await reportOf(world, LATEST)).isCached, false);
});

const PREFLIGHT = ["Origin", "https://a.example", "Access-Control-Request-Method", "GET"];
const POST = { method: "POST", body: "[]", headers: ["Content-Type", "application/json"] };
const ME = "account-1";
const cases = [
  ["an unknown path, without a route", "/nothing", {}, 404, undefined, undefined, "ROUTE_NOT_FOUND", "free"],
  ["another method", LATEST, { method: "DELETE" }, 405, ROUTE, undefined, "METHOD_NOT_ALLOWED", "free"],
  ["a preflight", LATEST, { method: "OPTIONS", headers: PREFLIGHT }, 204, ROUTE, undefined, undefined, "free"],
  ["no key", LATEST, { key: null }, 401, ROUTE, undefined, "API_KEY_MISSING", "free"],
  ["a wrong key", LATEST, { key: "mz_live_no" }, 401, ROUTE, undefined, "API_KEY_INVALID", "free"],
  ["a failure that is free", "/api/v1/assets/EUR_RLS", {}, 404, ROUTE, ME, "ASSET_NOT_FOUND", "given back"],
  ["a failure of the full list", "/api/v1/assets?codes=", {}, 400, "/api/v1/assets", ME, "INVALID_CODES", "taken"],
  ["a POST", LATEST, POST, 400, ROUTE, ME, "INVALID_BODY", "given back"],
  ["the access route", "/api/v1/access", {}, 200, "/api/v1/access", ME, undefined, "free"],
] as const;
for (const [rule, target, asked, ...wanted] of cases) {
  test(`the report of an answer: status, route, account, code and units of ${rule}`, async () => {
    const { status, route, accountId, keyId, code, units } = await reportOf(await createFedWorld(), target, asked);
    assert.deepEqual([status, route, accountId, code, units], wanted);
    assert.equal(keyId === undefined, accountId === undefined);
  });
}

test("the report of an answer: names the caller even if the unit is denied or the ledger fails", async () => {
  const world = await createFedWorld();
  const { id, key } = await world.account({ units: 1 });
  assert.equal((await reportOf(world, LATEST, { key })).units, "taken");
  const denied = await reportOf(world, LATEST, { key });
  assert.deepEqual([denied.status, denied.units, denied.accountId, denied.route], [429, "denied", id, ROUTE]);
  const { quota } = createMemoryStore();
  const broken = { ...quota, take: () => Promise.reject(new Unavailable("disk full", 5)) };
  const { status, code, route, accountId, units } = await reportOf(await createFedWorld({ quota: broken }), LATEST);
  assert.deepEqual([status, code, route, accountId, units], [503, "UNAVAILABLE", ROUTE, ME, "free"]);
});

test("the report of an answer: names a revoked or expired key and its account, although the client gets the same answer as for a wrong key", async () => {
  for (const op of ["key.revoke", "key.expire"] as const) {
    const world = await createFedWorld();
    const { id, key } = await world.account({ units: 1 });
    const { id: keyId } = world.store.accounts.book().keys.at(-1)!;
    world.store.accounts.update([{ op, id: keyId, at: "2026-01-01T00:00:00Z" }]);
    const report = await reportOf(world, LATEST, { key });
    assert.deepEqual(
      [report.status, report.code, report.accountId, report.keyId, report.units],
      [401, "API_KEY_INVALID", id, keyId, "free"],
    );
  }
});

test("the report of an answer: refusals of the server, and answers that could not be sent, have no route", async () => {
  const { api, store } = await createFedWorld();
  const head = { method: "GET", target: LATEST, headers: fields([]) };
  const refused = api.refuse(head, { code: "UNAVAILABLE" }).report;
  assert.deepEqual([refused?.code, refused?.route, refused?.units], ["UNAVAILABLE", undefined, "free"]);
  assert.equal(api.fail(head, new Error("no")).report?.code, "INTERNAL_ERROR");
  const clock = (): UtcMillis => NaN as UtcMillis;
  const broken = createApi({ ...store, clock, requestIds: () => "req_a", sha256: nodeSha256 });
  const { status, report } = broken.refuse(head, { code: "UNAVAILABLE" });
  assert.deepEqual([status, report?.code, report?.requestId], [500, "INTERNAL_ERROR", "req_a"]);
});
