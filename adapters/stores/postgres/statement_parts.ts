import { BUCKET_MS, ROW_COLUMNS } from "./batch_columns.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";

/** The columns of a record that come with it. */
export const ROW = ["asset", ...ROW_COLUMNS.map(([name]) => name)].join(", ");
/** All columns of a record. */
export const COLUMNS = `${ROW}, source, import`;
/** In what two records must be equal to be the same: not in the insert time. */
export const CONTENT = ["value", "source_time", "quality", "provider", "message"] as const;

/** What has changed, as a row of `Changed`; after `derivedSql`. */
export const CHANGED = `(SELECT coalesce(array_agg(asset), '{}')::text FROM touched) AS ids, (SELECT coalesce(array_agg(start), '{}')::text FROM touched) AS starts,
  (SELECT coalesce(array_agg(DISTINCT asset), '{}')::text FROM changes) AS assets, ${COMMITTED_DURABLY} AS durably`;

/** Keeps up what is derived, from `changes`, which has a row for each decided record that came (`n` is 1) or went (-1). */
export function derivedSql(schema: string): string {
  return `touched AS MATERIALIZED (
  SELECT DISTINCT asset, ${bucketOf("business_time")} AS start FROM changes WHERE quality = 0
), provided AS (
  INSERT INTO ${schema}.providers (asset, provider, count)
  SELECT asset, provider, sum(n) FROM changes WHERE quality = 0 AND provider IS NOT NULL GROUP BY asset, provider HAVING sum(n) <> 0
  ON CONFLICT (asset, provider) DO UPDATE SET count = providers.count + excluded.count
)`;
}

/**
 * Notes records for the undo of the import `id`, where it is one: those that `replaced` gives, and those of `taken`, pending ones that it has
 * taken away. Of several notes of one record the last one counts: something else has replaced what the import had stored,
 * and the import that. Its own are not noted: what stood there before them is noted already.
 */
export function noteSql(schema: string, id: string, replaced: string): string {
  return `noted AS (
  INSERT INTO ${schema}.undo_records AS noted (by_import, ${COLUMNS}, taken)
  SELECT ${id}, ${COLUMNS}, false FROM (${replaced}) AS replaced WHERE ${id} IS NOT NULL AND import IS DISTINCT FROM ${id}
  UNION ALL SELECT ${id}, ${COLUMNS}, true FROM taken WHERE ${id} IS NOT NULL AND import IS DISTINCT FROM ${id}
  ON CONFLICT (by_import, asset, business_time, lane) DO UPDATE SET (${COLUMNS}, taken) = (${listOf("excluded", COLUMNS)}, excluded.taken)
  RETURNING noted.xmax = 0 AS isnew
), own_taken AS (
  UPDATE ${schema}.undo_records SET taken = true WHERE ctid = ${places(
    "taken",
    `${schema}.undo_records AS noted WHERE taken.import = ${id} AND by_import = ${id} AND ${isAt("noted", "taken")} AND lane = taken.source`,
  )}
), counted AS (
  UPDATE ${schema}.imports SET noted = noted + (SELECT count(*) FROM noted WHERE isnew)::int WHERE id = ${id} AND EXISTS (SELECT FROM noted WHERE isnew)
)`;
}

/** Start of the bucket of a business time; also before 1970, where a division of integers would round up. */
export function bucketOf(time: string): string {
  return `(${time} - ((${time} % ${BUCKET_MS}) + ${BUCKET_MS}) % ${BUCKET_MS})`;
}

export function listOf(table: string, columns: string | readonly string[]): string {
  return (typeof columns === "string" ? columns.split(", ") : columns).map((name) => `${table}.${name}`).join(", ");
}

/** Whether rows of two tables are of one asset and business time. */
export function isAt(table: string, other: string): string {
  return `${table}.asset = ${other}.asset AND ${table}.business_time = ${other}.business_time`;
}

/**
 * The places of the rows of a table that belong to `rows`. Each is looked up by its key: what the planner believes of a table
 * that was just filled does not matter, as it would for a join.
 */
export function places(rows: string, matching: string): string {
  return `ANY (ARRAY (SELECT found.ctid FROM ${rows} CROSS JOIN LATERAL (SELECT ctid FROM ${matching} OFFSET 0) AS found))`;
}
