// The tests of every store, on PostgreSQL: with one handle and with two.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUND_MS } from "../../../adapters/stores/postgres/follow_changes.ts";
import { migrate, openPostgres, type PostgresStore } from "../../../adapters/stores/postgres/mod.ts";
import { importsSuite, PLAN } from "../../support/imports_suite.ts";
import { dollar, ingestSuite, pushing } from "../../support/ingest_suite.ts";
import { NOW } from "../../support/json_files_fixtures.ts";
import { poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { accountsSuite } from "../../support/store_suite/accounts.ts";
import { quotaSuite } from "../../support/store_suite/quota.ts";
import type { Opened } from "../../support/store_suite/suite.ts";
import { observationsSuite } from "../../support/store_suite.ts";

const server = await sharedPostgres();
/** Extra time for a busy machine to open the store and read. */
const PATIENCE_MS = 30_000;

if (!server) skipAloud("the stores on PostgreSQL", postgresMissing);
else {
  const url = await server.database();
  const [here, there] = [poolOf(url), poolOf(url)];
  await migrate(here);
  const empty = `TRUNCATE mazaneh.assets RESTART IDENTITY; TRUNCATE mazaneh.observations, mazaneh.pending, mazaneh.rollup, mazaneh.wide_rollup, mazaneh.providers, mazaneh.keys, mazaneh.accounts,
  mazaneh.quota, mazaneh.quota_keys, mazaneh.imports, mazaneh.undo_records; DELETE FROM mazaneh.plans WHERE name <> 'FREE_STARTER'`;

  const opener =
    <Part>(part: (store: PostgresStore) => Part, follow: boolean) =>
    async (): Promise<Opened<Part>> => {
      const opened: PostgresStore[] = [];
      const open = async (pool: typeof here): Promise<Part> => {
        const store = await openPostgres(pool, { clock: () => NOW, follow });
        opened.push(store);
        return part(store);
      };
      await here.query(empty);
      return {
        store: await open(here),
        reopen: () => open(here),
        peer: () => open(there),
        close: async () => void (await Promise.all(opened.map((store) => store.close()))),
      };
    };

  observationsSuite(
    "observations on PostgreSQL",
    opener(({ observations }) => observations, false),
    { shared: true },
  );
  accountsSuite(
    "accounts on PostgreSQL, without follow",
    opener(({ accounts }) => accounts, false),
    { shared: true },
  );
  accountsSuite(
    "accounts on PostgreSQL, followed",
    opener(({ accounts }) => accounts, true),
    { shared: true, eventuallyMs: BOUND_MS + PATIENCE_MS },
  );
  quotaSuite(
    "quota on PostgreSQL",
    opener(({ quota }) => quota, false),
    { shared: true },
  );
  ingestSuite("PostgreSQL", async () => {
    const { store, close } = await opener((whole) => whole, true)();
    return { store, close: close! };
  });
  importsSuite("postgres", async () => {
    const { store, reopen, peer, close } = await opener((whole) => whole, true)();
    return { store, reopen: reopen!, peer: async () => (await peer!()).imports, close: close! };
  });
  test("imports, postgres: pushed prices do not displace imports", async () => {
    const {
      store: { imports },
      close,
    } = await opener((whole) => whole, false)();
    await imports.begin(PLAN);
    await here.query(
      "INSERT INTO mazaneh.imports (id, type, time, subjects, source, pid, host) SELECT n, 'import', n, '[]', 'key', 0, '' FROM generate_series(2, 1002) AS n",
    );
    await imports.begin(PLAN);
    const ids = (await imports.list()).map(({ imported }) => imported.id);
    assert.deepEqual([ids.length, ids[0], ids.at(-2), ids.at(-1)], [1_002, 1_003, 3, 1]);
    await close!();
  });
  test("imports, postgres: pushes do not continue an import whose number a restored database has given again", async () => {
    const { store, close } = await opener((whole) => whole, false)();
    const { push, key, route } = await pushing(store);
    const collector = await key();
    for (const minutes of [3, 2]) {
      await push([dollar(minutes, 1_900_000)], collector);
      await here.query("UPDATE mazaneh.imports SET time = time + 1"); // Now, another import has this number.
    }
    await route.finish();
    const found = "SELECT id, count(*), summary FROM mazaneh.imports JOIN mazaneh.observations ON import = id";
    const { rows } = await here.query<Record<string, unknown>>(`${found} GROUP BY id ORDER BY id`);
    assert.deepEqual(rows.map(Object.values).join("; "), "1,1,; 2,1,", "each import has one record and no summary");
    await close!();
  });
}
