import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { DEFAULT_SCHEMA, schemaOf } from "../../../adapters/postgres/schema.ts";
import { verifyPostgres } from "../../../adapters/postgres/verify.ts";
import { fillHouse } from "../../support/copied_house.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { NOW } from "../../support/store_suite_files.ts";

/** Each fault as somebody's hand could make it, and the sentence that tells of it. */
const FAULTS: readonly (readonly [what: string, sql: string, told: RegExp])[] = [
  ["a value that is none", "UPDATE observations SET value = 'NaN' WHERE business_time = (SELECT min(business_time) FROM observations WHERE quality <> 0)", /^observations: .*no record that a store may hold$/],
  ["an asset that is missing", "DELETE FROM assets WHERE code = 'EUR_RLS'", /^assets: there are records of asset \d+, which is missing$/],
  ["a version that was never raised", "UPDATE assets SET version = 0 WHERE code = 'USD_RLS'", /^assets: USD_RLS has records, and its version is 0$/],
  ["a bucket that differs", "UPDATE rollup SET high = high + 1 WHERE start = (SELECT max(start) FROM rollup)", /^rollup: USD_RLS: the roll-up of 2026-.* is not that of its records$/],
  ["a bucket that is missing", "DELETE FROM rollup WHERE start = (SELECT max(start) FROM rollup)", /^rollup: USD_RLS/],
  ["a bucket too many", "INSERT INTO rollup SELECT asset, count, start + 86400000000, first_time, last_time, open, high, low, close FROM rollup LIMIT 1", /^rollup: .*_RLS/],
  ["the last time of an asset that is wrong", "UPDATE rollup SET last_time = last_time + 1 WHERE start = (SELECT max(start) FROM rollup)", /^rollup: USD_RLS/],
  ["a count of a provider that is wrong", "INSERT INTO providers (asset, provider, count) SELECT id, 'nobody', 3 FROM assets WHERE code = 'USD_RLS'", /^providers: USD_RLS: the provider "nobody" has 0 records, not 3$/],
  ["an account without its plan", "SET LOCAL session_replication_role = replica; DELETE FROM plans WHERE name = 'gold'", /^accounts: account "bob" has the plan "gold", which is missing$/],
  ["a key without its account", "SET LOCAL session_replication_role = replica; DELETE FROM accounts WHERE id = 'bob'", /^accounts: key \S+ is of the account "bob", which is missing$/],
  ["a digest that is none", "UPDATE keys SET digest = 'x' WHERE account = 'bob'", /^accounts: key \S+ has a digest that no key has$/],
  ["units below zero", "UPDATE quota SET used = -1 WHERE account = 'bob'", /^quota: 2026-11-21: account "bob" has -1 units$/],
  ["units granted above the limit", "UPDATE quota SET used = 51, granted = 1, cap = 50 WHERE account = 'alice' AND day = '2026-11-21'", /^quota: 2026-11-21: account "alice" has 51 units, of which the last were granted above its limit of 50$/],
  ["an act that has lost what it had replaced", "DELETE FROM act_before WHERE by_act = 1", /^acts: import 1 has replaced 2 records, and remembers 0 of them/],
  ["notes without their act", "DELETE FROM acts WHERE id = 1", /^acts: what import 1 had replaced is left, and the import is missing$/],
  ["records with another time than their act's", "UPDATE acts SET time = 1 WHERE id = 1", /^acts: import 1 has records with another insert time than its own$/],
  ["records of an act that never was", "UPDATE observations SET act = 99 WHERE act = 1", /^acts: there are records of import 99, which has never been$/],
];

const server = await startPostgres();
if (!server) skipAloud("verify on PostgreSQL", postgresMissing);
else {
  const url = await server.database();
  const schema = schemaOf(DEFAULT_SCHEMA);

  test("verify: a database that was filled is well; without tables, and with those of a later version, nothing can be read", async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const connection = connectionOf(pool);
    const none = await verifyPostgres(connection, schema);
    assert.deepEqual([none.state, none.places.length], [3, 1]);
    assert.match(none.places[0]!, /has no tables/);
    await migrate(pool);
    const store = await openPostgres(pool, { clock: () => NOW, follow: false });
    await fillHouse(store);
    await store.close();
    const { state, places, rows } = await verifyPostgres(connection, schema);
    assert.deepEqual([state, places], [0, []]);
    assert.deepEqual(rows.find(([part]) => part === "observations"), ["observations", 3_003, "good"]);
    await pool.query(`UPDATE ${schema.sql}.meta SET version = 99`);
    const later = await verifyPostgres(connection, schema);
    assert.deepEqual([later.state, /version 99/.test(later.places.join())], [3, true]);
    await pool.query(`UPDATE ${schema.sql}.meta SET version = 1`);
    await pool.end();
  });

  for (const [what, sql, told] of FAULTS) {
    test(`verify: finds ${what}`, async () => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query(`BEGIN; SET LOCAL search_path = ${schema.sql}; ${sql}`);
        // On the connection that has planted the fault, which is then taken back.
        const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> => (await client.query(text, values as unknown[])).rows as Row[];
        const { state, places } = await verifyPostgres({ snapshot: (act) => act(query) }, schema);
        assert.equal(state, 2);
        assert.ok(places.some((place) => told.test(place)), places.join("\n"));
        await client.query("ROLLBACK");
      } finally {
        await client.end();
      }
    });
  }
}
