// The machine of the server is gone without a word: the connections to it stay open and give no answer, and the next machine
// under its address takes new ones. Or a proxy cuts all of them. With `postgres`, which has no time limit for a statement, they are lost to the pool.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { after, test } from "node:test";
import pg from "pg";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import type { Connection } from "../../../adapters/postgres/connection.ts";
import { databaseStateReader } from "../../../adapters/postgres/database_state.ts";
import { follow } from "../../../adapters/postgres/follow.ts";
import { migrate } from "../../../adapters/postgres/mod.ts";
import type { PgPool } from "../../../adapters/postgres/mod.ts";
import { schemaOf } from "../../../adapters/postgres/schema.ts";
import { Unavailable } from "../../../core/mod.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";
import type { TcpProxy } from "../../support/tcp_proxy.ts";
import { until } from "../../support/until.ts";

const SCHEMA = schemaOf("mazaneh");
const CONNECTIONS = 5;
const server = await startPostgres();
const [database] = await databasesOf(server, migrate);

if (!server || !database) skipAloud("connections to PostgreSQL that are lost without a word", postgresMissing);
else {
  /** A pool of which every connection is open and unused, through a network. */
  async function idlePool(options: pg.PoolConfig): Promise<{ readonly pool: pg.Pool; readonly connection: Connection; readonly network: TcpProxy }> {
    const network = await startTcpProxy(server!.port);
    const pool = new pg.Pool({ connectionString: database!.url.replace(/:\d+\//, `:${network.port}/`), max: CONNECTIONS + 1, ...options });
    after(() => network.close());
    const connection = connectionOf(pool);
    await Promise.all(Array.from({ length: CONNECTIONS }, () => connection.query("SELECT pg_sleep(0.5)")));
    assert.equal(pool.idleCount, CONNECTIONS);
    return { pool, connection, network };
  }

  for (const [rule, act] of [
    ["statement", ({ query }: Connection) => query("SELECT 1", [])],
    ["transaction", ({ transaction }: Connection) => transaction((query) => query("SELECT 1", []))],
  ] as const) {
    test(`lost connections: one ${rule} has no answer in time, and the next ones are answered on new connections`, async () => {
      const { pool, connection, network } = await idlePool({ query_timeout: 5_000 });
      network.strand();
      await assert.rejects(act(connection), Unavailable);
      for (let n = 0; n < CONNECTIONS; n++) await act(connection);
      await pool.end();
    });
  }

  test("lost connections: when all are cut at once, at most one statement fails, and the next one is answered", async () => {
    const { pool, connection, network } = await idlePool({});
    for (let round = 0; round < 10; round++) {
      network.cut();
      await connection.query("SELECT 1", []).catch((error: unknown) => assert.ok(error instanceof Unavailable, String(error)));
      await Promise.all(Array.from({ length: CONNECTIONS }, () => connection.query("SELECT 1", [])));
    }
    await pool.end();
  });

  test("lost connections: a follower notices it, and then statements without a time limit are answered, too", async () => {
    const { pool, connection, network } = await idlePool({});
    let listened = 0;
    const listen: Connection["listen"] = (...listener) => (listened++, connection.listen(...listener));
    const follower = follow({ connection: { listen }, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    await until("it is current", follower.isCurrent);
    network.strand();
    await until("it notices", () => !follower.isCurrent());
    await until("it is current again", follower.isCurrent);
    assert.ok(listened < CONNECTIONS, `it has tried the lost connections one by one: ${listened}`);
    await Promise.all(Array.from({ length: CONNECTIONS }, () => connection.query("SELECT 1", [])));
    await follower.close();
    await pool.end();
  });
}

test("lost connections: one that fails while it is closed does not end the process", async () => {
  const released = new Set<object>();
  const idle = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release: () => void released.add(idle) });
  const pool: PgPool = { idleCount: 1, connect: async () => idle, on: () => {}, query: () => Promise.reject(new Error("Query read timeout")) };
  await assert.rejects(connectionOf(pool).query("SELECT 1", []), Unavailable);
  await until("it is closed", () => released.has(idle));
  idle.emit("error", new Error("read ETIMEDOUT"));
});
