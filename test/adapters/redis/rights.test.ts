// What a user of Redis may do, which commands there are, and which database: what is missing is found when the ledger is opened.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { createClient } from "redis";
import { createRedisQuota, initRedisQuota } from "../../../adapters/redis/mod.ts";
import type { RedisClient } from "../../../adapters/redis/mod.ts";
import { NEEDED_RIGHTS } from "../../../adapters/redis/probe.ts";
import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { createOpener, durable as redis } from "./clients.ts";

const lacking = await startRedis({ settings: { "rename-command": ["EXPIREAT", "other"] } });
const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (!lacking) skipAloud("rights in Redis", redisMissing);
else {
  const { connect, prefix } = createOpener(() => redis.port);

  /** A user with these rights and no others, connected with both libraries. */
  async function withUser(rights: readonly string[], act: (client: RedisClient) => Promise<void>): Promise<void> {
    const { command } = await connect();
    await command("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+ping", "+hello", "+client", ...rights);
    const login = { username: "limited", password: "secret" };
    const first = createClient({ ...login, socket: { host: "127.0.0.1", port: redis.port }, disableOfflineQueue: true }).on("error", () => {});
    await first.connect();
    after(() => first.destroy());
    await act(first);
  }

  const page = await readFile(new URL("../../../adapters/redis/README.md", import.meta.url), "utf8");
  const [needed, forWarnings] = [...page.matchAll(/`(\+[a-z|+ ]+)`/g)].map(([, rights = ""]) => rights.split(" "));

  test("redis rights: a user with the rights that the page names can do everything, and what it may not read is told", async () => {
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
      for await (const { accounts } of quota.usage()) assert.equal(accounts.length <= 1, true);
    });
    await withUser([...needed!, ...forWarnings!], async (client) => {
      const own = { prefix: prefix() };
      await initRedisQuota(client, { ...own, counters: "as-backed-up" });
      assert.deepEqual((await createRedisQuota(client, own)).warnings, []);
    });
  });

  test("redis rights: the program names the rights of the page", () => {
    assert.equal(NEEDED_RIGHTS, `${needed!.join(" ")} ~mazaneh:{quota}:*`);
  });

  // Those that only init and usage need are left out.
  for (const missing of ["evalsha", "hset"]) {
    test(`redis rights: without +${missing} no ledger is opened, and Redis says why`, async () => {
      const own = { prefix: prefix() };
      const { client: admin, command } = await connect();
      await initRedisQuota(admin, { ...own, counters: "as-backed-up" });
      await withUser(needed!.filter((right) => right !== `+${missing}`), async (client) => {
        await command("SCRIPT", "FLUSH");
        await assert.rejects(createRedisQuota(client, own), (error: Error) => error.name === "Unavailable" && /^Redis refuses: (?:NOPERM|ERR)/.test(error.message));
      });
    });
  }

  test("redis rights: where a command of the scripts has another name, no ledger is opened", async () => {
    const { client } = await connect(lacking.port);
    await initRedisQuota(client, { counters: "as-backed-up" });
    await assert.rejects(createRedisQuota(client), { name: "Unavailable", message: /^Redis refuses: ERR Unknown Redis command/ });
  });
}
