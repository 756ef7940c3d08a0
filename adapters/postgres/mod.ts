/**
 * A store on PostgreSQL 14 or later, for several instances on one database: observations, accounts, quota and imports.
 * The `Pool` of `pg` is the caller's: `migrate` makes the tables, `openPostgres` opens them.
 *
 * @module
 */
export type { PgClient, PgPool, PgStatement, SqlValue } from "./connection.ts";
export { migrate } from "./migrations/migrate.ts";
export type { MigrateOptions, Migrated } from "./migrations/migrate.ts";
export { openPostgres } from "./open.ts";
export type { PostgresOptions, PostgresStore } from "./open.ts";
