import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { SCHEMA_VERSION } from "../../adapters/stores/postgres/migrations/migrate.ts";
import { program } from "../support/cli_program.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

// Started before the first test, so that the runner does not end this file while a server is still starting.
const postgres = await startPostgres();
const redis = await startRedis();

if (!postgres || !redis) {
  skipAloud("mazaneh migrate", postgresMissing, redisMissing);
} else {
  /** Runs statements in a database as the superuser. */
  async function ask(url: string, sql: string): Promise<readonly unknown[]> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(sql)).rows as readonly unknown[];
    } finally {
      await client.end();
    }
  }

  test("migrate: creates tables and ledger, says so, and has nothing to do when run again", async () => {
    const store = await postgres.database();
    await ask(store, "CREATE ROLE serving LOGIN");
    const env = { MAZANEH_STORE: store, MAZANEH_QUOTA: redis.url };
    const first = await program(["migrate", "--grant-to", "serving"], { env });
    const made = `Made the tables in ${store.replace("postgres@", "…@")}, version ${SCHEMA_VERSION}. Role serving may read and write the data.\nMade the ledger of units in ${redis.url}.\n`;
    assert.deepEqual([first.code, first.out, first.err], [0, made, ""]);
    const again = await program(["migrate", "--json"], { env });
    assert.deepEqual([again.code, again.err], [0, ""]);
    const { quota, ...report } = JSON.parse(again.out) as Record<string, unknown> & { quota: { id: string } };
    assert.deepEqual(report, {
      store: store.replace("postgres@", "…@"),
      from: SCHEMA_VERSION,
      to: SCHEMA_VERSION,
      grantedTo: null,
    });
    assert.deepEqual(quota, { name: redis.url, id: quota.id, made: false });
    assert.match(
      (await program(["migrate"], { env })).out,
      /^The tables in .* have version \d+ already\.\nThe ledger of units in .* stays in use\.\n$/,
    );
    const [grants] = await ask(
      store,
      "SELECT has_schema_privilege('serving', 'mazaneh', 'USAGE') AS used, has_schema_privilege('serving', 'mazaneh', 'CREATE') AS made",
    );
    assert.deepEqual(grants, { used: true, made: false });
  });

  test("migrate: a lost ledger in Redis is not replaced automatically: the operator decides which units count as used", async () => {
    const store = await postgres.database();
    await redis.flush();
    const env = { MAZANEH_STORE: store, MAZANEH_QUOTA: redis.url };
    assert.equal((await program(["migrate"], { env })).code, 0);
    await redis.flush();
    const refused = await program(["migrate"], { env });
    assert.equal(refused.code, 78);
    assert.match(refused.err, /^mazaneh: Redis has no ledger of units.*--counters/);
    const today = "2026-11-22";
    const now = `${today}T12:00:00Z`;
    const { code, out } = await program(["migrate", "--counters", "all-spent"], { env, now });
    assert.deepEqual([code, out.split("\n")[1]], [0, `Made the ledger of units in ${redis.url}.`]);

    const used = await program(["usage"], { env, now });
    assert.match(used.err, new RegExp(`^Counters of ${today} were lost`));
    const back = await program(["migrate", "--counters", "as-backed-up"], { env, now });
    assert.match(back.out, /stays in use, with --counters as-backed-up/);
    assert.equal((await program(["usage"], { env, now })).err, "");
  });

  test("migrate: another installation's ledger is refused with exit code 78 and left unchanged, before tables are created; --counters adopts it", async () => {
    const [own, other] = [await postgres.database(), await postgres.database()];
    await redis.flush();
    const envOf = (store: string) => ({ MAZANEH_STORE: store, MAZANEH_QUOTA: redis.url });
    assert.equal((await program(["migrate"], { env: envOf(own) })).code, 0);
    for (const times of ["first", "second"]) {
      const refused = await program(["migrate"], { env: envOf(other) });
      assert.deepEqual([refused.code, refused.out], [78, ""], times);
      assert.match(refused.err, /may belong to another installation.* --counters/);
    }
    assert.deepEqual(await ask(other, "SELECT FROM pg_namespace WHERE nspname = 'mazaneh'"), []);
    assert.equal((await program(["migrate"], { env: envOf(own) })).code, 0);
    assert.equal((await program(["migrate", "--counters", "as-backed-up"], { env: envOf(other) })).code, 0);
    assert.equal((await program(["migrate"], { env: envOf(other) })).code, 0, "the adopted ledger is recognized");
  });

  test("migrate: if Redis is not running, it fails before it creates the tables", async () => {
    const store = await postgres.database();
    const { code, err } = await program(["migrate"], {
      env: { MAZANEH_STORE: store, MAZANEH_QUOTA: "redis://:s3cret@127.0.0.1:1" },
    });
    assert.deepEqual([code, err], [70, "mazaneh: Redis is not available: connect ECONNREFUSED 127.0.0.1:1\n"]);
    assert.deepEqual(await ask(store, "SELECT 1 FROM pg_namespace WHERE nspname = 'mazaneh'"), []);
  });
}
