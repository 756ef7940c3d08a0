import type { StoreInfo } from "../shared/store.ts";
import type { Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { type Schema, tableOid } from "./schema.ts";

/** The state of the data, of which versions are made and by which changes are noticed. */
export interface StoreState {
  /** Another one after a restore. */
  readonly storeId: string;
  /** Number of changes to plans, accounts and keys. */
  readonly book: number;
  /** Number of changes to each asset's observations. */
  readonly counters: ReadonlyMap<string, number>;
}

/** Makes the statement that reads the state. */
export function stateReader(query: Query, schema: Schema): () => Promise<StoreState> {
  const text = `SELECT ${storeIdSql(schema)} AS storeid, version::float8 AS book,
  (SELECT coalesce(json_object_agg(code, version), '{}')::text FROM ${schema.sql}.assets) AS counters FROM ${schema.sql}.book`;
  return async () => {
    const [row] = await query<{ storeid: string; book: number; counters: string }>(text, []);
    const counters = Object.entries(JSON.parse(row!.counters) as Record<string, number>).map(
      ([code, count]) => [fromStored(code), count] as const,
    );
    return { storeId: row!.storeid, book: row!.book, counters: new Map(counters) };
  };
}

/** Facts about the data. The number of decided records is what PostgreSQL estimates, as counting them would read them all. */
export async function readInfo(query: Query, schema: Schema): Promise<StoreInfo> {
  const [found] = await query<{ storeid: string; version: string; decided: number; pending: number }>(
    `SELECT ${storeIdSql(schema)} AS storeid, ${versionSql(schema)} AS version,
  (SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::float8 FROM pg_class WHERE oid = ${tableOid(schema, "observations")}) AS decided,
  (SELECT count(*)::float8 FROM ${schema.sql}.pending) AS pending`,
    [],
  );
  const { storeid: storeId, version, decided, pending } = found!;
  return { storeId, version, records: decided + pending, pending, damages: 0 };
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

/** The version of these assets' data, or of all, as `versionSql` makes it. */
export function versionOf({ storeId, counters }: StoreState, codes: Iterable<string> = counters.keys()): string {
  let sum = 0;
  for (const code of codes) sum += counters.get(code) ?? 0;
  return `${storeId}.${sum}`;
}

/**
 * The id of the data behind a connection, as an expression of SQL: 12 hex digits. It changes whenever the data may have
 * gone back to an earlier state, so that a version never names two: the start of the server does with every restored
 * disk or backup, recovery to a point in time and failover; the database and the file of the table do with
 * `pg_restore`. A mere restart of the server changes it too, which costs clients one answer that they had: a copy of a
 * stopped cluster that is put back has the same identifier, timeline and files, so only the start tells them apart.
 */
export function storeIdSql(schema: Schema): string {
  return `left(encode(sha256(convert_to(concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode(${tableOid(schema, "assets")})), 'UTF8')), 'hex'), 12)`;
}

/**
 * The version of the assets for which `condition` holds, or of all, as an expression of SQL: the id and the sum of their
 * counters, which only rise.
 */
export function versionSql(schema: Schema, condition = "true"): string {
  return `${storeIdSql(schema)} || '.' || (SELECT COALESCE(sum(version), 0) FROM ${schema.sql}.assets WHERE ${condition})`;
}

/** The condition that a code is one of those in `$1`. In a subquery, so that the text is not parsed anew for each row. */
export const ONE_OF_CODES = "code = ANY ((SELECT $1::text::text[])::text[])";

/**
 * An expression of SQL by which the transaction is on the disk before others see it, where `synchronous_commit = off`
 * would show it first: when one of its processes crashes, the server goes back to what is on the disk, under the same
 * start, and would give the versions that were seen once more.
 */
export const COMMITTED_DURABLY =
  "CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'local', true) END";
