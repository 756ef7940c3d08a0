import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUND_MS } from "../../adapters/postgres/follow.ts";
import type { AssetCode, UtcMillis } from "../../core/mod.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import type { PostgresServer } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import type { RedisServer } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import type { TestAccount } from "./installation.ts";
import { ask, startInstance, startServe } from "./instances.ts";
import type { Instance } from "./instances.ts";

// What one instance has written, or a command, is read at the others: their data is in one PostgreSQL.

const TARGETS = [
  "/api/v1/assets/USD_RLS",
  "/api/v1/assets?codes=USD_RLS,EUR_RLS",
  "/api/v1/assets/USD_RLS/history?from=2026-11-19&to=2026-11-21",
  "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z",
];
const EUR = "EUR_RLS" as AssetCode;
const TAGS = 1_000;
const READS = 1_000;

const postgres = await startPostgres();
const redis = await startRedis();
if (postgres && redis) {
  // All of them before the first test, as hooks after all tests run when no test is left.
  const installations = [await startInstallation(postgres, redis, false), await startInstallation(postgres, redis, true)];
  for (const installation of installations) freshnessTests(installation);
} else skipAloud("what several instances read of each other", postgresMissing, redisMissing);

/** Two instances on one database, `mazaneh serve` or embedded ones, and keys that both know. Writes go through an embedded one, or beside `serve`. */
interface Installation {
  readonly follow: boolean;
  readonly instances: readonly [Instance, Instance];
  readonly reader: TestAccount;
  readonly revoked: readonly TestAccount[];
}

async function startInstallation(postgres: PostgresServer, redis: RedisServer, follow: boolean): Promise<Installation> {
  const url = await postgres.database();
  const quota = `${redis.url}/${Number(follow)}`;
  const write = await beginInstallation(url, quota);
  const [reader, ...revoked] = await Promise.all(Array.from({ length: 21 }, (_, n) => testAccount(`${follow}-${n}`, 1_000_000)));
  await write({ changes: [reader!, ...revoked].flatMap(({ changes }) => changes), records: [observed(0, 1)] });
  const start = (): Promise<Instance> => (follow ? startServe({ store: url, quota, write }) : startInstance({ postgres: url, redis: quota }));
  return { follow, instances: [await start(), await start()], reader: reader!, revoked };
}

function freshnessTests({ follow, instances: [first, second], reader, revoked }: Installation): void {
  const how = follow ? "mazaneh serve" : "embedded, asking each time";
  let value = 1;

  /** The latest value at an instance. */
  async function valueAt(instance: Instance): Promise<number> {
    const { status, text } = await ask(instance, reader.key);
    assert.equal(status, 200, text);
    return (JSON.parse(text) as { readonly value: number }).value;
  }

  if (follow) {
    test(`${how}: what was written is read at an instance within ${BOUND_MS} ms, 0 of ${READS} reads stale after that`, async () => {
      const acknowledged: { readonly value: number; readonly at: number }[] = [{ value, at: performance.now() }];
      let isOver = false;
      const writing = (async () => {
        while (!isOver) {
          await first.write({ records: [observed(1, ++value)] });
          acknowledged.push({ value, at: performance.now() });
        }
      })();
      let behind = 0;
      try {
        const began = performance.now();
        for (let reads = 0; reads < READS || performance.now() < began + 2.5 * BOUND_MS; reads++) {
          const asked = performance.now();
          const due = acknowledged.findLast(({ at }) => at <= asked - BOUND_MS);
          const last = acknowledged.at(-1)!.value;
          const found = await valueAt(second);
          assert.ok(found >= (due?.value ?? 1), `read ${found}, where ${due?.value} was acknowledged ${BOUND_MS} ms before`);
          if (found < last) behind++;
        }
      } finally {
        isOver = true;
        await writing;
      }
      console.log(`# ${acknowledged.length} writes; ${behind} reads were behind, none by more than ${BOUND_MS} ms`);
    });
  } else {
    test(`${how}: what one instance has written is read at the other with the first request after that`, async () => {
      for (let n = 0; n < 200; n++) {
        const [writer, other] = n % 2 === 0 ? [first, second] : [second, first];
        await writer.write({ records: [observed(1, ++value)] });
        assert.equal(await valueAt(other), value);
      }
    });
  }

  test(`${how}: a revoked key is refused at an instance ${follow ? `within ${BOUND_MS} ms` : "with the next request"}`, async () => {
    for (const { key, keyId } of revoked) {
      assert.equal((await ask(second, key)).status, 200);
      await first.write({ changes: [{ op: "key.revoke", id: keyId, at: Date.now() as UtcMillis }] });
      const acknowledged = performance.now();
      for (;;) {
        const asked = performance.now();
        const { status, text } = await ask(second, key);
        if (status === 401) break;
        assert.equal(status, 200, text);
        assert.ok(follow && asked < acknowledged + BOUND_MS, `served ${asked - acknowledged} ms after the revocation`);
      }
    }
  });

  test(`${how}: one entity tag, one body, in ${TAGS} tags read at one instance while others write`, async () => {
    const bodies = new Map<string, string>();
    let isOver = false;

    async function write(): Promise<void> {
      while (!isOver) {
        value++;
        await first.write({ records: [observed(value % 600, value), observed(value % 500, value, { code: EUR })] });
      }
    }

    async function read(target: string): Promise<void> {
      while (!isOver) {
        const { status, tag, text } = await ask(second, reader.key, target);
        assert.equal(status, 200, text);
        const name = `${target} ${tag ?? assert.fail("there is no entity tag")}`;
        assert.equal(text, bodies.get(name) ?? text, `two bodies for ${name}`);
        bodies.set(name, text);
        isOver ||= bodies.size >= TAGS;
      }
    }

    const readers = [...TARGETS, ...TARGETS].map((target) => read(target).finally(() => (isOver = true)));
    await Promise.all([write().finally(() => (isOver = true)), ...readers]);
  });
}
