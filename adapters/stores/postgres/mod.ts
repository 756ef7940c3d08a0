/**
 * A store on PostgreSQL 14 or later, for several instances on one database: observations, accounts, quota and imports.
 * The `Pool` of `pg` is the caller's: `migrate` makes the tables, `openPostgres` opens them.
 *
 * @module
 */
export type { PgClient, PgPool, PgStatement, SqlValue } from "./connection.ts";
export type { Migrated, MigrateOptions } from "./migrations/migrate.ts";
export { migrate } from "./migrations/migrate.ts";
export type { PostgresOptions, PostgresStore } from "./open_postgres.ts";
export { openPostgres } from "./open_postgres.ts";
