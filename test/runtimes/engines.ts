// The stores on PostgreSQL and Redis in Bun and Deno: the list of requests is answered as
// by node:http on a store in memory, byte for byte; and while an engine is gone, with 503.
//
//   npm test -- runtimes/engines.ts
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createNodeServer } from "../../adapters/node/mod.ts";
import { BOUND_MS } from "../../adapters/postgres/follow.ts";
import { openPostgres } from "../../adapters/postgres/mod.ts";
import { beginDatabase, beginLedger } from "../cluster/installation.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { KEYS, NOW, SAMPLES, createApp, createStore, fillStore, withOneName } from "./app.ts";
import { CASES } from "./cases.ts";
import { differences } from "./compare.ts";
import { answerOf } from "./exchange.ts";
import type { Answer } from "./exchange.ts";
import { fetchRuntime } from "./fetch_runtimes.mjs";
import { engineRuntime } from "./runners.ts";

const postgres = await startPostgres();
const redis = await startRedis({ settings: { appendonly: "yes" } });
const clock = (): typeof NOW => NOW;

if (!postgres || !redis) skipAloud("the engines in Bun and Deno", postgresMissing, redisMissing);
else {
  let reference: readonly Answer[];
  before(async () => {
    const store = await createStore();
    const server = createNodeServer(createApp({ ...store, observations: withOneName(store.observations) }));
    reference = await answersOf(`http://127.0.0.1:${(await server.listen({ host: "127.0.0.1", port: 0 })).port}`);
    await server.close();
  });

  for (const name of ["bun", "deno"] as const) {
    test(`${name}: ${CASES.length} requests are answered as from memory, byte for byte; while an engine is gone, with 503`, async () => {
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
        for (const engine of [redis, postgres]) {
          await engine.stop();
          // What a follower knows is served for so long.
          await delay(BOUND_MS);
          const { status, headers, text } = await accessAt(runner.origin);
          assert.deepEqual([status, headers.has("Retry-After")], [503, true], text);
          await engine.restart();
          for (const end = performance.now() + 60_000; (await accessAt(runner.origin)).status !== 200; await delay(50)) {
            assert.ok(performance.now() < end, "it does not go on");
          }
        }
      } finally {
        await runner.close();
      }
    });
  }
}

/** An answer that needs both engines. */
async function accessAt(origin: string): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const answer = await fetch(`${origin}/api/v1/assets/${SAMPLES.many}`, { headers: { "X-API-Key": KEYS.unlimited }, signal: AbortSignal.timeout(30_000) });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** One after the other, because each answer reports the units that are left. */
async function answersOf(origin: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of CASES) answers.push(await answerOf(one, origin));
  return answers;
}
