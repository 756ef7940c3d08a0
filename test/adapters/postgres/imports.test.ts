import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { PLAN, importsSuite, many } from "../../support/imports_suite.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed } from "../../support/store_suite.ts";
import { NOW } from "../../support/store_suite_files.ts";
import type { PostgresStore } from "../../../adapters/postgres/mod.ts";
import type { Observation } from "../../../core/mod.ts";

const server = await startPostgres();
if (!server) skipAloud("acts on PostgreSQL", postgresMissing);
else {
  importsSuite("postgres", async () => {
    const pools: pg.Pool[] = [];
    const stores: PostgresStore[] = [];
    const url = await server.database();

    /** With a pool of its own, as each process has one. */
    async function open(): Promise<PostgresStore> {
      const pool = new pg.Pool({ connectionString: url, max: 3 });
      pools.push(pool);
      await migrate(pool);
      const store = await openPostgres(pool, { clock: () => NOW });
      stores.push(store);
      return store;
    }
    return {
      store: await open(),
      async reopen() {
        await stores.at(-1)!.close();
        return open();
      },
      peer: async () => (await open()).imports,
      async close() {
        for (const store of stores) await store.close();
        for (const pool of pools) await pool.end();
      },
    };
  });

  test("around: an asset whose number of records the caller knows is not counted again, as an import asks for each batch", async () => {
    const pool = new pg.Pool({ connectionString: await server.database(), max: 3 });
    await migrate(pool);
    const { observations, imports, close } = await openPostgres(pool, { clock: () => NOW, follow: false });
    try {
      const one = observed(1, 1);
      await observations.append([one, observed(2, 2)]);
      assert.equal((await imports.around([one]))[0]?.count, 2);
      assert.equal((await imports.around([one], new Map([[one.code, 7]])))[0]?.count, 7);
    } finally {
      await close();
      await pool.end();
    }
  });

  test("an import reads no table as a whole, though its statements were planned while the tables were empty", async () => {
    const url = await server.database();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    await migrate(pool);
    await pool.query("VACUUM ANALYZE mazaneh.observations");
    const { imports, close } = await openPostgres(pool, { clock: () => NOW, follow: false });
    const { id } = await imports.begin(PLAN);
    const part = async (batch: readonly Observation[]): Promise<void> => {
      await imports.around(batch);
      await imports.append(id, batch, false);
    };
    // From the sixth time on, PostgreSQL may use one plan for all values.
    for (let i = 0; i < 8; i++) await part([observed(-1, 1 + i)]);
    await part(many(20_000, 1));
    for (let i = 0; i < 8; i++) await part(many(100, 2 + i));
    await close();
    await pool.end();
    const other = new pg.Client(url);
    await other.connect();
    try {
      // A session tells what it has read when it ends.
      const others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
      while ((await other.query(others)).rowCount! > 0);
      const { rows } = await other.query("SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE schemaname = 'mazaneh' AND relname = 'observations'");
      assert.ok(rows[0].read < 20_000, `${rows[0].read} rows were read one after the other`);
    } finally {
      await other.end();
    }
  });
}
