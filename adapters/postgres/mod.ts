/**
 * A store on PostgreSQL 14 or later, for several instances on one database: observations, accounts, quota and imports.
 * The client is the caller's: a `Pool` of `pg`, or what `postgres()` of the package `postgres` gives.
 *
 * ```ts
 * import { Pool } from "pg";
 * import { createApi } from "mazaneh";
 * import { migrate, openPostgres } from "mazaneh/postgres";
 * import { webSystem } from "mazaneh/system";
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL, query_timeout: 30_000 });
 * await migrate(pool); // once for each version, by a role that may create tables
 * const store = await openPostgres(pool, { clock: webSystem.clock });
 * // In the end: await store.close(); await pool.end(); of postgres, await sql.end({ timeout: 5 }).
 * ```
 *
 * @module
 */
export type { PgClient, PgNotification, PgPool, PgStatement, PostgresClient, PostgresJs, PostgresJsRunner, SqlValue } from "./client.ts";
export { migrate } from "./migrations/migrate.ts";
export type { MigrateOptions, Migrated } from "./migrations/migrate.ts";
export { openPostgres } from "./open.ts";
export type { PostgresOptions, PostgresStore } from "./open.ts";
