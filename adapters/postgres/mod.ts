/**
 * A store on PostgreSQL 14 or later, for several instances on one database: observations, accounts, quota and imports.
 * The `Pool` of `pg` is the caller's.
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
 * // In the end: await store.close(); await pool.end().
 * ```
 *
 * @module
 */
export type { PgClient, PgPool, PgStatement, SqlValue } from "./connection.ts";
export { migrate } from "./migrations/migrate.ts";
export type { MigrateOptions, Migrated } from "./migrations/migrate.ts";
export { openPostgres } from "./open.ts";
export type { PostgresOptions, PostgresStore } from "./open.ts";
