/**
 * A store on PostgreSQL 14 or later, which several instances can share: observations, accounts, quota and imports.
 * `migrate` makes the tables, `openPostgres` opens them. The `Pool` of `pg` belongs to the caller.
 *
 * @module
 */
export type { PgClient, PgPool, PgStatement, SqlValue } from "./connection.ts";
export { type Migrated, type MigrateOptions, migrate } from "./migrations/migrate.ts";
export { openPostgres, type PostgresOptions, type PostgresStore } from "./open_postgres.ts";
