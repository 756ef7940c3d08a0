import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { webSystem } from "../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { type CalendarDate, createKey, type QuotaLedger, Unavailable } from "../../core/mod.ts";
import {
  type Ask,
  assertFailure,
  createFedWorld,
  createWorld,
  type Reply,
  type World,
} from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";
const TODAY = "2026-11-21" as CalendarDate;
const JSON_TYPE = ["Content-Type", "application/json"];

function post(body: unknown): Ask {
  return { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) };
}

/** A successful request to each asset route. Each costs one unit. */
const SUCCESSES: readonly (readonly [route: string, target: string, ask: Ask])[] = [
  ["1, the full list", "/api/v1/assets", {}],
  ["2, the catalog", "/api/v1/assets/supported", {}],
  ["3, the latest value", USD, {}],
  ["4, a date", `${USD}/2026-11-21`, {}],
  ["5, a history without a record", `${USD}/history?from=2020-01-01&to=2020-01-02`, {}],
  ["6, candles of a day", `${USD}/ohlc?interval=15m&from=2026-11-21T00:00Z&to=2026-11-22T00:00Z`, {}],
  ["7, a history by body", USD, post({ fromDate: "2026-10-21", toDate: "2026-11-21" })],
];
for (const [route, target, ask] of SUCCESSES) {
  test(`quota: a success of route ${route} costs one unit, even with HEAD or as a 304: 200 and 304`, async () => {
    const world = await createFedWorld();
    const { id, key } = await world.account({});
    const used = async (): Promise<number> => world.store.quota.used(id, TODAY);
    const first = await world.ask(target, { ...ask, key });
    assert.equal(first.status, 200, first.text);
    assert.equal(await used(), 1);
    assert.equal(first.headers["X-RateLimit-Remaining"], "49");
    if (ask.method === "POST") return;
    assert.equal((await world.ask(target, { ...ask, method: "HEAD", key })).status, 200);
    assert.equal(await used(), 2);
    const etag = first.headers["ETag"] ?? "";
    const held = await world.ask(target, { ...ask, key, headers: ["If-None-Match", etag] });
    assert.equal(held.status, 304);
    assert.equal(held.headers["X-RateLimit-Remaining"], "47");
    assert.equal(await used(), 3);
  });
}

/** Failures after authentication, by route, each with its cost according to the contract. */
const FAILURES: readonly (readonly [rule: string, target: string, ask: Ask, status: number, cost: 0 | 1])[] = [
  ["route 1, unknown codes", "/api/v1/assets?codes=ABC_RLS", {}, 400, 1],
  ["route 1, too many parameters", `/api/v1/assets?${"a&".repeat(33)}`, {}, 400, 1],
  ["route 1, no record", "/api/v1/assets?codes=EUR_RLS", {}, 404, 1],
  ["route 2, an unknown filter", "/api/v1/assets/supported?category=x", {}, 400, 0],
  ["route 3, an unknown symbol", "/api/v1/assets/ABC_RLS", {}, 404, 0],
  ["route 3 by HEAD, an unknown symbol", "/api/v1/assets/ABC_RLS", { method: "HEAD" }, 404, 0],
  ["route 4, no record on that date", `${USD}/2020-01-01`, {}, 404, 0],
  ["route 5, a range of 32 days", `${USD}/history?from=2026-10-20&to=2026-11-21`, {}, 417, 0],
  ["route 6, no candles", `${USD}/ohlc?interval=1h&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z`, {}, 404, 0],
  ["route 7, no JSON", USD, { method: "POST", headers: JSON_TYPE, body: "{" }, 400, 0],
  ["route 7, a body of 8193 bytes", USD, { method: "POST", headers: JSON_TYPE, body: " ".repeat(8_193) }, 413, 0],
];
for (const [rule, target, ask, status, cost] of FAILURES) {
  for (const [chargeFailures, charged] of [
    ["contract", cost],
    ["always", 1],
  ] as const) {
    test(`quota: ${rule}: the failure costs ${charged} with chargeFailures "${chargeFailures}": ${status}`, async () => {
      const world = await createFedWorld({ chargeFailures });
      const { id, key } = await world.account({});
      const reply = await world.ask(target, { ...ask, key });
      assert.equal(reply.status, status, reply.text);
      assert.equal(await world.store.quota.used(id, TODAY), charged);
      assert.equal(reply.headers["X-RateLimit-Remaining"], String(50 - charged));
    });
  }
}

for (const [target, cost] of [
  ["/api/v1/assets", 1],
  ["/api/v1/assets/supported", 0],
  [USD, 0],
] as const) {
  test(`quota: an internal error in ${target} costs ${cost}: 500 and 503`, async () => {
    for (const [error, status] of [
      [new Error("disk on fire"), 500],
      [new Unavailable("later"), 503],
    ] as const) {
      const down = (): Promise<never> => Promise.reject(error);
      const { observations } = createMemoryStore();
      const world = await createWorld({ observations: { ...observations, latest: down, coverage: down } });
      const { id, key } = await world.account({});
      assert.equal((await world.ask(target, { key })).status, status);
      assert.equal(await world.store.quota.used(id, TODAY), cost);
    }
  });
}

const uncharged: readonly (readonly [rule: string, target: string, ask: Ask, status: number])[] = [
  ["the status", "/api/v1/status", {}, 200],
  ["the access route", "/api/v1/access", {}, 200],
  ["an unknown path", "/api/v1/asset", {}, 404],
  ["a method that the path does not have", "/api/v1/assets", { method: "DELETE" }, 405],
  ["a malformed target", "/api/v1//assets", {}, 400],
  ["a preflight", "/api/v1/assets", { method: "OPTIONS", headers: ["Access-Control-Request-Method", "GET"] }, 204],
  ["two different keys", USD, { headers: ["X-API-Key", "another"] }, 401],
];
for (const [rule, target, ask, status] of uncharged) {
  test(`quota: ${rule} costs nothing, with any chargeFailures: ${status}`, async () => {
    for (const chargeFailures of ["contract", "always"] as const) {
      const world = await createFedWorld({ chargeFailures });
      const { id, key } = await world.account({});
      const reply = await world.ask(target, { ...ask, key });
      assert.equal(reply.status, status);
      assert.equal(await world.store.quota.used(id, TODAY), 0);
      if (target !== "/api/v1/access") assert.deepEqual(quotaFields(reply), {});
    }
  });
}

test("quota: on every route, the request that takes the last unit is served, and the next request is refused; a refusal costs no unit: 200 and 429", async () => {
  for (const chargeFailures of ["contract", "always"] as const) {
    const world = await createFedWorld({ chargeFailures });
    for (const [, target, ask] of SUCCESSES) {
      const { id, key } = await world.account({ units: 2 });
      for (const status of [200, 200, 429]) assert.equal((await world.ask(target, { ...ask, key })).status, status);
      for (const other of ["/api/v1/assets/ABC_RLS", "/api/v1/assets?codes="]) {
        const reply = await world.ask(other, { key });
        assertFailure(reply, 429, "QUOTA_EXCEEDED");
        assert.equal(reply.headers["X-RateLimit-Remaining"], "0");
      }
      assert.equal(await world.store.quota.used(id, TODAY), 2);
    }
  }
});

// The zone of the quota day, the time of the request, the remaining seconds of the day, the day's length and end.
const moments = [
  ["UTC", "2026-11-21T12:00:00.000Z", 43_200, 86_400, "2026-11-22T00:00:00Z"],
  ["UTC", "2026-11-21T23:59:59.999Z", 1, 86_400, "2026-11-22T00:00:00Z"],
  ["Asia/Tehran", "2026-11-21T20:29:00.000Z", 60, 86_400, "2026-11-21T20:30:00Z"],
  ["Europe/Berlin", "2026-03-28T23:00:00.000Z", 82_800, 82_800, "2026-03-29T22:00:00Z"],
] as const;
for (const [quotaTimeZone, now, seconds, width, resetAt] of moments) {
  test(`quota: with quota days in ${quotaTimeZone}, a refusal states the ${seconds} seconds until the next quota day: 429`, async () => {
    const world = await createFedWorld({ quotaTimeZone });
    const { key } = await world.account({ units: 1 });
    world.setNow(now);
    await world.ask("/api/v1/assets", { key });
    const reply = await world.ask(USD, { key });
    assertFailure(reply, 429, "QUOTA_EXCEEDED");
    assert.deepEqual(quotaFields(reply), {
      "Retry-After": String(seconds),
      "RateLimit-Policy": `"daily";q=1;w=${width}`,
      RateLimit: `"daily";r=0;t=${seconds}`,
      "X-RateLimit-Limit": "1",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(Date.parse(resetAt) / 1_000),
    });
  });
}

function quotaFields(reply: Reply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.headers).filter(([name]) => /ratelimit|retry-after/i.test(name)));
}

for (const [zone, settings, before, after] of [
  ["UTC", {}, "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00.000Z"],
  ["Tehran, if set", { quotaTimeZone: "Asia/Tehran" }, "2026-11-21T20:29:59.999Z", "2026-11-21T20:30:00.000Z"],
] as const) {
  test(`quota: the units of a new day become available at midnight in ${zone}, not a millisecond earlier: 429 and 200`, async () => {
    const world = await createFedWorld(settings);
    const { key } = await world.account({ units: 1 });
    world.setNow(before);
    assert.deepEqual([(await world.ask(USD, { key })).status, (await world.ask(USD, { key })).status], [200, 429]);
    world.setNow(after);
    const fresh = await world.ask(USD, { key });
    assert.deepEqual([fresh.status, fresh.headers["X-RateLimit-Remaining"]], [200, "0"]);
    // When the clock is set back to the old day, the count of that day is unchanged.
    world.setNow(before);
    assert.equal((await world.ask(USD, { key })).status, 429);
  });
}

test("quota: all keys of an account share its units, but accounts share none: 200 and 429", async () => {
  const world = await createFedWorld();
  const [one, other] = [await world.account({ units: 2 }), await world.account({ units: 2 })];
  const second = await createKey(world.store.accounts, webSystem, one.id);
  const statuses = [];
  for (const key of [one.key, second, second, one.key, other.key])
    statuses.push((await world.ask(USD, { key })).status);
  assert.deepEqual(statuses, [200, 200, 429, 429, 200]);
});

test("quota: a plan that is lowered or raised during the day applies to the next request: 429 and 200", async () => {
  const world = await createFedWorld();
  const { id, key } = await world.account({ units: 3 });
  const plan = (dailyUnits: number): void =>
    void world.store.accounts.update([
      { op: "plan.patch", name: "CHANGED", dailyUnits, attributionRequired: true },
      { op: "account.patch", id, plan: "CHANGED" },
    ]);
  await world.ask(USD, { key });
  await world.ask(USD, { key });
  plan(1);
  const lowered = await world.ask(USD, { key });
  assert.deepEqual([lowered.status, lowered.headers["RateLimit"]], [429, '"daily";r=0;t=50400']);
  plan(3);
  assert.deepEqual([(await world.ask(USD, { key })).status, (await world.ask(USD, { key })).status], [200, 429]);
});

test("quota: the refusal of a restricted account reports the remaining units: 403", async () => {
  const world = await createFedWorld();
  const { id, key } = await world.account({ units: 10 });
  await world.ask(USD, { key });
  world.store.accounts.update([{ op: "account.patch", id, status: "RESTRICTED" }]);
  for (const target of [USD, "/api/v1/assets", "/api/v1/access"]) {
    const reply = await world.ask(target, { key });
    assertFailure(reply, 403, "ACCESS_RESTRICTED");
    assert.equal(reply.headers["RateLimit"], '"daily";r=9;t=50400');
    assert.equal(reply.headers["Retry-After"], undefined);
  }
});

test("quota: a plan without a limit is always served and reports no quota, but its successes count: 200, 403 and 404", async () => {
  const world = await createFedWorld();
  const { id, key } = await world.account({ units: null });
  const restricted = await world.account({ units: null, status: "RESTRICTED" });
  for (const [target, status, caller] of [
    [USD, 200, key],
    ["/api/v1/assets", 200, key],
    ["/api/v1/access", 200, key],
    ["/api/v1/assets/ABC_RLS", 404, key],
    [USD, 403, restricted.key],
  ] as const) {
    for (let i = 0; i < 60; i++) {
      const reply = await world.ask(target, { key: caller });
      assert.deepEqual([reply.status, quotaFields(reply)], [status, {}]);
    }
  }
  assert.equal(await world.store.quota.used(id, TODAY), 120);
});

/** Wraps a ledger so that turns of the event loop pass before and after each atomic operation. */
function slowed(ledger: QuotaLedger): QuotaLedger {
  async function later<T>(act: () => T | Promise<T>): Promise<T> {
    await turn();
    const result = await act();
    await turn();
    return result;
  }
  return {
    take: (account, day, limit) => later(() => ledger.take(account, day, limit)),
    giveBack: (account, day) => later(() => ledger.giveBack(account, day)),
    used: (account, day) => later(() => ledger.used(account, day)),
  };
}

test("quota: parallel requests never get more than the limit, even while units are returned: 200, 404 and 429", async () => {
  const ledger = createMemoryStore().quota;
  const world = await createFedWorld({ quota: slowed(ledger) });
  const { id, key } = await world.account({});
  const other = await world.account({ units: 10 });
  for (let i = 0; i < 40; i++) await world.ask(USD, { key });
  const countOf = async (key: string, targets: readonly string[]): Promise<number> => {
    const asked = Array.from({ length: 500 }, (_, i) => world.ask(targets[i % targets.length]!, { key }));
    return (await Promise.all(asked)).filter(({ status }) => status === 200).length;
  };
  const served = await countOf(
    key,
    SUCCESSES.slice(0, 6).map(([, target]) => target),
  );
  assert.deepEqual([served, await ledger.used(id, TODAY)], [10, 50]);
  const some = await countOf(other.key, ["/api/v1/assets/ABC_RLS", USD]);
  assert.ok(some > 0 && some <= 10, `${some} served`);
  assert.equal(await ledger.used(other.id, TODAY), some);
});

test("quota: the unit is taken first, and work begins only once it is granted: 429", async () => {
  const steps: string[] = [];
  const { observations, quota } = createMemoryStore();
  const latest: typeof observations.latest = (codes) => {
    steps.push("read");
    return observations.latest(codes);
  };
  const take: QuotaLedger["take"] = async (account, day, limit) => {
    steps.push("asked");
    await turn();
    const taken = await quota.take(account, day, limit);
    steps.push(taken.granted ? "granted" : "refused");
    return taken;
  };
  const world = await createWorld({ observations: { ...observations, latest }, quota: { ...quota, take } });
  const { key } = await world.account({ units: 1 });
  await world.ask("/api/v1/assets", { key });
  await world.ask("/api/v1/assets", { key });
  assert.deepEqual(steps, ["asked", "granted", "read", "asked", "refused"]);
});

test("quota: a request from before midnight takes its unit from that day, and, if the answer is 404, returns it to that day even after midnight", async () => {
  const ledger = createMemoryStore().quota;
  const take: QuotaLedger["take"] = (account, day, limit) => {
    world.setNow("2026-11-22T00:00:01Z");
    return ledger.take(account, day, limit);
  };
  const world: World = await createWorld({ quota: { ...ledger, take } });
  const { id, key } = await world.account({});
  world.setNow("2026-11-21T23:59:59Z");
  await ledger.take(id, TODAY, 50);
  const reply = await world.ask("/api/v1/assets/ABC_RLS", { key });
  assert.equal(reply.headers["RateLimit"], '"daily";r=49;t=1');
  assert.equal(await ledger.used(id, TODAY), 1);
});

test("quota: a unit that cannot be given back stays taken; the answer is the same, and the error is reported: 404", async () => {
  for (const error of [new Error("disk on fire"), new Unavailable("later")]) {
    const ledger = createMemoryStore().quota;
    const world = await createFedWorld({ quota: { ...ledger, giveBack: () => Promise.reject(error) } });
    const { id, key } = await world.account({});
    const reply = await world.ask("/api/v1/assets/ABC_RLS", { key });
    assertFailure(reply, 404, "ASSET_NOT_FOUND");
    assert.equal(await ledger.used(id, TODAY), 1);
    assert.equal(reply.headers["X-RateLimit-Remaining"], "49");
    assert.deepEqual(world.errors, [error]);
  }
});

for (const how of ["throws", "rejects"] as const) {
  test(`quota: if the ledger is unavailable (${how}), nothing is read or served, even for a plan without a limit: 503`, async () => {
    const full = (): Promise<never> => {
      if (how === "throws") throw new Unavailable("the disk is full", 7);
      return Promise.reject(new Unavailable("the disk is full", 7));
    };
    const down = (): never => assert.fail("the store is read");
    const world = await createWorld({
      quota: { take: full, giveBack: full, used: full },
      observations: { latest: down, coverage: down, lastOfEach: down, candles: down, version: down },
    });
    for (const units of [50, null]) {
      const { key } = await world.account({ units });
      for (const [, target, ask] of SUCCESSES) {
        const reply = await world.ask(target, { ...ask, key });
        assertFailure(reply, 503, "UNAVAILABLE");
        assert.equal(reply.headers["Retry-After"], "7");
        assert.ok(!reply.text.includes("the disk"), "internal details are not shown");
      }
    }
    assert.equal(world.errors.length, 2 * SUCCESSES.length);
  });
}
