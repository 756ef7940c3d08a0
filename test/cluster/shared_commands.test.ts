// What an answer that is cached costs PostgreSQL and Redis where many ask for it at once.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { createNodeServer, nodeSystem } from "../../adapters/node/mod.ts";
import { openPostgres } from "../../adapters/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/redis/mod.ts";
import { createApi } from "../../core/mod.ts";
import { until } from "../support/node_stub.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite/records.ts";
import { beginDatabase, beginLedger, testAccount } from "./installation.ts";

const CALLERS = 16;
const ROUNDS = 50;
const CANDLES = "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";

const postgres = await startPostgres();
const redis = await startRedis();
if (!postgres || !redis) skipAloud("what cached answers cost PostgreSQL and Redis", postgresMissing, redisMissing);
else {
  const url = await postgres.database();
  await beginDatabase(url);
  await beginLedger(redis.url);

  for (const [what, target] of [["candles", CANDLES], ["an asset", "/api/v1/assets/USD_RLS"]] as const) {
    test(`${CALLERS} requests at a time for ${what}, cached: no statement of PostgreSQL, and two commands of Redis`, async () => {
      let [statements, commands] = [0, 0];
      const pool = new pg.Pool({ connectionString: url });
      pool.on("error", () => {});
      const client = createClient({ url: redis.url, disableOfflineQueue: true });
      client.on("error", () => {});
      await client.connect();
      const countedPool = {
        options: pool.options,
        connect: () => pool.connect(),
        on: (event: "error", listener: (error: Error) => void) => pool.on(event, listener),
        query: (statement: pg.QueryConfig) => (statements++, pool.query(statement)),
      };
      const countedClient = { options: { disableOfflineQueue: true }, sendCommand: (args: readonly string[]) => (commands++, client.sendCommand([...args])) };
      const store = await openPostgres(countedPool, { clock: nodeSystem.clock });
      const quota = await createRedisQuota(countedClient, { timeoutMs: 60_000 });
      const server = createNodeServer(createApi({ ...nodeSystem, observations: store.observations, accounts: store.accounts, quota }));
      after(async () => {
        redis.resume();
        await server.close();
        await store.close();
        client.destroy();
        await pool.end();
      });
      const { key, changes } = await testAccount(what.toUpperCase().replace(" ", "_"), 1_000_000);
      await store.accounts.update(changes);
      await store.observations.append([observed(1, 1)]);
      const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
      const ask = async (): Promise<void> => {
        const answer = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { "X-API-Key": key } });
        assert.deepEqual([answer.status, (await answer.text()).includes("USD_RLS")], [200, true]);
      };
      for (let n = 0; n < 3; n++) await ask();

      // On a machine that stops for a second, what is in memory counts no more, and the database is asked.
      const ofRounds: number[] = [];
      while (!ofRounds.includes(0) && ofRounds.length < ROUNDS) {
        [statements, commands] = [0, 0];
        redis.pause();
        const asked = Array.from({ length: CALLERS }, ask);
        // The first one's take is under way, and all others wait with it.
        await until(() => server.load().inFlight === CALLERS);
        redis.resume();
        await Promise.all(asked);
        assert.ok(commands <= 2, `${commands} commands`);
        ofRounds.push(statements);
      }
      assert.equal(ofRounds.at(-1), 0, `statements in each round: ${ofRounds.join(", ")}`);
    });
  }
}
