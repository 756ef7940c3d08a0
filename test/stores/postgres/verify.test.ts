import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { connectionOf } from "../../../adapters/stores/postgres/connection.ts";
import { migrate, openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { verifyPostgres } from "../../../adapters/stores/postgres/verify.ts";
import { fillInstallation } from "../../support/filled_installation.ts";
import { NOW } from "../../support/json_files_fixtures.ts";
import { poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

/** Faults that manual changes could cause, each with the sentence that reports it. */
const FAULTS: readonly (readonly [what: string, sql: string, message: RegExp])[] = [
  [
    "an asset that is missing",
    "DELETE FROM assets WHERE code = 'EUR_RLS'",
    /^observations: there are records of asset \d+, which is missing$/,
  ],
  [
    "a bucket that differs",
    "UPDATE rollup SET high = high + 1 WHERE start = (SELECT max(start) FROM rollup)",
    /^rollup: USD_RLS: the roll-up of 2026-.* is not that of its records$/,
  ],
  ["a bucket that is missing", "DELETE FROM rollup WHERE start = (SELECT max(start) FROM rollup)", /^rollup: USD_RLS/],
  [
    "a bucket too many",
    "INSERT INTO rollup SELECT asset, count, start + 86400000000, first_time, last_time, open, high, low, close FROM rollup LIMIT 1",
    /^rollup: .*_RLS/,
  ],
  [
    "a wide bucket that differs",
    "UPDATE wide_rollup SET high = high + 1 WHERE start = (SELECT max(start) FROM wide_rollup)",
    /^wide_rollup: USD_RLS: the roll-up of \d+ hours from 2026-.* is not/,
  ],
  [
    "a wide bucket that is missing",
    "DELETE FROM wide_rollup WHERE width = 86400000",
    /^wide_rollup: \w+: the roll-up of 24 hours/,
  ],
  [
    "a wrong number of records for a provider",
    "INSERT INTO providers (asset, provider, count) SELECT id, 'nobody', 3 FROM assets WHERE code = 'USD_RLS'",
    /^providers: USD_RLS: the provider "nobody" has 0 records, not 3$/,
  ],
  [
    "an import that has lost the records it replaced",
    "DELETE FROM undo_records WHERE by_import = 1",
    /^imports: import 1 has replaced 2 records, and remembers 0 of them/,
  ],
];

/** Rows that the tables themselves refuse. */
const REFUSED: readonly string[] = [
  "UPDATE observations SET value = 'NaN'",
  "UPDATE observations SET value = 0",
  "UPDATE observations SET quality = 1",
  "UPDATE pending SET quality = 0",
  "UPDATE pending SET business_time = 253402300800000",
  "DELETE FROM plans WHERE name = 'gold'",
  "DELETE FROM accounts WHERE id = 'bob'",
  "UPDATE plans SET units = 0 WHERE name = 'gold'",
  "UPDATE quota SET used = -1",
  "UPDATE quota SET used = 51, granted = 1, cap = 50 WHERE account = 'alice'",
  "INSERT INTO undo_records SELECT 99, false, * FROM observations LIMIT 1",
];

const server = await sharedPostgres();
if (!server) skipAloud("verify on PostgreSQL", postgresMissing);
else {
  const url = await server.database();

  test("verify: a filled database has no faults", async () => {
    const pool = poolOf(url);
    const connection = connectionOf(pool);
    await migrate(pool);
    const store = await openPostgres(pool, { clock: () => NOW, follow: false });
    await fillInstallation(store);
    await store.close();
    const { state, places, rows } = await verifyPostgres(connection);
    assert.deepEqual([state, places], [0, []]);
    assert.deepEqual(rows.slice(0, 2), [
      ["observations", 3_002, "good"],
      ["pending", 1, "good"],
    ]);
  });

  test("verify: the tables reject rows that no store may hold", async () => {
    const pool = poolOf(url, { options: `-c search_path=mazaneh` });
    for (const sql of REFUSED) await assert.rejects(pool.query(sql), { code: /^23/ }, sql);
  });

  for (const [what, sql, message] of FAULTS) {
    test(`verify: finds ${what}`, async () => {
      const client = new pg.Client(url);
      await client.connect();
      try {
        await client.query(`BEGIN; SET LOCAL search_path = mazaneh; ${sql}`);
        // Runs on the connection that has made the fault; the fault is rolled back at the end.
        const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
          (await client.query(text, values as unknown[])).rows as Row[];
        const { state, places } = await verifyPostgres({ reading: (work) => work(query) });
        assert.equal(state, 2);
        assert.ok(
          places.some((place) => message.test(place)),
          places.join("\n"),
        );
        await client.query("ROLLBACK");
      } finally {
        await client.end();
      }
    });
  }
}
