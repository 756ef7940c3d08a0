import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { createNodeServer } from "../../adapters/http/node/mod.ts";
import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { openPostgres } from "../../adapters/stores/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/stores/redis/mod.ts";
import { withDeadline } from "../../adapters/stores/shared/with_deadline.ts";
import { createApp, createStore, fillStore, NOW, type Store, withOneName } from "../runtimes/app.ts";
import { CASES } from "../runtimes/cases.ts";
import { type Answer, answerOf } from "../runtimes/exchange.ts";
import { newDirectory } from "../support/json_files_fixtures.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { beginDatabase, beginLedger } from "./installation.ts";

// Sends the same requests as the runtime tests: every store must answer with the same bytes.

const postgres = await startPostgres();
const redis = await startRedis();
const clock = (): typeof NOW => NOW;

contractTests("JSON files", async (t) => {
  const store = await openJsonFiles(await newDirectory(), { clock });
  t.after(() => store.close());
  await fillStore(store);
  return store;
});

if (postgres && redis) {
  for (const follow of [false, true]) {
    contractTests(`PostgreSQL and Redis, ${follow ? "following changes" : "without following changes"}`, async (t) => {
      const url = await postgres.database();
      await beginDatabase(url);
      const pool = new pg.Pool({ connectionString: url, max: 4 });
      const client = createClient({ url: redis.url, disableOfflineQueue: true });
      pool.on("error", () => {});
      client.on("error", () => {});
      await client.connect();
      await redis.flush();
      await beginLedger(redis.url);
      const store = await openPostgres(pool, { clock, follow });
      t.after(async () => {
        await store.close();
        await pool.end();
        client.destroy();
      });
      await fillStore(store);
      return withDeadline({ ...store, quota: await createRedisQuota(client, { timeoutMs: 60_000 }) }, { ms: 60_000 });
    });
  }
} else skipAloud("the contract on PostgreSQL and Redis", postgresMissing, redisMissing);

/** Sends all requests to the store and to a store in memory. */
function contractTests(name: string, open: (t: TestContext) => Promise<Store>): void {
  test(`${name}: ${CASES.length} requests get the same bytes as from a store in memory`, async (t) => {
    const origins: string[] = [];
    for (const store of [await createStore(), await open(t)]) {
      const server = createNodeServer(createApp({ ...store, observations: withOneName(store.observations) }));
      t.after(() => server.close());
      origins.push(`http://127.0.0.1:${(await server.listen({ host: "127.0.0.1", port: 0 })).port}`);
    }
    // Sent in sequence, because each answer reports the units left.
    for (const one of CASES) {
      const [wanted, found]: Answer[] = await Promise.all(origins.map((origin) => answerOf(one, origin)));
      assert.equal(wanted![0], String(one.status), one.rule);
      assert.deepEqual(found, wanted, one.rule);
    }
  });
}
