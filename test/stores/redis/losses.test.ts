// Units that Redis has lost are never granted again automatically. No unit is granted without an answer from Redis.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedisQuota, initRedisQuota, type RedisQuota } from "../../../adapters/stores/redis/mod.ts";
import { StoreError } from "../../../adapters/stores/shared/store_error.ts";
import type { AccountId, CalendarDate, UtcMillis } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { createOpener, durable, eventually, redis } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const clock = (): UtcMillis => Date.parse("2026-11-21T12:00:00Z") as UtcMillis;
const ALICE = "alice" as AccountId;
const BOB = "bob" as AccountId;

if (redisMissing !== undefined) skipAloud("a Redis that loses its data", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);
  const lasting = createOpener(() => durable.port);

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

  test("redis losses: an emptied Redis grants no units until the operator decides how lost units count; then it grants them at once", async () => {
    const { quota, name, begin } = await used();
    assert.deepEqual(quota.watcher.troubles(), []);
    await redis.flush();
    await refusesAll(quota);
    assert.deepEqual(
      quota.watcher.troubles().map(({ code }) => code),
      ["quota-unreachable"],
    );
    await quota.watcher.sweep?.();
    assert.match(quota.watcher.troubles()[0]?.message ?? "", /no ledger/);
    const { client } = await connect();
    await assert.rejects(
      createRedisQuota(client, { prefix: name }),
      (error) => error instanceof StoreError && error.exitCode === 78,
    );
    await assert.rejects(
      begin(),
      (error) => error instanceof StoreError && /spent, all-spent, as-backed-up/.test(error.message),
    );
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

  test("redis losses: `spent` leaves no units to accounts that used one, and all to the others; `as-backed-up` reverts that", async () => {
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

  test("redis losses: units of a day with evicted counters are not granted again", async () => {
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

  test("redis losses: a failover to an empty Redis grants no units; after one to a replica with the data, counts stay exact", async () => {
    const other = (await startRedis())!;
    const proxy = await startTcpProxy(redis.port);
    const name = prefix();
    await ledger({ prefix: name });
    const { client } = await connect(proxy.port);
    const quota = await createRedisQuota(client, { prefix: name });
    for (let i = 0; i < 3; i++) await quota.take(ALICE, DAY, 5);
    proxy.leadTo(other.port);
    const refusal = await eventually(async () => {
      const error = await Promise.resolve(quota.take(ALICE, DAY, 5)).then(
        () => assert.fail("a unit for nothing"),
        (error: Error) => error,
      );
      assert.equal(error.name, "Unavailable");
      return /no ledger/.test(error.message) ? error : undefined;
    });
    assert.match(refusal.message, /migrate/);

    const { command } = await connect(other.port);
    await command("REPLICAOF", "127.0.0.1", String(redis.port));
    await eventually(async () =>
      /master_link_status:up/.test(String(await command("INFO", "replication"))) ? true : undefined,
    );
    await assert.rejects(
      async () => quota.take(ALICE, DAY, 5),
      (error: Error) => error.name === "Unavailable" && /READONLY|replica/i.test(error.message),
    );
    await quota.watcher.sweep?.();
    assert.equal(quota.watcher.troubles()[0]?.code, "quota-unreachable", "an answering replica is not ready either");
    await command("REPLICAOF", "NO", "ONE");
    assert.deepEqual(await quota.take(ALICE, DAY, 5), { granted: true, used: 4 });
    await other.stop();
  });

  test("redis losses: granted units are still counted after a kill -9 of Redis with appendfsync always", async () => {
    const quota = await lasting.ledger();
    assert.deepEqual(quota.warnings, []);
    let granted = 0;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (;;) {
          const taken = await Promise.resolve(quota.take(ALICE, DAY, Infinity)).catch((error: Error) =>
            assert.equal(error.name, "Unavailable"),
          );
          if (!taken) return;
          granted++;
        }
      }),
    );
    await eventually(async () => (granted > 200 ? true : undefined));
    await durable.kill();
    await load;
    await assert.rejects(async () => quota.take(ALICE, DAY, Infinity), { name: "Unavailable" });
    await durable.restart();
    const counted = await eventually(async () => quota.used(ALICE, DAY));
    assert.ok(counted >= granted && counted <= granted + 8, `granted ${granted}, counted ${counted}`);
    await quota.watcher.sweep?.();
    assert.deepEqual(quota.watcher.troubles(), []);
  });

  test("redis losses: while no connection is possible, the watcher says why, e.g. after a change of the password", async () => {
    const locked = (await startRedis({ settings: { requirepass: "old" } }))!;
    const { client, command } = await connect(locked.port, "old");
    await initRedisQuota(client, { counters: "as-backed-up", clock });
    const quota = await createRedisQuota(client);
    await command("CONFIG", "SET", "requirepass", "new");
    await command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => {}); // This connection ends, too.
    await eventually(async () => {
      await quota.watcher.sweep?.();
      return /^Redis does not answer: .*WRONGPASS/.test(quota.watcher.troubles()[0]?.message ?? "") ? true : undefined;
    });
    await locked.stop();
  });
}
