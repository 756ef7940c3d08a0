import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { StoreError } from "../../../adapters/store/store_error.ts";
import { systemClock as clock } from "../../../adapters/system.ts";
import { POSTGRES_CLIENTS, pgClient } from "../../support/postgres_clients.ts";
import type { TestClient } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("the tables on PostgreSQL", postgresMissing);
const opened: TestClient[] = [];
after(async () => Promise.all(opened.map((client) => client.close())));

async function database(connect = pgClient): Promise<TestClient & { readonly url: string }> {
  const url = await server!.database();
  return { ...connectTo(url, connect), url };
}

function connectTo(url: string, connect = pgClient): TestClient {
  const made = connect(url);
  opened.push(made);
  return made;
}

function ofStore(exitCode: number, told: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof StoreError && error.exitCode === exitCode && told.test(error.message);
}

const it = server ? test : () => {};

for (const [name, connect] of POSTGRES_CLIENTS) {
  it(`migrate, ${name}: an empty database gets the tables, and a second time changes nothing`, async () => {
    const { client } = await database(connect);
    await assert.rejects(openPostgres(client, { clock }), ofStore(78, /no tables in the schema "mazaneh": run "mazaneh migrate" first/));
    assert.deepEqual(await migrate(client), { from: 0, to: 1 });
    assert.deepEqual(await migrate(client), { from: 1, to: 1 });
    await (await openPostgres(client, { clock })).close();
  });
}

it("migrate: ten at a time make the tables once", async () => {
  const { client } = await database();
  const found = await Promise.all(Array.from({ length: 10 }, () => migrate(client)));
  assert.deepEqual(found.map(({ from }) => from).sort(), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
});

it("migrate: one that is broken off leaves nothing", async () => {
  const { client, url } = await database();
  const other = connectionOf(connectTo(url).client);
  // An event trigger ends the connection at the last table but one.
  await other.query(`
    CREATE FUNCTION cut() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF to_regclass('mazaneh.observations') IS NOT NULL THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
    END $$;
    CREATE EVENT TRIGGER cut ON ddl_command_end EXECUTE FUNCTION cut()`);
  await assert.rejects(migrate(client));
  await other.query("DROP EVENT TRIGGER cut");
  assert.equal((await other.query("SELECT FROM pg_namespace WHERE nspname = 'mazaneh'", [])).length, 0);
  assert.deepEqual(await migrate(client), { from: 0, to: 1 });
});

it("migrate: tables of a later version are refused with the version that is needed, and left as they are", async () => {
  const { client } = await database();
  await migrate(client);
  await connectionOf(client).query("UPDATE mazaneh.meta SET version = 7");
  const told = ofStore(78, /have version 7.*up to 1.*Use a program that knows version 7/);
  await assert.rejects(migrate(client), told);
  await assert.rejects(openPostgres(client, { clock }), told);
});

it("migrate: a name of a schema may have any characters, but is never cut off", async () => {
  const { client } = await database();
  const hostile = 'a"; DROP TABLE "b\'ä; --';
  assert.deepEqual(await migrate(client, { schema: hostile }), { from: 0, to: 1 });
  await (await openPostgres(client, { clock, schema: hostile })).close();
  await assert.rejects(openPostgres(client, { clock }), StoreError);
  for (const schema of ["", "a\0b", "ä".repeat(28)]) await assert.rejects(migrate(client, { schema }), RangeError);
  const longest = "ä".repeat(27);
  await migrate(client, { schema: longest });
  await (await openPostgres(client, { clock, schema: longest })).close();
});

it("migrate: a database that would lose characters or digits is refused with a sentence", async () => {
  const { client, url } = await database();
  await connectionOf(client).query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  const latin = connectTo(url.replace(/[^/]+$/, "latin"));
  await assert.rejects(migrate(latin.client), ofStore(78, /encoding must be UTF8: received "LATIN1"/));
  await connectionOf(client).query("CREATE DATABASE rounded");
  await connectionOf(client).query("ALTER DATABASE rounded SET extra_float_digits = 0");
  const rounded = connectTo(url.replace(/[^/]+$/, "rounded"));
  await assert.rejects(migrate(rounded.client), ofStore(78, /extra_float_digits must be 1 or more/));
});

it("migrate: a role that may create a schema is enough, and one that owns the schema", async () => {
  const { client, url } = await database();
  const connection = connectionOf(client);
  await connection.query("CREATE ROLE owner_only LOGIN; CREATE SCHEMA mazaneh AUTHORIZATION owner_only");
  const owner = connectTo(url.replace("postgres@", "owner_only@"));
  assert.deepEqual(await migrate(owner.client), { from: 0, to: 1 });
});
