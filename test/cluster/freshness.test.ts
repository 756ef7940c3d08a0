import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { BOUND_MS } from "../../adapters/stores/postgres/follow_changes.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { program } from "../support/cli_program.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { type RedisServer, redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { until } from "../support/wait_until.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import { ask, type Instance, startServe } from "./instances.ts";

// Tests that an instance shows the changes of other processes to the same PostgreSQL database.

const READS = 1_000;

const postgres = await startPostgres();
const redis = await startRedis();
if (postgres && redis) await freshnessTests(postgres, redis);
else skipAloud("the delay until instances see writes of other processes", postgresMissing, redisMissing);

async function freshnessTests(postgres: PostgresServer, redis: RedisServer): Promise<void> {
  const url = await postgres.database();
  const write = await beginInstallation(url, redis.url);
  const [reader, ...revoked] = await Promise.all(
    Array.from({ length: 21 }, (_, n) => testAccount(`freshness-${n}`, 1_000_000)),
  );
  await write({ changes: [reader!, ...revoked].flatMap(({ changes }) => changes), records: [observed(0, 1)] });
  const instance = await startServe(url, redis.url);
  let value = 1;

  /** The latest value that the instance returns. */
  async function latestValue(): Promise<number> {
    const { status, text } = await ask(instance, reader!.key);
    assert.equal(status, 200, text);
    return (JSON.parse(text) as { readonly value: number }).value;
  }

  test(`an instance shows a write within ${BOUND_MS} ms: none of ${READS} reads is stale after that`, async () => {
    const acknowledged: { readonly value: number; readonly at: number }[] = [{ value, at: performance.now() }];
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await write({ records: [observed(1, ++value)] });
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
        const found = await latestValue();
        assert.ok(
          found >= (due?.value ?? 1),
          `read ${found}, although ${due?.value} was acknowledged ${BOUND_MS} ms earlier`,
        );
        if (found < last) behind++;
      }
    } finally {
      isOver = true;
      await writing;
    }
    console.log(`# ${acknowledged.length} writes; ${behind} reads were behind, none by more than ${BOUND_MS} ms`);
  });

  test(`an instance refuses a revoked key within ${BOUND_MS} ms`, async () => {
    for (const { key, keyId } of revoked) {
      assert.equal((await ask(instance, key)).status, 200);
      await write({ changes: [{ op: "key.revoke", id: keyId, at: Date.now() as UtcMillis }] });
      const acknowledged = performance.now();
      for (;;) {
        const asked = performance.now();
        const { status, text } = await ask(instance, key);
        if (status === 401) break;
        assert.equal(status, 200, text);
        assert.ok(asked < acknowledged + BOUND_MS, `served ${asked - acknowledged} ms after the revocation`);
      }
    }
  });

  test("each running instance logs every change by a command: who changed what, the number of records, the import and the change number", async () => {
    const both = [instance, await startServe(url, redis.url)];
    const env = { MAZANEH_STORE: url, MAZANEH_QUOTA: redis.url };
    const run = async (args: readonly string[], input: readonly string[] = []) => {
      const { code, out, err } = await program([...args], { env, input });
      assert.equal(code, 0, err);
      return out;
    };
    const { id } = JSON.parse(await run(["keys", "create", "carol", "--json"])) as { readonly id: string };
    await run(["import", "-"], ["code,value,businessTime\nBTC_USD,83125,2026-08-02T00:00:00Z\n"]);
    await run(["keys", "revoke", id]);
    await run(["imports", "undo", "1"]);
    const linesOf = ({ log }: Instance) =>
      log()
        .split("\n")
        .filter((line) => line.includes('"event":"changed"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const one of both) await until("all are logged", () => linesOf(one).length >= 4);
    const [lines, others] = both.map(linesOf) as [Record<string, unknown>[], Record<string, unknown>[]];
    const whatOf = ({ message, import: number, records, change }: Record<string, unknown>) => [
      String(message).replace(/^.* \(.*, process \d+\) /, ""),
      number,
      records,
      change,
    ];
    assert.deepEqual(lines.map(whatOf), [
      [`made key ${id} of account carol`, undefined, undefined, 1],
      ["import 1 of standard input: 1 record", 1, 1, 2],
      [`revoked key ${id}`, undefined, undefined, 3],
      ["undid import 1 of standard input: 1 record", 1, 1, 4],
    ]);
    for (const { user, program: name, pid } of lines)
      assert.deepEqual([typeof user, typeof name, pid], ["string", "string", process.pid]);
    assert.deepEqual(others.map(whatOf), lines.map(whatOf));
  });

  test("a change is made even if it cannot be recorded for the servers' logs; then its command prints who changed what", async () => {
    const database = new pg.Client(url);
    await database.connect();
    await database.query("ALTER TABLE mazaneh.changes ADD CONSTRAINT full_disk CHECK (false) NOT VALID");
    const { code, out, err } = await program(["keys", "create", "dora", "--json"], {
      env: { MAZANEH_STORE: url, MAZANEH_QUOTA: redis.url },
    });
    await database.query("ALTER TABLE mazaneh.changes DROP CONSTRAINT full_disk");
    await database.end();
    const { id, key } = JSON.parse(out) as { readonly id: string; readonly key: string };
    assert.equal(code, 0);
    const warning = `^Warning: no server will log this change, as it could not be recorded \\(.*full_disk.*\\): .* \\(.*, process ${process.pid}\\) made key ${id} of account dora$`;
    assert.match(err, new RegExp(warning, "m"));
    await until("the key is served", async () => (await ask(instance, key)).status === 200);
  });
}
