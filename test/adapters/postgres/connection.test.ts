import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, test } from "node:test";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import type { Connection } from "../../../adapters/postgres/connection.ts";
import { Unavailable } from "../../../core/mod.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("connections to PostgreSQL", postgresMissing);

const databases = await databasesOf(server);

for (const { name, connect, url } of databases) {
  const opened = connect(url);
  const other = connect(url);
  after(async () => Promise.all([opened.close(), other.close()]));
  const connection = connectionOf(opened.client);

  test(`connection, ${name}: texts, numbers and booleans come back as they are`, async () => {
    const text = 'بازار "آزاد" \\ 😀 \u0001';
    const values = [text, 1 / 3, 5e-324, 253_402_300_799_999, null];
    const rows = await connection.query("SELECT $1::text AS a, $2::float8 AS b, $3::float8 AS c, $4::bigint::float8 AS d, $5::text AS e, 7 AS f, $6::text::bool AS g", [...values, "false"]);
    assert.deepEqual(rows.map((row) => ({ ...(row as object) })), [{ a: text, b: 1 / 3, c: 5e-324, d: 253_402_300_799_999, e: null, f: 7, g: false }]);
  });

  test(`connection, ${name}: without values a text may hold several statements`, async () => {
    await connection.query("CREATE TABLE several (n int); INSERT INTO several VALUES (1), (2)");
    assert.equal((await connection.query("SELECT n FROM several", [])).length, 2);
  });

  test(`connection, ${name}: a statement is prepared once for a connection, or not at all`, async () => {
    const count = "SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE $1::text";
    const prepared = async (one: Connection, marker: string): Promise<number> =>
      one.transaction(async (query) => {
        for (let i = 0; i < 3; i++) await query(`SELECT $1::int AS ${marker}`, [i]);
        return (await query<{ count: number }>(count, [`%AS ${marker}%`]))[0]!.count;
      });
    assert.equal(await prepared(connection, "often"), 1);
    assert.equal(await prepared(connectionOf(other.client, { prepare: false }), "seldom"), 0);
  });

  test(`connection, ${name}: a transaction is committed as a whole, or rolled back when it throws`, async () => {
    await connection.query("CREATE TABLE acts (n int)");
    assert.equal(await connection.transaction(async (query) => (await query("INSERT INTO acts VALUES ($1)", [1]), "done")), "done");
    const thrown = new Error("no");
    await assert.rejects(
      connection.transaction(async (query) => {
        await query("INSERT INTO acts VALUES ($1)", [2]);
        throw thrown;
      }),
      (error) => error === thrown,
    );
    await assert.rejects(connection.transaction((query) => query("INSERT INTO acts VALUES ('no number')")), { code: "22P02" });
    assert.deepEqual((await connection.query<{ n: number }>("SELECT n FROM acts", [])).map(({ n }) => n), [1]);
  });

  test(`connection, ${name}: a snapshot reads one state, and writes nothing`, async () => {
    await connection.query("CREATE TABLE states (n int)");
    const counts = await connection.snapshot(async (query) => {
      const count = async (): Promise<number> => (await query("SELECT n FROM states", [])).length;
      const before = await count();
      await connection.query("INSERT INTO states VALUES ($1)", [1]);
      return [before, await count()];
    });
    assert.deepEqual(counts, [0, 0]);
    await assert.rejects(connection.snapshot((query) => query("INSERT INTO states VALUES (2)")), Unavailable);
  });

  test(`connection, ${name}: a wrong statement is an error of its own, and the pool works on`, async () => {
    await assert.rejects(connection.query("SELEC"), (error) => !(error instanceof Unavailable));
    await assert.rejects(connection.query("SELECT 1/$1::int", [0]), (error) => !(error instanceof Unavailable));
    assert.equal((await connection.query("SELECT 1 AS n", [])).length, 1);
  });

  test(`connection, ${name}: a notification is heard, and a check comes back after it`, { timeout: 60_000 }, async () => {
    const heard: string[] = [];
    const listening = await connection.listen("a \"channel\"", (payload) => heard.push(payload), () => assert.fail());
    await connection.transaction((query) => query("SELECT pg_notify($1::text, $2::text)", ['a "channel"', "first"]));
    await connectionOf(other.client).query("SELECT pg_notify($1::text, $2::text)", ["another", "no"]);
    await connectionOf(other.client).query("SELECT pg_notify($1::text, $2::text)", ['a "channel"', "second"]);
    await listening.check();
    assert.deepEqual(heard, ["first", "second"]);
    const again = await connection.listen("a \"channel\"", () => {}, () => assert.fail());
    await Promise.all([again.check(), listening.check()]);
    await Promise.all([again.close(), listening.close()]);
    await assert.rejects(listening.check());
    await connection.query("SELECT pg_notify($1::text, $2::text)", ['a "channel"', "third"]);
    assert.deepEqual(heard, ["first", "second"]);
  });

  test(`connection, ${name}: a lost listener says so, and another one can be begun`, { timeout: 60_000 }, async () => {
    const events = new EventEmitter();
    const lost = once(events, "lost");
    const listening = await connection.listen("lost", () => {}, () => events.emit("lost"));
    const waiting = assert.rejects(async () => {
      for (;;) await listening.check();
    });
    await connectionOf(other.client).query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()", []);
    await lost;
    await waiting;
    const heard: string[] = [];
    const again = await connection.listen("lost", (payload) => heard.push(payload), () => {});
    await connection.query("SELECT pg_notify($1::text, $2::text)", ["lost", "back"]);
    await again.check();
    assert.deepEqual(heard, ["back"]);
    await again.close();
  });
}

for (const { name, connect, url } of databases) {
  test(`connection, ${name}: a server that is away is Unavailable with the cause, and used again once it is back`, { timeout: 60_000 }, async () => {
    const opened = connect(url);
    try {
      const connection = connectionOf(opened.client);
      await connection.query("CREATE TABLE kept (n int)");
      await connection.listen("away", () => {}, () => {});
      const inTransaction = connection.transaction(async (query) => {
        await query("INSERT INTO kept VALUES ($1)", [1]);
        await server!.stop();
        await query("INSERT INTO kept VALUES ($1)", [2]);
      });
      await assert.rejects(inTransaction, Unavailable);
      await assert.rejects(connection.query("SELECT 1 AS n", []), (error) => error instanceof Unavailable && error.cause !== undefined);
      await assert.rejects(connection.transaction(async () => {}), Unavailable);
      await assert.rejects(connection.listen("never", () => {}, () => {}), Unavailable);
      await server!.restart();
      await again(() => connection.query("SELECT 1 AS n", []));
      assert.equal((await connection.query("SELECT n FROM kept", [])).length, 0);
      await again(async () => {
        const listening = await connection.listen("never", () => {}, () => {});
        await listening.check().finally(listening.close);
      });
    } finally {
      await opened.close();
    }
  });
}

/** Imports until it succeeds. */
async function again(act: () => Promise<unknown>): Promise<void> {
  while (!(await act().then(() => true, () => false)));
}
