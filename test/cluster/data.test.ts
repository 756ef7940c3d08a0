import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { BOUND_MS } from "../../adapters/postgres/follow.ts";
import type { AssetCode } from "../../core/mod.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import type { PostgresServer } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import type { RedisServer } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import { ask, countOf, startInstance, startServe } from "./instances.ts";
import type { Instance, Seen } from "./instances.ts";
import { startTcpProxy } from "../support/tcp_proxy.ts";
import type { TcpProxy } from "../support/tcp_proxy.ts";
import { troublesOf } from "./troubles.ts";

// Two instances on one PostgreSQL, which is lost in one way after the other, and an instance that is killed.

const EUR = "EUR_RLS" as AssetCode;

const postgres = await startPostgres();
const redis = await startRedis();
if (postgres && redis) {
  // All of them before the first test, as hooks after all tests run when no test is left.
  const installations = [await startInstallation(postgres, redis, false), await startInstallation(postgres, redis, true)];
  for (const installation of installations) dataTests(postgres, installation);
} else skipAloud("instances that lose their database", postgresMissing, redisMissing);

/** Two instances, and the network to their database: `mazaneh serve`, which follows changes, or embedded ones, which ask each time. */
interface Installation {
  readonly follow: boolean;
  readonly instances: readonly [Instance, Instance];
  readonly network: TcpProxy;
  readonly key: string;
}

async function startInstallation(postgres: PostgresServer, redis: RedisServer, follow: boolean): Promise<Installation> {
  const url = await postgres.database();
  const quota = `${redis.url}/${Number(follow)}`;
  const write = await beginInstallation(url, quota);
  const network = await startTcpProxy(postgres.port);
  after(() => network.close());
  const { key, changes } = await testAccount(`data-${follow}`, 1_000_000);
  await write({ changes, records: [observed(0, 1)] });
  const store = url.replace(`:${postgres.port}/`, `:${network.port}/`);
  const start = (): Promise<Instance> => (follow ? startServe({ store, quota, write }) : startInstance({ postgres: store, redis: quota }));
  return { follow, instances: [await start(), await start()], network, key };
}

function dataTests(postgres: PostgresServer, { follow, instances, network, key }: Installation): void {
  const how = follow ? "mazaneh serve" : "embedded, asking each time";
  let value = 1;

  for (const [rule, trouble, mend] of troublesOf("PostgreSQL", postgres, network)) {
    test(`${how}: while ${rule}, each answer is right or 503 with Retry-After; then all goes on by itself`, async () => {
      const acknowledged = [{ value, at: performance.now() }];
      const seen: Seen[] = [];
      let isOver = false;

      async function write(): Promise<void> {
        while (!isOver) {
          const next = ++value;
          // One that is not acknowledged may have been stored or not.
          const isStored = await instances[0].write({ records: [observed(700, next)] }).then(() => true, () => false);
          if (isStored) acknowledged.push({ value: next, at: performance.now() });
          else await delay(10);
        }
      }

      async function askOne(n: number): Promise<Seen> {
        const asked = performance.now();
        const due = acknowledged.findLast(({ at }) => at <= asked - (follow ? BOUND_MS : 0))?.value ?? 1;
        const answer = await ask(instances[n % 2]!, key);
        const { status, retryAfter, text } = answer;
        if (status === 503) assert.ok(Number(retryAfter) > 0, `503 without Retry-After: ${text}`);
        else {
          assert.equal(status, 200, text);
          const found = (JSON.parse(text) as { readonly value: number }).value;
          assert.ok(found >= due && found <= value, `read ${found}, where ${due} was acknowledged and ${value} was sent`);
        }
        return answer;
      }

      async function read(n: number): Promise<void> {
        while (!isOver) {
          const answer = await askOne(n);
          seen.push(answer);
          if (answer.status !== 200) await delay(5);
        }
      }

      const loads = Promise.all([write(), ...Array.from({ length: 4 }, (_, n) => read(n))]).finally(() => (isOver = true));
      loads.catch(() => {}); // It is awaited below.
      try {
        await until(() => countOf(seen)[200]! >= 20 && acknowledged.length > 3);
        await trouble();
        // What a follower knows is served for so long.
        if (follow) await delay(BOUND_MS);
        const during = await Promise.all(Array.from({ length: 20 }, (_, n) => askOne(n)));
        assert.deepEqual(countOf(during), { 503: 20 });
        await mend();
        const [reads, writes] = [seen.length, acknowledged.length];
        await until(() => countOf(seen.slice(reads))[200]! >= 20 && acknowledged.length > writes + 3);
      } finally {
        isOver = true;
        await loads;
      }
    });
  }

  if (follow) return;
  test(`${how}: what an instance has acknowledged before it is killed is read at the other one`, async () => {
    let acknowledged = 0;
    const writing = (async () => {
      for (let minute = 0; minute < 700; minute++, acknowledged++) await instances[0].write({ records: [observed(minute, minute + 1, { code: EUR })] });
    })();
    const ended = assert.rejects(writing, /the instance has ended/);
    await Promise.race([ended, until(() => acknowledged >= 50)]);
    await instances[0].kill();
    await ended;
    const { status, text } = await ask(instances[1], key, "/api/v1/assets/EUR_RLS/ohlc?interval=15m&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z");
    assert.equal(status, 200, text);
    const { candles } = JSON.parse(text) as { readonly candles: readonly { readonly observationCount: number }[] };
    const found = candles.reduce((sum, { observationCount }) => sum + observationCount, 0);
    // The one under way may have been stored.
    assert.ok(found === acknowledged || found === acknowledged + 1, `${found} of ${acknowledged} are there`);
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 120_000; !isSo(); await delay(5)) assert.ok(performance.now() < end, "it does not go on");
}
