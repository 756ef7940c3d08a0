// Units that Redis lost are never granted a second time automatically. No unit is granted without an answer from Redis.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedisQuota, initRedisQuota, type RedisQuota } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate, UtcMillis } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { until } from "../../support/wait_until.ts";
import { createOpener, redis } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const clock = (): UtcMillis => Date.parse("2026-11-21T12:00:00Z") as UtcMillis;
const ALICE = "alice" as AccountId;
const BOB = "bob" as AccountId;

if (redisMissing !== undefined) skipAloud("a Redis that loses its data", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);

  /** A ledger in which alice has used 3 of 5 units and bob none. `begin` calls `initRedisQuota` on it. */
  async function used(): Promise<{
    quota: RedisQuota;
    name: string;
    begin(counters?: "spent" | "all-spent" | "as-backed-up"): ReturnType<typeof initRedisQuota>;
  }> {
    const name = prefix();
    const quota = await ledger({ prefix: name });
    for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 5);
    const { client } = await connect();
    return { quota, name, begin: (counters) => initRedisQuota(client, { prefix: name, counters, clock }) };
  }

  async function refusesAll(quota: RedisQuota): Promise<void> {
    for (const limit of [5, Infinity])
      await assert.rejects(async () => quota.take(ALICE, DAY, limit), { name: "Unavailable" });
    await assert.rejects(async () => quota.giveBack(ALICE, DAY), { name: "Unavailable" });
    await assert.rejects(async () => quota.used(ALICE, DAY), { name: "Unavailable" });
  }

  test("redis losses: an emptied Redis grants no units until the operator decides how lost units count; then it grants units at once", async () => {
    const { quota, name, begin } = await used();
    assert.deepEqual(quota.watcher.troubles(), []);
    await redis.flush();
    const { client } = await connect();
    await refusesAll(quota);
    const codes = quota.watcher.troubles().map(({ code }) => code);
    assert.deepEqual(codes, ["quota-unreachable"]);
    await quota.watcher.sweep?.();
    assert.match(quota.watcher.troubles()[0]?.message ?? "", /no ledger.*migrate/);
    await assert.rejects(createRedisQuota(client, { prefix: name }), { name: "StoreError", exitCode: 78 });
    await assert.rejects(begin(), { name: "StoreError", message: /spent, all-spent, as-backed-up/ });
    await refusesAll(quota);

    const made = await begin("all-spent");
    assert.equal(made.made, true);
    assert.deepEqual(await begin(), { id: made.id, made: false }, "another deployment changes nothing");
    assert.equal((await quota.take(ALICE, DAY, 5)).granted, false);
    assert.equal((await quota.take(BOB, DAY, 1_000_000)).granted, false);
    assert.ok((await quota.used(BOB, DAY)) >= 1_000_000, "no units remain");
    assert.equal((await quota.take("without a limit" as AccountId, DAY, Infinity)).granted, true);
    assert.deepEqual(
      await quota.take(ALICE, "2026-11-22" as CalendarDate, 5),
      { granted: true, used: 1 },
      "the next day has all its units",
    );
    await quota.watcher.sweep?.();
    assert.deepEqual(quota.watcher.troubles(), []);
    for await (const day of quota.usage())
      assert.equal(day.damaged, day.day === DAY || day.day === "2026-11-20" ? true : undefined);
  });

  test("redis losses: `spent` leaves no units to accounts that used any, and all units to the others; `as-backed-up` reverts that", async () => {
    const { quota, begin } = await used();
    assert.equal((await begin("spent")).made, false);
    assert.equal((await quota.take(ALICE, DAY, 5)).granted, false);
    assert.equal((await quota.take(ALICE, DAY, Infinity)).granted, true);
    assert.deepEqual(await quota.take(BOB, DAY, 1), { granted: true, used: 1 });
    await begin("spent");
    assert.equal((await quota.take(BOB, DAY, 9)).granted, false);
    await begin("as-backed-up");
    assert.deepEqual(await quota.take(ALICE, DAY, 5), { granted: true, used: 5 });
    assert.deepEqual(await quota.take(BOB, DAY, 9), { granted: true, used: 2 });
  });

  test("redis losses: if the counters of a day are evicted, its units are not granted a second time", async () => {
    const { quota, name, begin } = await used();
    const { command } = await connect();
    await command("DEL", `${name}:{quota}:${DAY}`);
    await refusesAll(quota);
    assert.deepEqual(await quota.take(ALICE, "2026-11-22" as CalendarDate, 5), { granted: true, used: 1 });
    await begin("spent");
    assert.equal((await quota.take(ALICE, DAY, 5)).granted, false);
    await begin("as-backed-up");
    assert.deepEqual(await quota.take(ALICE, DAY, 5), { granted: true, used: 1 });
  });

  test("redis losses: while no connection is possible, the watcher says why, e.g. after a change of the password", async () => {
    const locked = (await startRedis({ settings: { requirepass: "old" } }))!;
    const { client, command } = await connect(locked.port, "old");
    await initRedisQuota(client, { counters: "as-backed-up", clock });
    const quota = await createRedisQuota(client);
    await command("CONFIG", "SET", "requirepass", "new");
    await command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => {}); // This connection ends, too.
    await until("the watcher says why", async () => {
      await quota.watcher.sweep?.();
      return /^Redis does not answer: .*WRONGPASS/.test(quota.watcher.troubles()[0]?.message ?? "");
    });
    await locked.stop();
  });
}
