import type { Query } from "./connection.ts";
import type { DatabaseState } from "./followed_state.ts";
import type { Schema } from "./schema.ts";

/**
 * Makes the statement by which a follower reads the state of a database. The store id is another one after a restore
 * (database, table), on another copy of the cluster (system) and after a promotion (timeline of the WAL).
 */
export function databaseStateReader(schema: Schema): (query: Query) => Promise<DatabaseState> {
  const assets = `'${schema.sql.replaceAll("'", "''")}.assets'::regclass`;
  const text = `SELECT left(encode(sha256(convert_to(concat_ws('/',
    (SELECT system_identifier FROM pg_control_system()), (SELECT oid FROM pg_database WHERE datname = current_database()),
    ${assets}::oid, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)), 'UTF8')), 'hex'), 12) AS storeid,
  version::float8 AS book, (SELECT coalesce(json_object_agg(code, version), '{}')::text FROM ${schema.sql}.assets) AS counters
FROM ${schema.sql}.book`;
  return async (query) => (await query<DatabaseState>(text, []))[0]!;
}
