// Large batches whose records are all new are inserted without a comparison; here, what that must not change. That the
// outcome is the same is shown by the tests of observations and acts, which have such batches too.
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { QUALITY_STATUSES } from "../../../core/mod.ts";
import type { Observation } from "../../../core/mod.ts";
import { PLAN, many } from "../../support/imports_suite.ts";
import { POSTGRES_CLIENTS } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { NOW } from "../../support/store_suite_files.ts";

const ROWS = 400;

const server = await startPostgres();
if (!server) skipAloud("new records on PostgreSQL", postgresMissing);
else {
  test("new records: of two stores, one on each client library, that get the same ones at once, one stores them, and the other finds them unchanged", async () => {
    const url = await server.database();
    const clients = POSTGRES_CLIENTS.map(([, connect]) => connect(url));
    await migrate(clients[0]!.client);
    const stores = await Promise.all(clients.map(({ client }) => openPostgres(client, { clock: () => NOW, follow: false })));
    try {
      for (let round = 0; round < 10; round++) {
        const batch = many(ROWS, 1).map((one) => ({ ...one, provider: `round ${round}`, businessTime: (one.businessTime - round * ROWS * 60_000) as typeof one.businessTime }));
        const outcomes = await Promise.all(stores.map(async ({ observations }) => observations.append(batch)));
        assert.deepEqual(outcomes.map(({ accepted }) => accepted).sort(), [0, ROWS]);
        assert.deepEqual(outcomes.map(({ unchanged }) => unchanged).sort(), [0, ROWS]);
      }
      const [coverage] = (await stores[0]!.observations.coverage([many(1, 1)[0]!.code])).value;
      assert.equal(coverage!.providers.length, 10);
    } finally {
      for (const store of stores) await store.close();
      for (const client of clients) await client.close();
    }
  });

  test("new records: that there are none in the way is found without reading a table as a whole, though that was planned while the tables were empty", async () => {
    const url = await server.database();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    await migrate(pool);
    await pool.query("VACUUM ANALYZE mazaneh.observations");
    const { observations, close } = await openPostgres(pool, { clock: () => NOW, follow: false });
    // From the sixth time on, PostgreSQL may use one plan for all values.
    const all = many(20_000, 1);
    for (let from = 0; from < 1_000; from += 100) await observations.append(all.slice(from, from + 100));
    await observations.append(all.slice(1_000, 19_000));
    for (let from = 19_000; from < 20_000; from += 100) assert.equal((await observations.append(all.slice(from, from + 100))).accepted, 100);
    await close();
    await pool.end();
    assert.ok((await rowsReadInOrder(url)) < 20_000);
  });

  for (const [name, connect] of POSTGRES_CLIENTS) {
    test(`new records: ${name} stores those that differ in all columns, and those that differ in few, as they are`, async () => {
      const { client, close: closeClient } = connect(await server.database());
      await migrate(client);
      const { observations, close } = await openPostgres(client, { clock: () => NOW, follow: false });
      const same = many(ROWS, 1).map((one) => ({ ...one, qualityMessage: 'a "quoted", \\ {message}', sourceTime: one.insertTime }));
      const others = many(2 * ROWS, 1).slice(ROWS).map((one, i) => ({
        ...one,
        sourceTime: i % 2 === 0 ? null : one.businessTime,
        insertTime: (one.insertTime + i) as typeof one.insertTime,
        provider: i % 3 === 0 ? null : `provider "${i % 5}"`,
        qualityStatus: QUALITY_STATUSES[i % 7 === 0 ? 1 : 0]!,
        qualityMessage: i % 2 === 0 ? "" : "NULL",
      }));
      try {
        for (const batch of [same, others]) assert.equal((await observations.append(batch)).accepted, ROWS);
        const stored = new Map<number, Observation>();
        for await (const record of observations.records()) stored.set(record.businessTime, record);
        assert.deepEqual([...same, ...others].map(({ businessTime }) => stored.get(businessTime)), [...same, ...others]);
      } finally {
        await close();
        await closeClient();
      }
    });
  }

  test("new records: an import says the same of records that are new in one asset and there in another", async () => {
    const pool = new pg.Pool({ connectionString: await server.database(), max: 2 });
    await migrate(pool);
    const { imports, close } = await openPostgres(pool, { clock: () => NOW, follow: false });
    try {
      const { id } = await imports.begin(PLAN);
      const known = many(ROWS, 1);
      assert.equal((await imports.append(id, known, false)).accepted, ROWS);
      const other = known.map((one) => ({ ...one, code: "EUR_RLS" as typeof one.code }));
      const { accepted, unchanged } = await imports.append(id, [...known, ...other], false);
      assert.deepEqual({ accepted, unchanged }, { accepted: ROWS, unchanged: ROWS });
    } finally {
      await close();
      await pool.end();
    }
  });
}

/** Rows of the observations that were read one after the other by sessions that have ended. */
async function rowsReadInOrder(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    while ((await client.query(others)).rowCount! > 0);
    const { rows } = await client.query("SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE schemaname = 'mazaneh' AND relname = 'observations'");
    return rows[0].read;
  } finally {
    await client.end();
  }
}
