// Settings of Redis that endanger the counters, and what Redis refuses because of its state.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import type { RedisClient } from "../../../adapters/redis/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { LIBRARIES, createOpener } from "./clients.ts";
import type { TestClient } from "./clients.ts";

const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (!redis) skipAloud("settings of Redis", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);

  /** Sets what `settings` say, has the ledger opened, and sets it back. */
  async function warningsWith(settings: Readonly<Record<string, string>>): Promise<string> {
    const { command } = await connect("node-redis");
    const before: [string, string][] = [];
    for (const [name, value] of Object.entries(settings)) {
      before.push([name, Object.values((await command("CONFIG", "GET", name)) as Record<string, string>)[0]!]);
      await command("CONFIG", "SET", name, value);
    }
    try {
      const all = await Promise.all(LIBRARIES.map(async (library) => (await ledger(library)).warnings.join("\n")));
      assert.equal(all[0], all[1], "both clients read the same");
      return all[0]!;
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
    ["volatile-ttl with bounded memory", { maxmemory: "1gb", "maxmemory-policy": "volatile-ttl" }, /^Redis has maxmemory-policy volatile-ttl: /],
  ];
  for (const [rule, settings, warned] of cases) {
    test(`redis settings: ${rule}`, async () => assert.match(await warningsWith(settings), warned));
  }

  /** A user with these rights and no others, connected with both libraries. */
  async function withUser(rights: readonly string[], act: (client: RedisClient) => Promise<void>): Promise<void> {
    const { command } = await connect("ioredis");
    await command("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+ping", "+hello", "+client", ...rights);
    const login = { username: "limited", password: "secret" };
    const first = createClient({ ...login, socket: { host: "127.0.0.1", port: redis!.port }, disableOfflineQueue: true }).on("error", () => {});
    await first.connect();
    const options = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0, enableReadyCheck: false };
    const second = new Redis({ ...login, ...options, host: "127.0.0.1", port: redis!.port, lazyConnect: true }).on("error", () => {});
    await second.connect();
    after(() => [first.destroy(), second.disconnect()]);
    for (const client of [first, second]) await act(client);
  }

  const page = await readFile(new URL("../../../adapters/redis/README.md", import.meta.url), "utf8");
  const [needed, forWarnings] = [...page.matchAll(/`(\+[a-z|+ ]+)`/g)].map(([, rights = ""]) => rights.split(" "));

  test("redis settings: a user with the rights that the page names can do everything, and what it may not read is told", async () => {
    await withUser(needed!, async (client) => {
      const own = { prefix: prefix() };
      await initRedisQuota(client, { ...own, counters: "as-backed-up" });
      const quota = await createRedisQuota(client, own);
      assert.match(quota.warnings.join("\n"), /does not tell its settings \(CONFIG GET\)[^]*does not tell about itself \(INFO\)/);
      assert.deepEqual(await quota.take(ALICE, DAY, 1), { granted: true, used: 1 });
      assert.equal(await quota.giveBack(ALICE, DAY), 0);
      await initRedisQuota(client, { ...own, counters: "all-spent" });
      await quota.watcher.sweep?.();
      assert.deepEqual(quota.watcher.troubles(), []);
      for await (const { accounts } of quota.usage()) assert.ok(accounts.length <= 1);
    });
    await withUser([...needed!, ...forWarnings!], async (client) => {
      const own = { prefix: prefix() };
      await initRedisQuota(client, { ...own, counters: "as-backed-up" });
      assert.deepEqual((await createRedisQuota(client, own)).warnings, []);
    });
  });

  const states: readonly (readonly [state: string, begin: (admin: TestClient) => Promise<unknown>, end: (admin: TestClient) => Promise<unknown>, said: RegExp])[] = [
    ["full memory", ({ command }) => command("CONFIG", "SET", "maxmemory", "1"), ({ command }) => command("CONFIG", "SET", "maxmemory", "0"), /OOM/],
    ["a replica", ({ command }) => command("REPLICAOF", "127.0.0.1", "1"), ({ command }) => command("REPLICAOF", "NO", "ONE"), /READONLY/],
    ["too few replicas", ({ command }) => command("CONFIG", "SET", "min-replicas-to-write", "1"), ({ command }) => command("CONFIG", "SET", "min-replicas-to-write", "0"), /NOREPLICAS/],
    ["a user without rights", ({ command }) => command("ACL", "SETUSER", "default", "-@all", "+acl"), ({ command }) => command("ACL", "SETUSER", "default", "+@all"), /NOPERM/],
  ];
  for (const library of LIBRARIES) {
    for (const [state, begin, end, said] of states) {
      test(`redis settings, ${library}: ${state}: unavailable with the cause, as a take and for the watcher, until it is over`, async () => {
        const admin = await connect("node-redis");
        const quota = await ledger(library);
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
  }

  test("redis settings: a node of a cluster that does not hold the counters is unavailable, and warned about", async () => {
    const node = (await startRedis({ settings: { "cluster-enabled": "yes", "appendonly": "yes", "appendfsync": "always" } }))!;
    const { client, command } = await connect("node-redis", node.port);
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
}
