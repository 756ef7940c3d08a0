import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalendarDate } from "../../core/mod.ts";
import { createFedWorld, createWorld } from "../support/api_under_test.ts";

const PATH = "/api/v1/access";

const plans = [
  ["FREE_STARTER", 50, true],
  ["PARTNER.2026", 5_000, true],
  ["house-unlimited", null, false],
] as const;
for (const [name, dailyUnits, attributionRequired] of plans) {
  test(`access: the access type is the name of the account's plan, ${name}, even with a query: 200`, async () => {
    const world = await createWorld();
    const { id, key } = await world.account({});
    world.store.accounts.update([
      { op: "plan.patch", name, dailyUnits, attributionRequired },
      { op: "account.patch", id, plan: name },
    ]);
    const reply = await world.ask(`${PATH}?accessType=X&accessType=Y`, { key });
    assert.deepEqual([reply.status, reply.json], [200, { accessType: name, attributionRequired }]);
  });
}

test("access: costs no unit, and its header fields report the remaining units, even 0: 200", async () => {
  const world = await createFedWorld();
  const { id, key } = await world.account({ units: 2 });
  for (const left of [2, 1, 0, 0]) {
    for (let again = 0; again < 3; again++) {
      const { status, headers } = await world.ask(PATH, { key });
      assert.deepEqual([status, headers["RateLimit"]], [200, `"daily";r=${left};t=50400`]);
      assert.equal(headers["X-RateLimit-Remaining"], String(left));
    }
    assert.equal(world.store.quota.used(id, "2026-11-21" as CalendarDate), 2 - left);
    await world.ask("/api/v1/assets/USD_RLS", { key });
  }
});
