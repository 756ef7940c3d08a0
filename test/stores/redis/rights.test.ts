// Opening the ledger finds missing rights of the Redis user.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createClient } from "redis";
import { NEEDED_RIGHTS } from "../../../adapters/stores/redis/init_ledger.ts";
import { createRedisQuota, initRedisQuota, type RedisClient } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { redisMissing } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { createOpener, durable as redis } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (redisMissing !== undefined) skipAloud("rights in Redis", redisMissing);
else {
  const { connect, prefix } = createOpener(() => redis.port);

  /** A client connected as a user with only these rights. */
  async function withUser(rights: readonly string[], act: (client: RedisClient) => Promise<void>): Promise<void> {
    const { command } = await connect();
    await command("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+ping", "+hello", "+client", ...rights);
    const client = createClient({
      username: "limited",
      password: "secret",
      socket: { port: redis.port },
      disableOfflineQueue: true,
    }).on("error", () => {});
    await client.connect();
    await act(client).finally(() => client.destroy());
  }

  const page = await readFile(new URL("../../../adapters/stores/redis/README.md", import.meta.url), "utf8");
  const [needed, forWarnings] = [...page.matchAll(/`(\+[a-z|+ ]+)`/g)].map(([, rights = ""]) => rights.split(" "));

  test("redis rights: a Redis user with the documented rights can do everything; settings that this user may not read are reported", async () => {
    await withUser(needed!, async (client) => {
      const own = { prefix: prefix() };
      await initRedisQuota(client, { ...own, counters: "as-backed-up" });
      const quota = await createRedisQuota(client, own);
      assert.match(quota.warnings.join("\n"), /appendonly unknown and appendfsync unknown[^]*maxmemory-policy unknown/);
      assert.deepEqual(await quota.take(ALICE, DAY, 1), { granted: true, used: 1 });
      assert.equal(await quota.giveBack(ALICE, DAY), 0);
      await initRedisQuota(client, { ...own, counters: "all-spent" });
      await quota.watcher.sweep?.();
      assert.deepEqual(quota.watcher.troubles(), []);
      for await (const { accounts } of quota.usage()) assert.equal(accounts.length <= 1, true);
    });
    await withUser([...needed!, ...forWarnings!], async (client) => {
      const own = { prefix: prefix() };
      await initRedisQuota(client, { ...own, counters: "as-backed-up" });
      assert.deepEqual((await createRedisQuota(client, own)).warnings, []);
    });
  });

  test("redis rights: the rights in the program are those in the documentation", () => {
    assert.equal(NEEDED_RIGHTS, `${needed!.join(" ")} ~mazaneh:{quota}:*`);
  });

  // Rights that only `init` and `usage` need are not tested.
  for (const missing of ["eval", "hset"]) {
    test(`redis rights: without +${missing}, no ledger is opened, and the error is that of Redis`, async () => {
      const own = { prefix: prefix() };
      const { client: admin } = await connect();
      await initRedisQuota(admin, { ...own, counters: "as-backed-up" });
      await withUser(
        needed!.filter((right) => right !== `+${missing}`),
        async (client) => {
          await assert.rejects(
            createRedisQuota(client, own),
            (error: Error) => error.name === "Unavailable" && /^Redis refuses: (?:NOPERM|ERR)/.test(error.message),
          );
        },
      );
    });
  }
}
