// Settings of Redis that endanger the counters, and states in which Redis refuses commands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedisQuota } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { createOpener, durable as redis } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;
type Command = readonly [string, ...string[]];

if (redisMissing !== undefined) skipAloud("settings of Redis", redisMissing);
else {
  const { connect, ledger } = createOpener(() => redis.port);

  /** Applies `settings`, opens the ledger, restores the previous settings, and returns the warnings. */
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
    ["a durable Redis causes no warning", {}, /^$/],
    ["limited memory without eviction causes no warning", { maxmemory: "1gb" }, /^$/],
    ["appendonly no", { appendonly: "no" }, /^Redis has appendonly no and appendfsync .*appendfsync always$/],
    [
      "appendfsync everysec",
      { appendfsync: "everysec" },
      /^Redis has appendonly yes and appendfsync everysec: .*appendfsync always$/,
    ],
    [
      "allkeys-lru with bounded memory",
      { maxmemory: "1gb", "maxmemory-policy": "allkeys-lru" },
      /^Redis has maxmemory-policy allkeys-lru: /,
    ],
  ];
  for (const [rule, settings, warned] of cases) {
    test(`redis settings: ${rule}`, async () => assert.match(await warningsWith(settings), warned));
  }

  const states: readonly (readonly [state: string, begin: Command, end: Command, reported: RegExp])[] = [
    ["full memory", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"], /OOM/],
    ["a replica", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"], /READONLY/],
    [
      "a user without rights",
      ["ACL", "SETUSER", "default", "-@all", "+acl"],
      ["ACL", "SETUSER", "default", "+@all"],
      /NOPERM/,
    ],
  ];
  for (const [state, begin, end, reported] of states) {
    test(`redis settings: with ${state}, requests for units fail with the cause, and the watcher reports the cause, until this state ends`, async () => {
      const { command } = await connect();
      const quota = await ledger();
      await quota.take(ALICE, DAY, 9);
      await command(...begin);
      try {
        await assert.rejects(
          async () => quota.take(ALICE, DAY, 9),
          ({ name, message, cause }: Error) =>
            name === "Unavailable" && reported.test(message) && cause instanceof Error,
        );
        await quota.watcher.sweep?.();
        const [trouble] = quota.watcher.troubles();
        assert.ok(trouble?.code === "quota-unreachable" && reported.test(trouble.message), trouble?.message);
      } finally {
        await command(...end);
      }
      assert.deepEqual(await quota.take(ALICE, DAY, 9), { granted: true, used: 2 });
      await quota.watcher.sweep?.();
      assert.deepEqual(quota.watcher.troubles(), []);
    });
  }

  test("redis settings: a writable replica is refused with exit code 78, because the primary overwrites the replica's counters", async () => {
    const replica = (await startRedis({
      settings: { replicaof: `127.0.0.1 ${redis.port}`, "replica-read-only": "no" },
    }))!;
    const { client } = await connect(replica.port);
    const refusal = { name: "StoreError", exitCode: 78, message: /is a writable replica/ };
    await assert.rejects(createRedisQuota(client), refusal);
    await replica.stop();
  });
}
