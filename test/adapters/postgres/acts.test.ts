import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { actsSuite } from "../../support/acts_suite.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed } from "../../support/store_suite.ts";
import { NOW } from "../../support/store_suite_files.ts";
import type { PostgresStore } from "../../../adapters/postgres/mod.ts";

const server = await startPostgres();
if (!server) skipAloud("acts on PostgreSQL", postgresMissing);
else {
  actsSuite("postgres", async () => {
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
}
