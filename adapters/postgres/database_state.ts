import type { Query } from "./connection.ts";
import type { DatabaseState } from "./followed_state.ts";
import type { Schema } from "./schema.ts";
import { storeIdSql } from "./store_id.ts";

/** Makes the statement by which a follower reads the state of a database. */
export function databaseStateReader(schema: Schema): (query: Query) => Promise<DatabaseState> {
  const text = `SELECT ${storeIdSql(schema)} AS storeid,
  version::float8 AS book, (SELECT coalesce(json_object_agg(code, version), '{}')::text FROM ${schema.sql}.assets) AS counters
FROM ${schema.sql}.book`;
  return async (query) => (await query<DatabaseState>(text, []))[0]!;
}
