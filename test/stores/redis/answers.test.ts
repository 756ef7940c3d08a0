// A command whose answer was lost is never sent again, and no caller waits for an answer that does not come.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSend } from "../../../adapters/stores/redis/client.ts";
import { createCounting } from "../../../adapters/stores/redis/count_units.ts";
import { ledgerKeys } from "../../../adapters/stores/redis/ledger_keys.ts";
import { createRedisQuota, type RedisQuota, type RedisQuotaOptions } from "../../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate, KeyId } from "../../../core/mod.ts";
import { countThroughCuts } from "../../support/cut_takes.ts";
import { redisMissing } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy, type TcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/wait_until.ts";
import { createOpener, redis } from "./clients.ts";

const DAY = "2026-11-21" as CalendarDate;
const ALICE = "alice" as AccountId;

if (redisMissing !== undefined) skipAloud("lost answers of Redis", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);

  /** A ledger behind a proxy, and the same ledger without it. */
  async function behindProxy(
    options: RedisQuotaOptions = {},
  ): Promise<{ quota: RedisQuota; direct: RedisQuota; proxy: TcpProxy; name: string }> {
    const name = prefix();
    const proxy = await startTcpProxy(redis.port);
    const direct = await ledger({ prefix: name });
    const { client } = await connect(proxy.port);
    // On a busy machine, opening may take longer than this test's limit for a request.
    let quota: RedisQuota | undefined;
    await until("the ledger is open", async () => {
      quota = await createRedisQuota(client, { prefix: name, ...options }).catch(() => undefined);
      return quota;
    });
    await direct.take(ALICE, DAY, Infinity);
    return { quota: quota!, direct, proxy, name };
  }

  test("redis answers: however often the network is cut, two instances count exactly the units that they have granted", async () => {
    const { quota, direct, proxy, name } = await behindProxy();
    const { client } = await connect(proxy.port);
    await countThroughCuts([quota, await createRedisQuota(client, { prefix: name })], direct, proxy);
  });

  test("redis answers: a copy of a command that arrives after everything was settled counts no unit", async () => {
    const { client } = await connect();
    const name = prefix();
    const direct = await ledger({ prefix: name });
    const { perform, settle } = createCounting(createSend(client, 2_000), ledgerKeys(name));
    const takes = [{ account: ALICE, day: DAY, limit: 10, count: 4, keys: new Set<KeyId>() }];
    await perform(DAY, takes, { sender: "one", number: 1 });
    await settle(takes, { sender: "one", number: 2, of: 1 });
    assert.equal(await direct.used(ALICE, DAY), 0);
    await perform(DAY, takes, { sender: "one", number: 3 });
    for (const late of [
      { number: 2, of: 1 },
      { number: 3, of: 3 },
    ])
      await settle(takes, { sender: "one", ...late });
    await assert.rejects(perform(DAY, takes, { sender: "one", number: 1 }), { name: "Unavailable" });
    assert.equal(await direct.used(ALICE, DAY), 4);
  });

  test("redis answers: while Redis is frozen, requests for units fail within their time limit; once Redis continues, the failed requests have cost no unit, whether or not Redis received them", async () => {
    const { quota, direct } = await behindProxy({ timeoutMs: 500 });
    redis.pause();
    try {
      const first = quota.take(ALICE, DAY, Infinity);
      await undefined;
      await undefined; // It is sent.
      const rest = Array.from({ length: 100 }, () => quota.take(ALICE, DAY, Infinity));
      const settled = await Promise.allSettled([first, ...rest]);
      await quota.watcher.sweep?.();
      assert.equal(quota.watcher.troubles()[0]?.code, "quota-unreachable");
      assert.ok(
        settled.every((one) => one.status === "rejected" && (one.reason as Error).name === "Unavailable"),
        "all are refused",
      );
    } finally {
      redis.resume();
    }
    await until("Redis answers again", async () => {
      const [answer] = await Promise.allSettled([quota.used(ALICE, DAY)]);
      return answer.status === "fulfilled";
    });
    await until("the unit that was granted too late is given back", async () => (await direct.used(ALICE, DAY)) === 1);
  });
}
