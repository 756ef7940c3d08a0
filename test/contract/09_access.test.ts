import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalendarDate } from "../../core/mod.ts";
import { assertFailure, createWorld } from "../support/api_under_test.ts";

const PATH = "/api/v1/access";
const TODAY = "2026-11-21" as CalendarDate;

test("access: a new account is a free starter that must credit the source: 200", async () => {
  const world = await createWorld();
  const { key } = await world.account({});
  const reply = await world.ask(PATH, { key });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, { accessType: "FREE_STARTER", attributionRequired: true });
});

const plans = [
  ["PRO", 5_000, false],
  ["PARTNER.2026", 5_000, true],
  ["house-unlimited", null, false],
] as const;
for (const [name, dailyUnits, attributionRequired] of plans) {
  test(`access: the access type is the name of the account's plan, ${name}: 200`, async () => {
    const world = await createWorld();
    const { id, key } = await world.account({});
    world.store.accounts.update([
      { op: "plan.patch", name, dailyUnits, attributionRequired },
      { op: "account.patch", id, plan: name },
    ]);
    const reply = await world.ask(PATH, { key });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json, { accessType: name, attributionRequired });
  });
}

test("access: the key is taken in either form: 200", async () => {
  const world = await createWorld();
  assert.equal((await world.ask(PATH, { key: null, headers: ["X-API-Key", world.key] })).status, 200);
  assert.equal((await world.ask(PATH, { key: null, headers: ["Authorization", `ApiKey ${world.key}`] })).status, 200);
});

test("access: without a key, or with a wrong one: 401", async () => {
  const world = await createWorld();
  assertFailure(await world.ask(PATH, { key: null }), 401, "API_KEY_MISSING");
  assertFailure(await world.ask(PATH, { key: "nonsense" }), 401, "API_KEY_INVALID");
});

for (const status of ["RESTRICTED", "DISABLED"] as const) {
  test(`access: an account that is ${status.toLowerCase()}: 403`, async () => {
    const world = await createWorld();
    const { key } = await world.account({ status });
    assertFailure(await world.ask(PATH, { key }), 403, "ACCESS_RESTRICTED");
  });
}

test("access: is free, and its header fields report what is left: 200", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1, "2026-11-21T09:00:00Z"]);
  const { id, key } = await world.account({ units: 50 });
  for (const used of [0, 1, 2]) {
    for (let again = 0; again < 3; again++) {
      const reply = await world.ask(PATH, { key });
      assert.equal(reply.headers["RateLimit"], `"daily";r=${50 - used};t=50400`);
      assert.equal(reply.headers["X-RateLimit-Remaining"], String(50 - used));
    }
    assert.equal(world.store.quota.used(id, TODAY), used);
    await world.ask("/api/v1/assets/USD_RLS", { key });
  }
});

test("access: is answered when the quota is used up: 200", async () => {
  const world = await createWorld();
  await world.feed(["USD_RLS", 1, "2026-11-21T09:00:00Z"]);
  const { key } = await world.account({ units: 1 });
  assert.deepEqual(
    [(await world.ask("/api/v1/assets", { key })).status, (await world.ask("/api/v1/assets", { key })).status],
    [200, 429],
  );
  const reply = await world.ask(PATH, { key });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["X-RateLimit-Remaining"], "0");
});

test("access: is never stored, as it differs from moment to moment: 200", async () => {
  const world = await createWorld();
  const reply = await world.ask(PATH, { headers: ["If-None-Match", "*"] });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["Cache-Control"], "no-store");
  assert.equal(reply.headers["ETag"], undefined);
});

test("access: HEAD is answered as GET, other methods are not: 200 and 405", async () => {
  const world = await createWorld();
  assert.equal((await world.ask(PATH, { method: "HEAD" })).status, 200);
  assertFailure(await world.ask(PATH, { method: "POST" }), 405, "METHOD_NOT_ALLOWED");
});

test("access: a query is ignored: 200", async () => {
  const world = await createWorld();
  assert.equal((await world.ask(`${PATH}?accessType=PRO&accessType=X`)).status, 200);
});
