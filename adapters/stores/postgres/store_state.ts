import type { StoreInfo } from "../shared/store.ts";
import type { Connection, Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { firstOf } from "./schema.ts";

/** The state of the data, from which versions are made. */
export interface StoreState {
  /** Differs after a restore. */
  readonly storeId: string;
  /** Number of changes to plans, accounts and keys. */
  readonly book: number;
  /** Number of changes to each asset's observations. */
  readonly counters: ReadonlyMap<string, number>;
}

/** Reads the state. */
export async function readState(query: Query): Promise<StoreState> {
  const rows = await query<{ storeid: string; book: number; counters: string }>(
    `SELECT ${STORE_ID} AS storeid, version AS book,
  (SELECT coalesce(json_object_agg(code, version), '{}')::text FROM mazaneh.assets) AS counters FROM mazaneh.book`,
    [],
  );
  const { storeid: storeId, book, counters } = firstOf(rows, "book");
  const counts = Object.entries(JSON.parse(counters) as Record<string, number>);
  return { storeId, book, counters: new Map(counts.map(([code, count]) => [fromStored(code), count])) };
}

/** Facts about the data. The number of decided records is an estimate, because counting would read them all. */
export async function readInfo(query: Query): Promise<StoreInfo> {
  const [found] = await query<{ storeid: string; version: string; decided: number; pending: number }>(
    `SELECT ${STORE_ID} AS storeid, ${versionSql()} AS version,
  (SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::float8 FROM pg_class WHERE oid = 'mazaneh.observations'::regclass) AS decided,
  (SELECT count(*) FROM mazaneh.pending) AS pending`,
    [],
  );
  const { storeid: storeId, version, decided, pending } = found!;
  return { storeId, version, records: decided + pending, pending, damages: 0 };
}

/** The bytes on disk of each table with its indexes, the largest table first. */
export async function readBytes({
  query,
  schema,
}: Pick<Connection, "query" | "schema">): Promise<Readonly<Record<string, number>>> {
  const rows = await query<{ name: string; bytes: number }>(
    `SELECT relname::text AS name, pg_total_relation_size(c.oid) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = $1::text AND relkind = 'r' ORDER BY bytes DESC, name`,
    [schema],
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** The version of the data of these assets, or of all assets: see `versionSql`. */
export function versionOf({ storeId, counters }: StoreState, codes: Iterable<string> = counters.keys()): string {
  let sum = 0;
  for (const code of codes) sum += counters.get(code) ?? 0;
  return `${storeId}.${sum}`;
}

/**
 * The id of the data that a connection reads, as an SQL expression: 12 hex digits. The id changes whenever the data may
 * have returned to an earlier state, so that a version never has two meanings. The start time of the server changes when
 * a disk or backup is restored, after recovery to a point in time, and after failover. `pg_restore` changes the database
 * or the file of the table. A plain restart also changes the id, so clients fetch answers once more. Without the start
 * time, a restored copy of a stopped cluster would look like a restart.
 */
export const STORE_ID = `left(encode(sha256(convert_to(concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('mazaneh.assets'::regclass)), 'UTF8')), 'hex'), 12)`;

/** SQL for the version of the assets that fulfil `condition`: the id of the data and the sum of their counters. */
export function versionSql(condition = "true"): string {
  return `${STORE_ID} || '.' || (SELECT COALESCE(sum(version), 0) FROM mazaneh.assets WHERE ${condition})`;
}

/** Whether the list `$1` includes a code. In a subquery, so that the list is not parsed again for each row. */
export const ONE_OF_CODES = "code = ANY ((SELECT $1::text::text[])::text[])";

/**
 * An SQL expression that puts the transaction on disk before others see it. With `synchronous_commit = off`, others
 * would see the transaction before it is on disk. If a process of the server then crashed, the server would return to
 * an earlier state with the same start time, and versions would repeat.
 */
export const COMMITTED_DURABLY =
  "CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'local', true) END";
