import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { AccountChange } from "../../core/mod.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { type RedisServer, redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { IS_NIGHTLY, runs } from "../support/suite_size.ts";
import { startTcpProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/wait_until.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import { ask, countOf, type Instance, type InstanceAnswer, startServe } from "./instances.ts";
import { type Trouble, troublesOf } from "./troubles.ts";

// Two `mazaneh serve` processes that count units in one Redis.

const ROUNDS = runs(1, 3);
const LAST_UNITS = 10;
/** The number of requests that are sent at the same time. */
const AT_ONCE = 8;
const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
const postgres = await startPostgres();
if (redis && postgres) await unitTests(redis, postgres);
else skipAloud("units over several instances", redisMissing, postgresMissing);

async function unitTests(redis: RedisServer, postgres: PostgresServer): Promise<void> {
  const spare = (await startRedis())!;
  const store = await postgres.database();
  const write = await beginInstallation(store, redis.url);
  const changes: AccountChange[] = [];
  let accounts = 0;

  /** A key for a new account. All accounts are made before the instances start. */
  async function account(units: number): Promise<string> {
    const { key, changes: made } = await testAccount(`account-${++accounts}`, units);
    changes.push(...made);
    return key;
  }

  const races = await Promise.all(Array.from({ length: ROUNDS + 40 }, () => account(50)));
  const killed = await account(600);
  const troubles = await Promise.all(Array.from({ length: 6 }, () => account(400)));
  const network = await startTcpProxy(redis.port);
  await write({ changes, records: [observed(1, 1_000_000)] });
  const start = (): Promise<Instance> => startServe(store, `redis://127.0.0.1:${network.port}`);
  const instances = [await start(), await start()];

  /** Sends requests to both instances alternately, several at a time, until the units are used up. */
  function load(key: string): {
    readonly seen: readonly InstanceAnswer[];
    readonly done: Promise<unknown>;
    served(units: number): Promise<void>;
  } {
    const seen: InstanceAnswer[] = [];
    let next = 0;
    const askOn = async (): Promise<void> => {
      while (!seen.some(({ status }) => status === 429)) {
        const answer = await ask(instances[next++ % 2]!, key);
        seen.push(answer);
        if (answer.status !== 200) await delay(2);
      }
    };
    return {
      seen,
      done: Promise.all(Array.from({ length: AT_ONCE }, askOn)),
      served: (units) => until(`${units} are served`, () => (countOf(seen)[200] ?? 0) >= units),
    };
  }

  test(`exactly ${LAST_UNITS} of 500 concurrent requests to two instances are served when ${LAST_UNITS} units are left (rounds: ${ROUNDS})`, async () => {
    let rounds = 0;
    for (const key of races) {
      if (rounds === ROUNDS) break;
      const seen: InstanceAnswer[] = [];
      for (let n = 0; n < 50 - LAST_UNITS; n++) seen.push(await ask(instances[n % 2]!, key));
      seen.push(...(await Promise.all(Array.from({ length: 500 }, (_, n) => ask(instances[n % 2]!, key)))));
      const counts = countOf(seen);
      // If the machine stalls for two seconds, a 503 may cost a unit, so the round is repeated.
      if (counts[503]) assert.ok(counts[200]! <= 50, "no unit is served twice");
      else {
        assert.deepEqual(counts, { 200: 50, 429: 490 });
        rounds++;
      }
    }
    assert.equal(rounds, ROUNDS, "the machine is too slow");
  });

  test("an instance that is killed under load never served a unit twice, and the other instance serves the rest", async () => {
    const { seen, done, served } = load(killed);
    await served(150);
    await instances[0]!.kill();
    await done;
    const counts = countOf(seen);
    const others = Object.keys(counts).filter((status) => !["0", "200", "429", "503"].includes(status));
    assert.deepEqual(others, []);
    // Each request that was open when its instance was killed may lose a unit.
    // A 503, which an instance sends if the machine stalls for two seconds, may lose a unit as well.
    assert.ok(counts[200]! <= 600 && counts[200]! >= 600 - AT_ONCE - (counts[503] ?? 0), `${counts[200]} were served`);
    instances[0] = await start();
    assert.equal((await ask(instances[0]!, killed)).status, 429, "a newly started instance knows the used units");
  });

  const cases: readonly Trouble[] = [
    // The last two troubles take ten seconds each.
    ...troublesOf("Redis", redis, network).slice(0, IS_NIGHTLY ? 5 : 3),
    [
      "an empty Redis takes over",
      async () => {
        network.leadTo(spare.port);
        await until("the instances are connected", () => network.connections() >= instances.length);
      },
      async () => network.leadTo(redis.port),
    ],
  ];

  for (const [index, [rule, trouble, mend]] of cases.entries()) {
    test(`while ${rule}, each answer is correct or 503 with Retry-After, and no unit is served twice; afterwards, everything recovers by itself`, async () => {
      const key = troubles[index]!;
      const { seen, done, served } = load(key);
      await served(50);
      await trouble();
      const during = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(instances[n % 2]!, key)));
      assert.deepEqual(countOf(during), { 503: 20 }, during.find(({ status }) => status !== 503)?.text);
      await mend();
      await done;
      for (const { status, retryAfter, text } of [...seen, ...during]) {
        assert.ok([200, 429, 503].includes(status), `${status} ${text}`);
        if (status === 503) assert.ok(Number(retryAfter) > 0, `503 without Retry-After: ${text}`);
      }
      // Each request that was open when a connection broke may have used a unit whose answer was lost.
      const { 200: units = 0 } = countOf(seen);
      assert.ok(units <= 400 && units >= 200, `${units} were served`);
    });
  }
}
