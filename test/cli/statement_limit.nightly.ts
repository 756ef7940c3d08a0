import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { openPostgresClient } from "../../adapters/cli/engines/open_database_clients.ts";
import { isAddress, readStore } from "../../adapters/cli/store_setting.ts";
import { connectionOf } from "../../adapters/stores/postgres/connection.ts";
import { Unavailable } from "../../core/mod.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const CONNECTIONS = 3;
const server = await startPostgres();
const url = await server?.database();
if (url === undefined) skipAloud("time limits of statements", postgresMissing);
else {
  test("time limits: PostgreSQL ends statements that wait too long for a lock, so there are never more connections than the pool allows", async () => {
    const address = readStore(url);
    if (!isAddress(address)) throw new TypeError("that is no address");
    const { pool, close } = await openPostgresClient(address, { max: CONNECTIONS, statementMs: 3_000 });
    after(close);
    const { query } = connectionOf(pool);
    await query("CREATE TABLE locked (n int)");
    const blocking = new pg.Client(url);
    await blocking.connect();
    await blocking.query("BEGIN; LOCK TABLE locked");
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: CONNECTIONS }, () => assert.rejects(query("SELECT n FROM locked", []), Unavailable)),
      );
    }
    const { rows } = await blocking.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    assert.ok(rows[0]!.count <= CONNECTIONS, `${rows[0]!.count} connections`);
    await blocking.end();
  });
}
