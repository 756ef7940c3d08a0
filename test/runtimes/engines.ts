// Tests the stores on PostgreSQL and Redis in Bun and Deno.
// Each request must get the same bytes as from node:http with a store in memory.
//
//   npm test -- runtimes/engines.ts
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createNodeServer } from "../../adapters/http/node/mod.ts";
import { openPostgres } from "../../adapters/stores/postgres/mod.ts";
import { beginDatabase, beginLedger } from "../cluster/installation.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { createApp, createStore, fillStore, NOW, withOneName } from "./app.ts";
import { CASES } from "./cases.ts";
import { answersOf, differences } from "./compare.ts";
import type { Answer } from "./exchange.ts";
import { fetchRuntime } from "./fetch_runtimes.mjs";
import { engineRuntime } from "./runners.ts";

const postgres = await startPostgres();
const redis = await startRedis({ settings: { appendonly: "yes" } });
const clock = (): typeof NOW => NOW;

if (!postgres || !redis) skipAloud("PostgreSQL and Redis in Bun and Deno", postgresMissing, redisMissing);
else {
  let reference: readonly Answer[];
  before(async () => {
    const store = await createStore();
    const server = createNodeServer(createApp({ ...store, observations: withOneName(store.observations) }));
    reference = await answersOf(`http://127.0.0.1:${(await server.listen({ host: "127.0.0.1", port: 0 })).port}`);
    await server.close();
  });

  for (const name of ["bun", "deno"] as const) {
    test(`${name}: ${CASES.length} requests get the same bytes as from a store in memory`, async () => {
      const program = fetchRuntime(name);
      assert.ok(program, `${name} cannot be fetched`);
      const STORE = await postgres.database();
      const pool = await beginDatabase(STORE);
      const store = await openPostgres(pool, { clock, follow: false });
      await fillStore(store);
      await store.close();
      await redis.flush();
      await beginLedger(redis.url);
      const runner = await engineRuntime(name, { STORE, QUOTA: redis.url }).start(program);
      try {
        assert.deepEqual(differences({ name, answers: await answersOf(runner.origin) }, reference), []);
      } finally {
        await runner.close();
      }
    });
  }
}
