import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { nodeSha256 } from "../../../adapters/http/node/sha256.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { type ApiOptions, createApi, type ExchangeReport, Unavailable, type UtcMillis } from "../../../core/mod.ts";
import { type Ask, createFedWorld, fields, requestOf, type World } from "../../support/api_under_test.ts";

const LATEST = "/api/v1/assets/USD_RLS";
const LATEST_ROUTE = "/api/v1/assets/{assetName}";

async function reportOf({ api, key }: World, target: string, ask: Ask = {}) {
  const answer = await api(requestOf(target, { key, ...ask }));
  assert.ok(answer.report, "the answer has a report");
  assert.equal(answer.report.requestId, answer.headers[answer.headers.indexOf("X-Request-Id") + 1]);
  return { status: answer.status, ...answer.report };
}

suite("the report of an answer", () => {
  test("names the route, the account and the id of the key, never the key", async () => {
    const world = await createFedWorld();
    const report = await reportOf(world, LATEST);
    const [entry] = world.store.accounts.book().keys;
    const { requestId, ...rest } = report;
    assert.deepEqual(rest, {
      status: 200,
      route: LATEST_ROUTE,
      accountId: "account-1",
      keyId: entry!.id,
      plan: "PLAN_1",
      code: undefined,
      isCached: false,
      units: "taken",
    });
    assert.equal(JSON.stringify(report).includes(world.key), false);
  });

  test("is the same for a cached route match, and states whether the body was cached", async () => {
    const world = await createFedWorld();
    const seen = [];
    for (let i = 0; i < 4; i++) seen.push(await reportOf(world, LATEST));
    assert.deepEqual(
      seen.map(({ route, units, accountId }) => [route, units, accountId]),
      seen.map(() => [LATEST_ROUTE, "taken", "account-1"]),
    );
    assert.deepEqual(
      seen.map(({ isCached }) => isCached),
      [false, false, true, true],
    );
    await world.feed(["USD_RLS", 1_906_000, "2026-11-21T09:30:00Z"]);
    assert.equal((await reportOf(world, LATEST)).isCached, false);
  });

  const unnamed = { accountId: undefined, keyId: undefined };
  const preflight = ["Origin", "https://a.example", "Access-Control-Request-Method", "GET"];
  const json = ["Content-Type", "application/json"];
  type Wanted = Readonly<Partial<Record<keyof ExchangeReport | "status", unknown>>>;
  const cases: readonly (readonly [rule: string, target: string, asked: Ask, wanted: Wanted])[] = [
    [
      "an unknown path has no route",
      "/api/v1/nothing",
      {},
      { status: 404, route: undefined, ...unnamed, code: "ROUTE_NOT_FOUND", units: "free" },
    ],
    [
      "another method has the route of the path",
      LATEST,
      { method: "DELETE" },
      { status: 405, route: LATEST_ROUTE, code: "METHOD_NOT_ALLOWED", units: "free" },
    ],
    [
      "a preflight has the route of the path",
      LATEST,
      { method: "OPTIONS", headers: preflight },
      { status: 204, route: LATEST_ROUTE, code: undefined, units: "free" },
    ],
    [
      "without a key there is no account",
      LATEST,
      { key: null },
      { status: 401, route: LATEST_ROUTE, ...unnamed, code: "API_KEY_MISSING", units: "free" },
    ],
    [
      "with a wrong key there is no account",
      LATEST,
      { key: "mz_live_no" },
      { status: 401, ...unnamed, code: "API_KEY_INVALID", units: "free" },
    ],
    [
      "a failure that costs nothing gives the unit back",
      "/api/v1/assets/EUR_RLS",
      {},
      { status: 404, route: LATEST_ROUTE, accountId: "account-1", code: "ASSET_NOT_FOUND", units: "given back" },
    ],
    [
      "a failure of the full list keeps the unit",
      "/api/v1/assets?codes=",
      {},
      { status: 400, route: "/api/v1/assets", code: "INVALID_CODES", units: "taken" },
    ],
    [
      "POST has the template of its own route",
      LATEST,
      { method: "POST", body: "[]", headers: json },
      { status: 400, code: "INVALID_BODY", units: "given back" },
    ],
    [
      "the access route is free",
      "/api/v1/access",
      {},
      { status: 200, route: "/api/v1/access", accountId: "account-1", units: "free" },
    ],
  ];
  for (const [rule, target, asked, wanted] of cases) {
    test(rule, async () => {
      const report = await reportOf(await createFedWorld(), target, asked);
      assert.deepEqual({ ...report, ...wanted }, report);
    });
  }

  test("a unit beyond the plan is denied, and the report names the caller", async () => {
    const world = await createFedWorld();
    const { id, key } = await world.account({ units: 1 });
    assert.equal((await reportOf(world, LATEST, { key })).units, "taken");
    const { status, units, accountId, route } = await reportOf(world, LATEST, { key });
    assert.deepEqual([status, units, accountId, route], [429, "denied", id, LATEST_ROUTE]);
  });

  test("a revoked or expired key is named, with its account, but answered like any wrong key", async () => {
    for (const end of ["revoked", "expired"] as const) {
      const world = await createFedWorld();
      const { id, key } = await world.account({ units: 1 });
      const { id: keyId } = world.store.accounts.book().keys.at(-1)!;
      await world.store.accounts.update([
        {
          op: end === "revoked" ? "key.revoke" : "key.expire",
          id: keyId,
          at: Date.parse("2026-01-01T00:00:00Z") as UtcMillis,
        },
      ]);
      const report = await reportOf(world, LATEST, { key });
      assert.deepEqual(
        [report.status, report.code, report.accountId, report.keyId, report.units],
        [401, "API_KEY_INVALID", id, keyId, "free"],
        end,
      );
    }
  });

  test("if the ledger fails, the report names route and caller, and nothing is taken", async () => {
    const store = createMemoryStore();
    const quota = { ...store.quota, take: () => Promise.reject(new Unavailable("disk full", 5)) };
    const world = await createFedWorld({ quota });
    const { status, code, route, accountId, units } = await reportOf(world, LATEST);
    assert.deepEqual([status, code, route, accountId, units], [503, "UNAVAILABLE", LATEST_ROUTE, "account-1", "free"]);
  });

  test("refusals of the server itself, and answers that could not be sent, have a report without a route", async () => {
    const { api } = await createFedWorld();
    const head = { method: "GET", target: LATEST, headers: fields([]) };
    const refused = api.refuse(head, { code: "UNAVAILABLE" }).report;
    assert.deepEqual([refused?.code, refused?.route, refused?.units], ["UNAVAILABLE", undefined, "free"]);
    assert.equal(api.fail(head, new Error("no")).report?.code, "INTERNAL_ERROR");
  });

  test("a failure of the request ids or the clock is reported, too", () => {
    const store = createMemoryStore();
    const api = createApi({
      clock: () => NaN as ReturnType<ApiOptions["clock"]>,
      requestIds: () => "req_a",
      sha256: nodeSha256,
      ...store,
    });
    const answer = api.refuse({ method: "GET", target: "/", headers: fields([]) }, { code: "UNAVAILABLE" });
    assert.deepEqual([answer.status, answer.report?.code, answer.report?.requestId], [500, "INTERNAL_ERROR", "req_a"]);
  });
});
