// What openPostgres and migrate refuse: clients that would fail later, and faults that do not pass by themselves.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import type { PostgresClient } from "../../../adapters/postgres/mod.ts";
import { StoreError } from "../../../adapters/store/store_error.ts";
import { systemClock as clock } from "../../../adapters/system.ts";
import { POSTGRES_CLIENTS } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("opening a database", postgresMissing);
const url = await server?.database();

/** Refuses a client at once, in both functions that take one. */
async function assertRefused(client: unknown, told: RegExp): Promise<void> {
  const refused = (error: unknown): boolean => error instanceof TypeError && told.test(error.message);
  await assert.rejects(openPostgres(client as PostgresClient, { clock }), refused);
  await assert.rejects(migrate(client as PostgresClient), refused);
}

if (url !== undefined) {
  const pool = new pg.Pool({ connectionString: url });
  const sql = postgres(url, { onnotice: () => {} });
  after(async () => Promise.all([pool.end(), sql.end({ timeout: 5 })]));

  test("open: one connection in place of a pool is refused", async () => {
    const give = /give a Pool of pg/;
    await assertRefused(new pg.Client({ connectionString: url }), give);
    const pooled = await pool.connect();
    await assertRefused(pooled, give);
    pooled.release();
    const reserved = await sql.reserve();
    await assertRefused(reserved, give);
    reserved.release();
  });

  test("open: parsers that the app has set for pg do not reach the statements of the store", async (t) => {
    const oids = [16, 23, 25, 701] as const;
    const before = oids.map((oid) => [oid, pg.types.getTypeParser(oid) as (text: string) => unknown] as const);
    t.after(() => before.forEach(([oid, parser]) => pg.types.setTypeParser(oid, parser)));
    for (const oid of oids) pg.types.setTypeParser(oid, (text) => ({ text }));
    await migrate(pool);
    await (await openPostgres(pool, { clock })).close();
    const { rows } = await pool.query<{ n: unknown }>("SELECT 1 AS n");
    assert.deepEqual(rows, [{ n: { text: "1" } }], "the app keeps its own");
  });

  for (const [type, oid] of [["int4", 23], ["float8", 701], ["boolean", 16], ["text", 25]] as const) {
    test(`open: a client of postgres that reads ${type} in its own way is refused with a sentence`, async () => {
      const own = postgres(url, { types: { own: { from: [oid], to: oid, serialize: String, parse: (text: string) => ({ text }) } } });
      await assertRefused(own, /types or transform change what int4, float8, boolean or text/);
      await own.end({ timeout: 5 });
    });
  }

  for (const [name, connect] of POSTGRES_CLIENTS) {
    test(`open, ${name}: what a person has to mend is an error of the store with one sentence`, async () => {
      await migrate(pool);
      const role = `stranger_of_${name}`;
      await connectionOf(pool).query(`CREATE ROLE ${role} LOGIN`);
      const faults = [
        [url.replace(/[^/]+$/, "nowhere"), /^Cannot open the database as database "nowhere" does not exist: create it/],
        [url.replace("postgres@", "nobody@"), /^Cannot sign in to the database as role "nobody" does not exist: check/],
        [url.replace("postgres@", `${role}@`), /^Cannot use the database as permission denied .*--grant-to ROLE/],
      ] as const;
      for (const [to, told] of faults) {
        const { client, close } = connect(to);
        const settled = (error: unknown): boolean => error instanceof StoreError && error.exitCode === 78 && told.test(error.message);
        await assert.rejects(openPostgres(client, { clock }), settled);
        if (!to.includes(role)) await assert.rejects(migrate(client), settled);
        await close();
      }
    });

    test(`migrate, ${name}: a role that is not there is named, and nothing is changed`, async () => {
      const { client, close } = connect(url);
      await assert.rejects(migrate(client, { schema: `norole_${name}`, grantTo: "norole" }), {
        ...{ name: "StoreError", exitCode: 78 },
        message: 'Cannot grant to the role "norole" as there is none: create it first. Nothing was changed',
      });
      await assert.rejects(openPostgres(client, { clock, schema: `norole_${name}` }), /no tables in the schema/);
      await close();
    });
  }
}
