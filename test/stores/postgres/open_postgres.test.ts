// The tables and connections: what `migrate` makes, when it and `openPostgres` fail, and what a role may do.
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { openPostgresClient } from "../../../adapters/cli/engines/open_database_clients.ts";
import { readStore, type ServerAddress } from "../../../adapters/cli/store_setting.ts";
import { systemClock as clock } from "../../../adapters/http/web_system.ts";
import { type Connection, connectionOf, type PgPool } from "../../../adapters/stores/postgres/connection.ts";
import { SCHEMA_VERSION } from "../../../adapters/stores/postgres/migrations/migrate.ts";
import { migrate, openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { readState } from "../../../adapters/stores/postgres/store_state.ts";
import { type AccountId, type AssetCode, type CalendarDate, type KeyId, Unavailable } from "../../../core/mod.ts";
import { at, observation } from "../../support/generators.ts";
import { poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/wait_until.ts";

const server = await sharedPostgres();
const CODE = "BTC_USD" as AssetCode;

function ofStore(exitCode: number, message: RegExp): object {
  return { name: "StoreError", exitCode, message };
}

if (!server) skipAloud("the tables on PostgreSQL", postgresMissing);
else {
  const url = await server.database();
  const pool = poolOf(url);
  const connection = connectionOf(pool);
  const at127 = (name: string): string => url.replace(/[^/]+$/, name);

  test("migrate: makes the tables in an empty database, only once for ten simultaneous calls; later calls change nothing", async () => {
    const missing = ofStore(78, /no tables in the schema "mazaneh": run "mazaneh migrate" first/);
    await assert.rejects(openPostgres(pool, { clock }), missing);
    const found = await Promise.all(Array.from({ length: 10 }, () => migrate(pool)));
    const wanted = Array.from({ length: 10 }, (_, n) => ({ from: n && SCHEMA_VERSION, to: SCHEMA_VERSION }));
    found.sort((a, b) => a.from - b.from);
    assert.deepEqual(found, wanted);
    await (await openPostgres(pool, { clock })).close();
  });

  test("migrate: refuses tables of a later version, names the version needed, and leaves them as they are", async () => {
    await migrate(pool, { schema: "later" });
    await pool.query("UPDATE later.meta SET version = 99");
    const expected = ofStore(78, /have version 99.*up to \d+\. .*Use a program that knows version 99/);
    await assert.rejects(migrate(pool, { schema: "later" }), expected);
    await assert.rejects(openPostgres(pool, { clock, schema: "later" }), expected);
  });

  test("migrate: the name of a schema may have any characters, but is never truncated", async () => {
    for (const schema of ["", "a\0b", "ä".repeat(32)]) await assert.rejects(migrate(pool, { schema }), RangeError);
    for (const schema of ['a"; DROP TABLE "b\'ä; --', "ä".repeat(31), "a mazaneh.b"]) {
      assert.deepEqual(await migrate(pool, { schema }), { from: 0, to: SCHEMA_VERSION });
      await (await openPostgres(pool, { clock, schema })).close();
    }
  });

  test("migrate: refuses a database that would lose characters or digits, or has a stricter isolation, and says why", async () => {
    for (const [name, options, setting, message] of [
      ["latin", "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", "jit = on", /must be UTF8: received "LATIN1"/],
      ["rounded", "", "extra_float_digits = 0", /extra_float_digits must be 1 or more/],
      ["strict", "", "default_transaction_isolation = 'serializable'", /must be "read committed"/],
    ] as const) {
      await pool.query(`CREATE DATABASE ${name} ${options}`);
      await pool.query(`ALTER DATABASE ${name} SET ${setting}`);
      await assert.rejects(migrate(poolOf(at127(name))), ofStore(78, message));
    }
    const { pool: own, close } = await openPostgresClient(readStore(at127("strict")) as ServerAddress, { max: 1 });
    await migrate(own); // The program itself sets the isolation of its connections.
    assert.deepEqual((await own.query("SHOW jit")).rows, [{ jit: "off" }]);
    await close();
  });

  test("open: a database that is read-only by default refuses changes by requests and commands, and the watcher reports it", async () => {
    await migrate(pool);
    const readOnly = poolOf(url, { options: "-c default_transaction_read_only=on" });
    const { watcher, quota, observations, close } = await openPostgres(readOnly, { clock, follow: false });
    await watcher.sweep?.();
    assert.equal(watcher.troubles()[0]?.code, "store-read-only");
    const refused = { name: "Unavailable", message: /read-only transaction/ };
    await assert.rejects(async () => quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, 5), refused);
    await assert.rejects(async () => observations.append([observation({ businessTime: at(0) })]), refused);
    await close();
  });

  test("open: a clock that differs by minutes from the database's is reported, but the store works", async () => {
    await migrate(pool);
    for (const [ahead, expected] of [
      [-600_000, /^The clock of this machine is \d{3} seconds behind the database's/],
      [-20_000],
      [20_000],
      [600_000, /^The clock of this machine is \d{3} seconds ahead of the database's/],
    ] as const) {
      const { watcher, close } = await openPostgres(pool, { clock: () => Date.now() + ahead, follow: false });
      await watcher.sweep?.();
      const [trouble] = watcher.troubles();
      assert.equal(trouble?.code, expected && "clock-differs", `${ahead} ms`);
      if (expected) assert.match(trouble!.message, expected);
      assert.equal(watcher.canServe?.(), true);
      await close();
    }
  });

  test("open: while a restore has loaded only some tables, units and keys are unavailable, and the watcher reports it", async () => {
    await migrate(pool, { schema: "loading" });
    const options = { clock, schema: "loading", follow: false };
    const { watcher, quota, accounts, close } = await openPostgres(pool, options);
    const take = async () => quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, 5);
    for (const [change, ask, message] of [
      ["DELETE FROM loading.meta", take, /meta is empty/],
      ["DELETE FROM loading.meta", () => openPostgres(pool, options), /meta is empty/],
      ["DELETE FROM loading.plans", async () => accounts.find("key00001" as KeyId), /plans is empty/],
      ["DELETE FROM loading.book", () => readState(connectionOf(pool, { schema: "loading" }).query), /book is empty/],
      ["ALTER TABLE loading.quota_receipts DROP CONSTRAINT quota_receipts_pkey", take, /no unique/],
    ] as const) {
      await pool.query(change);
      await assert.rejects(ask, { name: "Unavailable", message });
    }
    await watcher.sweep?.();
    assert.match(watcher.troubles()[0]!.message, /^The database cannot be reached: The table book is empty/);
    await close();
  });

  test("open: after a write has failed because the database's disk is full, the watcher reports this until there is space", async () => {
    await migrate(pool, { schema: "full" });
    const { watcher, observations, close } = await openPostgres(pool, { clock, schema: "full", follow: false });
    await pool.query(`CREATE FUNCTION "full".no_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON "full".observations EXECUTE FUNCTION "full".no_room()`);
    await watcher.sweep?.();
    assert.deepEqual(watcher.troubles(), []);
    await assert.rejects(async () => observations.append([observation({ businessTime: at(0) })]), /No space left/);
    const codes = watcher.troubles().map(({ code }) => code);
    assert.deepEqual(codes, ["disk-full"]);
    await watcher.sweep?.(); // The disk in this test has space.
    assert.deepEqual(watcher.troubles(), []);
    await close();
  });

  test("open: if the connection is lost while free connections are counted, that call fails, and the process continues", async () => {
    const proxy = await startTcpProxy(server.port);
    const address = readStore(url.replace(/:\d+\//, `:${proxy.port}/`)) as ServerAddress;
    const { leaveConnections, close } = await openPostgresClient(address, { max: 3 });
    await leaveConnections();
    proxy.answers = "swallow";
    const counted = assert.rejects(leaveConnections());
    await until("the server has answered", () => proxy.swallowed > 0);
    proxy.cut();
    await counted;
    await close();
  });

  test("open: a single connection instead of a pool is refused", async () => {
    const pooled = await pool.connect();
    for (const one of [new pg.Client({ connectionString: url }), pooled] as unknown as PgPool[]) {
      const refusal = { name: "TypeError", message: /pass a Pool of pg/ };
      await assert.rejects(openPostgres(one, { clock }), refusal);
      await assert.rejects(migrate(one), refusal);
    }
    pooled.release();
  });

  test("open: parsers that the app has set for pg do not affect the statements of the store", async (t) => {
    const oids = [16, 23, 25, 701] as const;
    const before = oids.map((oid) => [oid, pg.types.getTypeParser(oid) as (text: string) => unknown] as const);
    t.after(() => before.forEach(([oid, parser]) => pg.types.setTypeParser(oid, parser)));
    for (const oid of oids) pg.types.setTypeParser(oid, (text) => ({ text }));
    await migrate(pool);
    await (await openPostgres(pool, { clock })).close();
    assert.deepEqual((await pool.query("SELECT 1 AS n")).rows, [{ n: { text: "1" } }], "the app keeps its own parsers");
  });

  test("open: a problem that only a person can fix is a StoreError with one sentence", async () => {
    await pool.query("CREATE ROLE stranger LOGIN");
    const tables =
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'mazaneh'::regnamespace AND relkind = 'r'";
    const { rows } = await pool.query<{ name: string }>(`${tables} AND relname <> 'meta'`);
    for (const { name } of rows) {
      await pool.query(`ALTER TABLE mazaneh.${name} RENAME TO hidden`);
      await assert.rejects(openPostgres(pool, { clock }), ofStore(78, RegExp(`the table "${name}" is missing`)));
      await pool.query(`ALTER TABLE mazaneh.hidden RENAME TO ${name}`);
    }
    await pool.query(
      `CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA mazaneh TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA mazaneh TO reader`,
    );
    for (const [to, expected] of [
      [url.replace("postgres@", "reader@"), /has no right to INSERT in the table "meta": as the owner, run/],
      [at127("nowhere"), /^Cannot use the database: database "nowhere" does not exist/],
      [url.replace("postgres@", "nobody@"), /^Cannot use the database: role "…" does not exist/],
      [url.replace("postgres@", "stranger@"), /^Cannot use the database: permission denied/],
    ] as const)
      await assert.rejects(openPostgres(poolOf(to), { clock }), ofStore(78, expected));
    const expected = ofStore(78, /^Cannot use the database: role "norole" does not exist$/);
    await assert.rejects(migrate(pool, { schema: "norole", grantTo: "norole" }), expected);
    await assert.rejects(openPostgres(pool, { clock, schema: "norole" }), /no tables in the schema/);
  });

  test("roles: the owner of the schema may migrate; a role with rights granted by migrate can read and write, but not alter tables", async () => {
    const owned = await server.database();
    const role = 'server of "prices"';
    await poolOf(
      owned,
    ).query(`CREATE ROLE owner_only LOGIN; CREATE SCHEMA mazaneh AUTHORIZATION owner_only; CREATE ROLE "server of ""prices""" LOGIN;
      REVOKE ALL ON SCHEMA public FROM PUBLIC; REVOKE TEMP ON DATABASE ${new URL(owned).pathname.slice(1)} FROM PUBLIC`);
    await migrate(poolOf(owned.replace("postgres@", "owner_only@")), { grantTo: role });
    const served = poolOf(owned.replace("postgres@", `${encodeURIComponent(role)}@`));
    const { observations, accounts, close } = await openPostgres(served, { clock, follow: false });
    for (const more of [{ provider: "A" }, { businessTime: at(1) }])
      await observations.append([observation({ businessTime: at(0), ...more })]);
    await observations.append([observation({ businessTime: at(1), qualityStatus: "REJECTED" })]);
    assert.equal((await observations.coverage([CODE])).value[0]?.latest.businessTime, 0);
    await accounts.update([{ op: "plan.patch", name: "PRO", dailyUnits: null, attributionRequired: false }]);
    await close();
    for (const statement of [
      "CREATE TABLE mazaneh.more (n int)",
      "TRUNCATE mazaneh.observations",
      "ALTER TABLE mazaneh.assets ADD COLUMN n int",
    ])
      await assert.rejects(connectionOf(served).query(statement), Unavailable, statement);
  });

  test("connection: a statement is prepared once per connection, or not at all", async () => {
    const prepared = (one: Connection, marker: string): Promise<number> =>
      one.transaction(async (query) => {
        for (let i = 0; i < 3; i++) await query(`SELECT $1::int AS ${marker}`, [i]);
        const text = "SELECT FROM pg_prepared_statements WHERE statement LIKE $1::text";
        return (await query(text, [`%AS ${marker}%`])).length;
      });
    assert.equal(await prepared(connection, "often"), 1);
    assert.equal(await prepared(connectionOf(pool, { prepare: false }), "seldom"), 0);
  });

  test("connection: a transaction is committed as a whole, or rolled back when it throws", async () => {
    await pool.query("CREATE TABLE pieces (n int)");
    const store = (n: number, sql: string): Promise<unknown> =>
      connection.transaction(async (query) => {
        await query("INSERT INTO pieces VALUES ($1)", [n]);
        return query(sql);
      });
    await store(1, "SELECT 1");
    await assert.rejects(store(2, "INSERT INTO pieces VALUES ('no number')"), { code: "22P02" });
    assert.deepEqual((await pool.query("SELECT n FROM pieces")).rows, [{ n: 1 }]);
  });
}
