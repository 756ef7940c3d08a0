import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { makeStore } from "../../../adapters/stores/json_files/maintenance/make_store_from_content.ts";
import { readContent } from "../../../adapters/stores/json_files/maintenance/read_content.ts";
import { connectionOf } from "../../../adapters/stores/postgres/connection.ts";
import { makePostgresStore } from "../../../adapters/stores/postgres/make_store.ts";
import { migrate, openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { withPostgresContent } from "../../../adapters/stores/postgres/store_content.ts";
import { verifyPostgres } from "../../../adapters/stores/postgres/verify.ts";
import type { RequestPorts } from "../../../adapters/stores/shared/with_deadline.ts";
import type { AccountId } from "../../../core/mod.ts";
import { createWorld } from "../../support/api_under_test.ts";
import { fillInstallation, TODAY, valuesOfContent } from "../../support/filled_installation.ts";
import { NOW, newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { type PostgresServer, postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const ALICE = "alice" as AccountId;
const OPTIONS = { now: NOW, progress() {} };
const PATHS = [
  "assets",
  "assets/supported",
  "assets/USD_RLS",
  "assets/EUR_RLS",
  "assets/USD_RLS/history?from=2026-11-19&to=2026-11-21",
  "assets/USD_RLS/ohlc?interval=1h&from=2026-11-20T00:00:00Z&to=2026-11-22T00:00:00Z",
  "access",
];
const server = await sharedPostgres();
if (server) copyTests(server);
else skipAloud("copies into PostgreSQL and back", postgresMissing);

function copyTests({ database }: PostgresServer): void {
  /** Runs `act` with a pool on a new database that has tables. */
  async function withDatabase(act: (pool: pg.Pool) => Promise<void>): Promise<void> {
    const pool = new pg.Pool({ connectionString: await database(), max: 4 });
    try {
      await migrate(pool);
      await act(pool);
    } finally {
      await pool.end();
    }
  }

  test("copy: from files into PostgreSQL and back, content and API answers stay the same, and derived data is right", () =>
    withDatabase(async (pool) => {
      const directory = await newDirectory();
      const source = await openAt(directory);
      const keys = await fillInstallation({ ...source, imports: source.access.imports });
      const answers = await answersOf(source, keys);
      await source.close();
      const read = await readContent(directory);
      const usage = read.usage.map(({ day, accounts }) => {
        return { day, accounts: day === TODAY ? accounts : accounts.map((one) => ({ ...one, withheld: 4 })) };
      });
      const content = { ...read, usage };
      const expected = await valuesOfContent(content);

      const counts = await makePostgresStore(connectionOf(pool), content, OPTIONS);
      assert.deepEqual(counts, { records: 3_003, accounts: 2, keys: 3, days: 2, imports: 3 });
      assert.deepEqual((await verifyPostgres(connectionOf(pool))).places, []);
      const there = await openPostgres(pool, { clock: () => NOW, follow: false });
      assert.deepEqual(await answersOf(there, keys), answers);

      const back = join(await newDirectory(), "back");
      await withPostgresContent(connectionOf(pool), async (found) => {
        assert.deepEqual(await valuesOfContent(found), expected);
        await makeStore(back, found, OPTIONS);
      });
      assert.deepEqual(await valuesOfContent(await readContent(back)), expected);
      const again = await openAt(back);
      assert.deepEqual(await answersOf(again, keys), answers);
      await again.close();

      // The records that imports had replaced were copied, so the imports can be undone in the copy.
      for (const id of [3, 1]) await there.imports.undo(id);
      const left: number[] = [];
      for await (const { code, value } of there.observations.records()) if (code === "USD_RLS") left.push(value);
      assert.deepEqual(left, [5, 6]);
      assert.deepEqual((await verifyPostgres(connectionOf(pool))).places, []);
      await there.close();
    }));

  test("copy: writes nothing into a database with data, and leaves nothing when interrupted", () =>
    withDatabase(async (pool) => {
      const directory = await newDirectory();
      const source = await openAt(directory);
      await fillInstallation({ ...source, imports: source.access.imports });
      await source.close();
      const content = await readContent(directory);
      const broken = {
        ...content,
        async *before() {
          throw new Error("lost");
        },
      };
      const connection = connectionOf(pool);
      await assert.rejects(makePostgresStore(connection, broken, OPTIONS), /lost/);
      await makePostgresStore(connection, content, OPTIONS);
      await assert.rejects(makePostgresStore(connection, content, OPTIONS), {
        name: "StoreError",
        exitCode: 64,
        message: /already holds data/,
      });
    }));

  test("copy: leaves out records that are written to the database during the copy", () =>
    withDatabase(async (pool) => {
      const store = await openPostgres(pool, { clock: () => NOW, follow: false });
      await fillInstallation(store);
      await withPostgresContent(connectionOf(pool), async (content) => {
        const before = await valuesOfContent(content);
        await store.imports.undo(1);
        await store.quota.take(ALICE, TODAY, 50);
        assert.deepEqual(await valuesOfContent(content), before);
      });
      await store.close();
    }));
}

/** The answers of an API on a store: for each key, status and body of catalog, history and units. */
async function answersOf(
  { observations, accounts, quota }: RequestPorts,
  keys: readonly string[],
): Promise<readonly string[]> {
  const requestIds = (): string => "req_0000000000000000000000";
  const { ask } = await createWorld({ observations, accounts, quota, clock: () => NOW, requestIds });
  const answers: string[] = [];
  for (const key of keys) {
    for (const path of PATHS) {
      const used = await quota.used(ALICE, TODAY);
      const { status, headers, text } = await ask(`/api/v1/${path}`, { key });
      const kept = Object.entries(headers).filter(([name]) => /ratelimit|notice/i.test(name));
      answers.push(`${path} ${status} ${JSON.stringify(kept)} ${text}`);
      // The unit is given back, so that the next store starts with the same count.
      if ((await quota.used(ALICE, TODAY)) > used) await quota.giveBack(ALICE, TODAY);
    }
  }
  return answers;
}
