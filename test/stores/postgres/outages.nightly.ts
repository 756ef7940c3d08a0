// A server that is away, frozen or lost without a word, on a server of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock as clock } from "../../../adapters/http/web_system.ts";
import { connectionOf } from "../../../adapters/stores/postgres/connection.ts";
import { openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { Unavailable } from "../../../core/mod.ts";
import { databaseWithTables, poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/wait_until.ts";

const CONNECTIONS = 5;
const server = await startPostgres();

if (!server) skipAloud("outages of PostgreSQL", postgresMissing);
else {
  const { pool, url } = await databaseWithTables(server);

  test("outage: a server that is away is Unavailable with the cause, nothing of an open transaction is kept, and it is used again once it is back", async () => {
    const connection = connectionOf(pool);
    await connection.query("CREATE TABLE kept (n int)");
    const inTransaction = connection.transaction(async (query) => {
      await query("INSERT INTO kept VALUES ($1)", [1]);
      await server.stop();
      await query("INSERT INTO kept VALUES ($1)", [2]);
    });
    await assert.rejects(inTransaction, Unavailable);
    await assert.rejects(
      connection.query("SELECT 1 AS n", []),
      (error) => error instanceof Unavailable && error.cause !== undefined,
    );
    await assert.rejects(
      connection.transaction(async () => {}),
      Unavailable,
    );
    await server.restart();
    await until("it is used again", () =>
      connection.query("SELECT 1 AS n", []).then(
        () => true,
        () => false,
      ),
    );
    assert.equal((await connection.query("SELECT n FROM kept", [])).length, 0);
  });

  test("outage: the watcher says that a server is frozen or away, until it is back", async () => {
    const { watcher, close } = await openPostgres(pool, { clock, follow: false });
    const found = async (): Promise<readonly string[]> => {
      await watcher.sweep?.();
      return watcher.troubles().map(({ code }) => code);
    };
    assert.deepEqual(await found(), []);
    server.pause();
    assert.deepEqual(await found(), ["store-unreachable"]);
    assert.deepEqual(await found(), ["store-unreachable"], "the question that has no answer is not asked again");
    server.resume();
    assert.deepEqual(await found(), []);
    await server.stop();
    assert.deepEqual(await found(), ["store-unreachable"]);
    assert.match(watcher.troubles()[0]!.message, /^The database cannot be reached: \S.*[^.]$/);
    await server.restart();
    await until("it has no trouble", async () => (await found()).length === 0);
    await close();
  });

  test("outage: when the machine of the server is lost without a word, a store that follows is served again once one is there, without a new start", async () => {
    const network = await startTcpProxy(server.port);
    const lost = poolOf(url.replace(/:\d+\//, `:${network.port}/`), {
      max: CONNECTIONS,
      query_timeout: 2_000,
      connectionTimeoutMillis: 2_000,
    });
    const store = await openPostgres(lost, { clock });
    const fromMemory = (): boolean => {
      const version = store.observations.version();
      // Where it is none, the database is asked, which may have no answer.
      if (typeof version !== "string") version.catch(() => {});
      return typeof version === "string";
    };
    await until("versions are known in memory", fromMemory);
    network.lose();
    network.leadTo(server.port);
    await until("they are known no more", () => !fromMemory());
    await until("they are known again", fromMemory);
    await store.close();
    await lost.end();
    await network.close();
  });
}
