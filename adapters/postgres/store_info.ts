import type { StoreInfo } from "../store/store.ts";
import type { Query } from "./connection.ts";
import type { Schema } from "./schema.ts";
import { storeIdSql, versionSql } from "./store_state.ts";

/** Facts about the data. The number of records is what PostgreSQL estimates, as counting them would read them all. */
export async function readInfo(query: Query, schema: Schema): Promise<StoreInfo> {
  const [found] = await query<{ storeid: string; version: string; records: number }>(
    `SELECT ${storeIdSql(schema)} AS storeid, ${versionSql(schema)} AS version,
  (SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::float8 FROM pg_class WHERE oid = '${`${schema.sql}.observations`.replaceAll("'", "''")}'::regclass) AS records`,
    [],
  );
  return { storeId: found!.storeid, version: found!.version, records: found!.records, damages: 0 };
}

/** Bytes on the disk of each table with its indexes, the largest first. */
export async function readBytes(query: Query, schema: Schema): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ name: string; bytes: number }>(
    `SELECT relname::text AS name, pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = $1::text AND relkind = 'r' ORDER BY bytes DESC, name`,
    [schema.name],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}
