import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { connectionOf, type Query } from "../../../adapters/stores/postgres/connection.ts";
import { noteLedger } from "../../../adapters/stores/postgres/external_ledger_id.ts";
import { postgresQuota } from "../../../adapters/stores/postgres/quota.ts";
import { QUOTA } from "../../../adapters/stores/postgres/quota_statements.ts";
import type { DayUsage, StoredQuota } from "../../../adapters/stores/shared/store.ts";
import { withDeadline } from "../../../adapters/stores/shared/with_deadline.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/mod.ts";
import { countThroughCuts } from "../../support/cut_takes.ts";
import { databaseWithTables, poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/wait_until.ts";

const server = await sharedPostgres();
if (!server) skipAloud("the quota ledger on PostgreSQL", postgresMissing);

const DAY = "2026-11-21" as CalendarDate;

async function usageOf(quota: StoredQuota, from?: CalendarDate): Promise<DayUsage[]> {
  const days: DayUsage[] = [];
  for await (const day of quota.usage({ from })) days.push(day);
  return days;
}

if (server) {
  const { pool, url } = await databaseWithTables(server);
  let running = 0;
  const connection = connectionOf(pool);
  const query: Query = async (text, values) => {
    running++;
    try {
      return await connection.query(text, values);
    } finally {
      running--;
    }
  };
  const quota = postgresQuota({ query });
  const other = postgresQuota(connectionOf(poolOf(url)));

  test("quota: all units taken by many accounts through two instances, in any order, are counted", async () => {
    const take = (n: number) =>
      (n % 2 ? quota : other).take(`many${(n * 7_919) % 100}` as AccountId, DAY, 25, `k${(n * 31) % 100}` as KeyId);
    const taken = await Promise.all(Array.from({ length: 3_000 }, (_, n) => take(n)));
    assert.equal(taken.filter(({ granted }) => granted).length, 2_500);
    for (let n = 0; n < 100; n++) assert.equal(await quota.used(`many${n}` as AccountId, DAY), 25);
  });

  test("quota: usage lists the newest day first, with each account's units and plan, and each of its keys once", async () => {
    const [alice, bob] = ["alice", "o'b\\\u0000b"] as AccountId[] as [AccountId, AccountId];
    const days = ["2026-12-01", "2026-12-02"] as CalendarDate[] as [CalendarDate, CalendarDate];
    await connection.query(
      "INSERT INTO mazaneh.accounts (id, place, plan, status) VALUES ('alice', 0, 'FREE_STARTER', 'ACTIVE')",
    );
    await quota.take(alice, days[0], 2, "k1" as KeyId);
    await other.take(alice, days[0], 2, "k1" as KeyId);
    await quota.take(alice, days[0], 2, "k2" as KeyId);
    await quota.take(alice, days[1], Infinity, "k3" as KeyId);
    await quota.take(bob, days[1], 2);
    await quota.giveBack(bob, days[1]);
    assert.deepEqual(await usageOf(other, days[0]), [
      {
        day: days[1],
        accounts: [
          { account: alice, units: 1, keys: ["k3"], plan: { name: "FREE_STARTER", dailyUnits: null } },
          { account: bob, units: 0, keys: [] },
        ],
      },
      {
        day: days[0],
        accounts: [{ account: alice, units: 2, keys: ["k1", "k2"], plan: { name: "FREE_STARTER", dailyUnits: 2 } }],
      },
    ]);
  });

  test("quota: withheld units count as used, and cannot be given back", async () => {
    const [account, day] = ["withheld" as AccountId, "2026-12-09" as CalendarDate];
    for (let unit = 0; unit < 2; unit++) await quota.take(account, day, 9);
    await connection.query("UPDATE mazaneh.quota SET used = 9, withheld = 7 WHERE account = 'withheld'");
    for (const left of [8, 7, 7]) assert.equal(await quota.giveBack(account, day), left);
    const [usage] = await usageOf(quota, day);
    assert.deepEqual(usage?.accounts, [{ account, units: 0, withheld: 7, keys: [] }]);
  });

  test("quota: the 400 days with the highest dates are kept, and today is always kept", async () => {
    const account = "kept" as AccountId;
    const day = (n: number): CalendarDate =>
      new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10) as CalendarDate;
    for (let n = 0; n < 405; n++) await quota.take(account, day(n), 50, "kept0001" as KeyId);
    await until("the earliest days are dropped", async () => (await quota.used(account, day(4))) === 0);
    assert.deepEqual([await quota.used(account, day(5)), await quota.used(account, day(404))], [1, 1]);
    const expected = Array.from({ length: 400 }, (_, n) => day(404 - n));
    const days = (await usageOf(quota)).map((usage) => usage.day);
    assert.deepEqual(days, expected);
    const { rows } = await pool.query("SELECT DISTINCT day FROM mazaneh.quota_keys");
    assert.equal(rows.length, 400);
    await until("nothing more is dropped", () => running === 0); // A drop that is still running could also drop `past`.
    const past = "2020-01-01" as CalendarDate;
    await quota.take(account, past, 50);
    await delay(200);
    assert.equal(await quota.used(account, past), 1, "after the clock is set back, the counted units are found");
  });

  test("quota: a store that is open while counting moves to Redis stops granting units", async () => {
    const account = "moved" as AccountId;
    await quota.take(account, DAY, 5);
    await noteLedger(connection.query, "0123456789abcdef");
    try {
      const refusal = { name: "Unavailable", message: /are now counted in Redis/ };
      for (const ledger of [quota, other]) await assert.rejects(async () => ledger.take(account, DAY, 5), refusal);
    } finally {
      await connection.query("UPDATE mazaneh.meta SET ledger = NULL", []);
    }
    assert.deepEqual(await quota.take(account, DAY, 5), { granted: true, used: 2 });
  });

  test("quota: if another transaction locks the counters for too long, requests get 503 and cost no unit, whether or not their statements were sent", async () => {
    const account = "locked" as AccountId;
    const { quota: ledger } = withDeadline({ ...createMemoryStore(), quota }, { ms: 300 });
    await quota.take(account, DAY, 1_000);
    const takes: Promise<string>[] = [];
    await connection.transaction(async (lock) => {
      await lock("LOCK TABLE mazaneh.quota IN ACCESS EXCLUSIVE MODE");
      for (let n = 0; n < 60; n++, await delay(5))
        takes.push(Promise.resolve(ledger.take(account, DAY, 1_000)).then(() => "served", String));
      for (const said of await Promise.all(takes)) assert.match(said, /within 300 ms/);
    });
    await until("all are given back", async () => (await quota.used(account, DAY)) === 1);
    await delay(100);
    assert.equal(await quota.used(account, DAY), 1);
  });

  test("quota: while the counter of one account is locked, all other accounts are served, and the 503s of this account cost no unit", async () => {
    const [locked, others] = ["locked one" as AccountId, ["a", "b", "c", "d", "e"] as AccountId[]];
    await quota.take(locked, DAY, 9);
    await connection.transaction(async (lock) => {
      await lock("SELECT FROM mazaneh.quota WHERE account = 'locked one' FOR UPDATE");
      const refused = [assert.rejects(async () => quota.giveBack(locked, DAY))];
      for (let round = 0; round < 3; round++) {
        refused.push(assert.rejects(async () => quota.take(locked, DAY, 9)));
        const taken = await Promise.all(others.map((account) => quota.take(account, DAY, 9)));
        for (const { used } of taken) assert.equal(used, 1);
        await Promise.all(others.map((account) => quota.giveBack(account, DAY)));
      }
      await Promise.all(refused);
    });
    await until("the unit is given back", async () => (await quota.used(locked, DAY)) === 0);
  });

  test("quota: however often the network is cut, two instances count exactly the units that they have granted", async () => {
    const proxy = await startTcpProxy(server!.port);
    const open = (): StoredQuota => postgresQuota(connectionOf(poolOf(url.replace(/:\d+\//, `:${proxy.port}/`))));
    await countThroughCuts([open(), open()], quota, proxy);
  });

  test("quota: a settlement waits for open transactions that take units, even if these are the first units of their sender", async () => {
    const asked = JSON.stringify([{ day: DAY, account: "about to", count: 4, cap: 10, keys: [] }]);
    for (const number of [1, 3]) {
      let settled: Promise<unknown> = Promise.resolve();
      await connection.transaction(async (taking) => {
        await taking(QUOTA.take, [asked, "slow", number]);
        settled = connection
          .query(QUOTA.begin, ["slow", DAY])
          .then(() => connection.query(QUOTA.settle, [asked, "slow", number + 1, number]));
        await delay(100);
      });
      await settled;
      assert.equal(await quota.used("about to" as AccountId, DAY), 0);
    }
  });

  test("quota: a copy of a statement that arrives after everything was settled counts no unit", async () => {
    const asked = JSON.stringify([{ day: DAY, account: "copied", count: 4, cap: 10, keys: [] }]);
    const used = (): unknown => quota.used("copied" as AccountId, DAY);
    await connection.query(QUOTA.take, [asked, "sender", 1]);
    assert.equal(await used(), 4);
    await connection.query(QUOTA.settle, [asked, "sender", 2, 1]);
    assert.equal(await used(), 0);
    await connection.query(QUOTA.take, [asked, "sender", 3]);
    for (const [number, of] of [
      [2, 1],
      [3, 3],
    ] as const)
      await connection.query(QUOTA.settle, [asked, "sender", number, of]);
    assert.equal(await used(), 4, "late settlements give nothing back");
    await assert.rejects(connection.query(QUOTA.take, [asked, "sender", 1]), /division by zero/);
    assert.equal(await used(), 4, "a late request for units counts nothing");
  });
}
