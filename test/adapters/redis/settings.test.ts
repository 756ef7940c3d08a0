// Settings of Redis that endanger the counters, and what Redis refuses because of its state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import { StoreError } from "../../../adapters/store/store_error.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { createOpener, durable as redis, eventually } from "./clients.ts";
import type { TestClient } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (redisMissing !== undefined) skipAloud("settings of Redis", redisMissing);
else {
  const { connect, ledger } = createOpener(() => redis.port);

  /** Sets what `settings` say, has the ledger opened, and sets it back. */
  async function warningsWith(settings: Readonly<Record<string, string>>): Promise<string> {
    const { command } = await connect();
    const before: [string, string][] = [];
    for (const [name, value] of Object.entries(settings)) {
      before.push([name, Object.values((await command("CONFIG", "GET", name)) as Record<string, string>)[0]!]);
      await command("CONFIG", "SET", name, value);
    }
    try {
      return (await ledger()).warnings.join("\n");
    } finally {
      for (const [name, value] of before.reverse()) await command("CONFIG", "SET", name, value);
    }
  }

  const cases: readonly (readonly [rule: string, settings: Readonly<Record<string, string>>, warned: RegExp])[] = [
    ["a durable Redis is not warned about", {}, /^$/],
    ["memory that is bounded without eviction neither", { maxmemory: "1gb" }, /^$/],
    ["appendonly no", { appendonly: "no" }, /^Redis has appendonly no: .*appendfsync always$/],
    ["appendfsync everysec", { appendfsync: "everysec" }, /^Redis has appendfsync everysec: .*power cut/],
    ["allkeys-lru with bounded memory", { maxmemory: "1gb", "maxmemory-policy": "allkeys-lru" }, /^Redis has maxmemory-policy allkeys-lru: /],
  ];
  for (const [rule, settings, warned] of cases) {
    test(`redis settings: ${rule}`, async () => assert.match(await warningsWith(settings), warned));
  }

  const states: readonly (readonly [state: string, begin: (admin: TestClient) => Promise<unknown>, end: (admin: TestClient) => Promise<unknown>, said: RegExp])[] = [
    ["full memory", ({ command }) => command("CONFIG", "SET", "maxmemory", "1"), ({ command }) => command("CONFIG", "SET", "maxmemory", "0"), /OOM/],
    ["a replica", ({ command }) => command("REPLICAOF", "127.0.0.1", "1"), ({ command }) => command("REPLICAOF", "NO", "ONE"), /READONLY/],
    ["a script of somebody else that does not end", endlessScript, endScript, /BUSY/],
    ["a user without rights", ({ command }) => command("ACL", "SETUSER", "default", "-@all", "+acl"), ({ command }) => command("ACL", "SETUSER", "default", "+@all"), /NOPERM/],
  ];
  /** Redis answers `BUSY` to everybody while a script takes longer than `busy-reply-threshold`. */
  async function endlessScript({ command }: TestClient): Promise<void> {
    await command("CONFIG", "SET", "busy-reply-threshold", "5");
    const { command: run } = await connect();
    run("EVAL", "while true do end", "0").catch(() => {}); // It is killed.
    await eventually(() => command("PING").then(() => undefined, () => true));
  }

  async function endScript({ command }: TestClient): Promise<void> {
    await command("SCRIPT", "KILL");
    await eventually(() => command("PING"));
  }

  for (const [state, begin, end, said] of states) {
    test(`redis settings: ${state}: unavailable with the cause, as a take and for the watcher, until it is over`, async () => {
      const admin = await connect();
      const quota = await ledger();
      await quota.take(ALICE, DAY, 9);
      await begin(admin);
      try {
        await assert.rejects(async () => quota.take(ALICE, DAY, 9), (error: Error) => error.name === "Unavailable" && said.test(error.message) && error.cause instanceof Error);
        await quota.watcher.sweep?.();
        const [trouble] = quota.watcher.troubles();
        assert.ok(trouble && trouble.code === "quota-unreachable" && said.test(trouble.message), trouble?.message);
      } finally {
        await end(admin);
      }
      assert.deepEqual(await quota.take(ALICE, DAY, 9), { granted: true, used: 2 });
      await quota.watcher.sweep?.();
      assert.deepEqual(quota.watcher.troubles(), []);
    });
  }

  test("redis settings: a node of a cluster that does not hold the counters is unavailable, and warned about", async () => {
    const node = (await startRedis({ settings: { "cluster-enabled": "yes", "appendonly": "yes", "appendfsync": "always" } }))!;
    const { client, command } = await connect(node.port);
    await assert.rejects(initRedisQuota(client, { counters: "as-backed-up" }), { name: "Unavailable" });
    await command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    let made: unknown;
    for (let tries = 0; tries < 200 && made === undefined; tries++) {
      made = await initRedisQuota(client, { counters: "as-backed-up" }).catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
    const quota = await createRedisQuota(client);
    assert.match(quota.warnings.join("\n"), /^This Redis is a node of a cluster: /);
    assert.deepEqual(await quota.take(ALICE, DAY, 1, "key" as never), { granted: true, used: 1 });
    await node.stop();
  });

  test("redis settings: a replica that may be written is refused with 78, as its primary overwrites what it counts", async () => {
    const replica = (await startRedis({ settings: { replicaof: `127.0.0.1 ${redis.port}`, "replica-read-only": "no" } }))!;
    const { client } = await connect(replica.port);
    await assert.rejects(createRedisQuota(client), (error) => error instanceof StoreError && error.exitCode === 78 && /is a replica that may be written/.test(error.message));
    await replica.stop();
  });

  test("redis settings: where counters were evicted, no unit of the day is given again", async () => {
    const other = (await startRedis({ settings: { maxmemory: "4mb", "maxmemory-policy": "allkeys-lru" } }))!;
    const { client, command } = await connect(other.port);
    await initRedisQuota(client, { counters: "as-backed-up" });
    const quota = await createRedisQuota(client);
    for (let used = 1; used <= 3; used++) assert.deepEqual(await quota.take(ALICE, DAY, 3), { granted: true, used });
    assert.equal((await quota.take(ALICE, DAY, 3)).granted, false);
    const isThere = async (): Promise<boolean> => Number(await command("EXISTS", "mazaneh:{quota}:ledger", `mazaneh:{quota}:${DAY}`)) === 2;
    for (let filled = 0; await isThere(); filled++) {
      assert.ok(filled < 1_000, "nothing is evicted");
      await command("SET", `other:${filled}`, "x".repeat(20_000)).catch((error: Error) => assert.match(error.message, /OOM/));
    }
    for (const limit of [3, Infinity]) await assert.rejects(async () => quota.take(ALICE, DAY, limit), { name: "Unavailable" });
    assert.equal(quota.watcher.troubles()[0]?.code, "quota-unreachable");
    await other.stop();
  });
}
