import { after } from "node:test";
import pg from "pg";
import { type MigrateOptions, migrate } from "../../adapters/stores/postgres/mod.ts";
import type { PostgresServer } from "./postgres_server.ts";

/** A pool that ends after all tests. */
export function poolOf(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, ...options });
  // The server may end before the pool does.
  pool.on("error", () => {});
  let ended: Promise<void> | undefined;
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (() => (ended ??= end())) as typeof pool.end;
  after(() => pool.end());
  return pool;
}

/** A pool on a new database with the tables. */
export async function databaseWithTables(
  server: PostgresServer,
  options: MigrateOptions = {},
): Promise<{ readonly pool: pg.Pool; readonly url: string }> {
  const url = await server.database();
  const pool = poolOf(url);
  await migrate(pool, options);
  return { pool, url };
}
