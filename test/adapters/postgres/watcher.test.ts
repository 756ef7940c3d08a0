import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { pgClient } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("the readiness of PostgreSQL", postgresMissing);
else {
  const url = await server.database();
  const { client, close } = pgClient(url);
  await migrate(client);
  const { watcher, close: closeStore } = await openPostgres(client, { clock: systemClock, follow: false });
  after(() => closeStore().then(close));
  const found = async (): Promise<readonly string[]> => (await watcher.sweep?.(), watcher.troubles().map(({ code }) => code));

  test("watcher: a database that answers and takes changes has no trouble", async () => {
    assert.deepEqual(await found(), []);
  });

  test("watcher: one that is frozen or away cannot be reached, until it is back", async () => {
    server.pause();
    assert.deepEqual(await found(), ["store-unreachable"]);
    assert.deepEqual(await found(), ["store-unreachable"], "the question that has no answer is not asked again");
    server.resume();
    assert.deepEqual(await found(), []);
    await server.stop();
    assert.deepEqual(await found(), ["store-unreachable"]);
    assert.match(watcher.troubles()[0]!.message, /^The database cannot be reached: \S.*[^.]$/);
    await server.restart();
    assert.deepEqual(await found(), []);
  });

  test("watcher: one that takes no changes is said to be read-only", async () => {
    const readOnly = pgClient(`${url}?options=-c%20default_transaction_read_only%3Don`);
    const store = await openPostgres(readOnly.client, { clock: systemClock, follow: false });
    try {
      await store.watcher.sweep?.();
      assert.deepEqual(store.watcher.troubles(), [{ code: "store-read-only", message: "The database takes no changes" }]);
    } finally {
      await store.close();
      await readOnly.close();
    }
  });

  test("open: a pool of one connection cannot follow", async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    await assert.rejects(openPostgres(pool, { clock: systemClock }), RangeError);
    await pool.end();
  });
}
