import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { BOUND_MS } from "../../adapters/stores/postgres/follow_changes.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { type RedisServer, redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { startTcpProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/wait_until.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import { ask, countOf, type Instance, type InstanceAnswer, startServe } from "./instances.ts";
import { troublesOf } from "./troubles.ts";

// Two instances on one PostgreSQL server, which becomes unreachable in several ways.

const postgres = await startPostgres();
const redis = await startRedis();
if (postgres && redis) await dataTests(postgres, redis);
else skipAloud("instances that lose their database", postgresMissing, redisMissing);

async function dataTests(postgres: PostgresServer, redis: RedisServer): Promise<void> {
  const url = await postgres.database();
  const store = await beginInstallation(url, redis.url);
  const network = await startTcpProxy(postgres.port);
  const { key, changes } = await testAccount("data", 1_000_000);
  await store({ changes, records: [observed(0, 1)] });
  const start = (): Promise<Instance> => startServe(url.replace(`:${postgres.port}/`, `:${network.port}/`), redis.url);
  const instances = [await start(), await start()];
  let value = 1;

  for (const [rule, trouble, mend] of troublesOf("PostgreSQL", postgres, network)) {
    test(`while ${rule}, each answer is correct or 503 with Retry-After; afterwards, everything recovers by itself`, async () => {
      const acknowledged = [{ value, at: performance.now() }];
      const seen: InstanceAnswer[] = [];
      let isOver = false;

      async function write(): Promise<void> {
        while (!isOver) {
          const next = ++value;
          // A write without an acknowledgement may still have been stored.
          const isStored = await store({ records: [observed(700, next)] }).then(
            () => true,
            () => false,
          );
          if (isStored) acknowledged.push({ value: next, at: performance.now() });
          else await delay(10);
        }
      }

      async function askOne(n: number): Promise<InstanceAnswer> {
        const asked = performance.now();
        const due = acknowledged.findLast(({ at }) => at <= asked - BOUND_MS)?.value ?? 1;
        const answer = await ask(instances[n % 2]!, key);
        const { status, retryAfter, text } = answer;
        if (status === 503) assert.ok(Number(retryAfter) > 0, `503 without Retry-After: ${text}`);
        else {
          assert.equal(status, 200, `${text}\n${instances[n % 2]!.log()}`);
          const found = (JSON.parse(text) as { readonly value: number }).value;
          assert.ok(
            found >= due && found <= value,
            `read ${found}, although ${due} was acknowledged and ${value} was sent`,
          );
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

      const loads = Promise.all([write(), ...Array.from({ length: 4 }, (_, n) => read(n))]).finally(
        () => (isOver = true),
      );
      loads.catch(() => {}); // Awaited below.
      try {
        await until("requests are answered", () => countOf(seen)[200]! >= 20 && acknowledged.length > 3);
        await trouble();
        // For this long, an instance may serve data that it has in memory.
        await delay(BOUND_MS);
        const during = await Promise.all(Array.from({ length: 20 }, (_, n) => askOne(n)));
        assert.deepEqual(countOf(during), { 503: 20 });
        await mend();
        const [reads, writes] = [seen.length, acknowledged.length];
        await until("it recovers", () => countOf(seen.slice(reads))[200]! >= 20 && acknowledged.length > writes + 3);
      } finally {
        isOver = true;
        await loads;
      }
    });
  }
}
