import { BUCKET_MS, ROW_COLUMNS } from "./batch_columns.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";

/** The columns that a batch has for each record. */
export const ROW = ["asset", ...ROW_COLUMNS.map(([name]) => name)].join(", ");
/** All columns of a record. */
export const COLUMNS = `${ROW}, source, import`;
/** Two records with the same values in these columns count as equal. The insert time may differ. */
export const CONTENT = "value, source_time, quality, provider, message";

/** The columns of `Changed`; used after `DERIVED`. */
export const CHANGED = `(SELECT coalesce(array_agg(asset), '{}')::text FROM touched) AS ids, (SELECT coalesce(array_agg(start), '{}')::text FROM touched) AS starts,
  (SELECT coalesce(array_agg(DISTINCT asset), '{}')::text FROM changes) AS assets, ${COMMITTED_DURABLY} AS durably`;

/** Updates derived data from `changes`, which has a row for each decided record added (`n` is 1) or removed (-1). */
export const DERIVED = `touched AS MATERIALIZED (
  SELECT DISTINCT asset, ${bucketOf("business_time")} AS start FROM changes WHERE quality = 0
), provided AS (
  INSERT INTO mazaneh.providers (asset, provider, count)
  SELECT asset, provider, sum(n) FROM changes WHERE quality = 0 AND provider IS NOT NULL GROUP BY asset, provider HAVING sum(n) <> 0
  ON CONFLICT (asset, provider) DO UPDATE SET count = providers.count + excluded.count
)`;

/**
 * Notes the records selected by `replaced`, and the pending records in `taken`, for the undo of the import `id`. Notes
 * nothing if `id` is NULL. A note replaces an earlier note about the same asset and time, because the import's record
 * may have been changed in between. The import's own records are not noted: the records that they replaced are noted
 * already.
 */
export function noteSql(id: string, replaced: string): string {
  return `noted AS (
  INSERT INTO mazaneh.undo_records AS noted (by_import, ${COLUMNS}, taken)
  SELECT ${id}, ${COLUMNS}, false FROM (${replaced}) AS replaced WHERE ${id} IS NOT NULL AND import IS DISTINCT FROM ${id}
  UNION ALL SELECT ${id}, ${COLUMNS}, true FROM taken WHERE ${id} IS NOT NULL AND import IS DISTINCT FROM ${id}
  ON CONFLICT (by_import, asset, business_time, lane) DO UPDATE SET (${COLUMNS}, taken) = (${listOf("excluded", COLUMNS)}, excluded.taken)
  RETURNING noted.xmax = 0 AS isnew
), own_taken AS (
  UPDATE mazaneh.undo_records SET taken = true WHERE ctid = ${places(
    "taken",
    `mazaneh.undo_records AS noted WHERE taken.import = ${id} AND by_import = ${id} AND ${isAt("noted", "taken")} AND lane = taken.source`,
  )}
), counted AS (
  UPDATE mazaneh.imports SET noted = noted + (SELECT count(*) FROM noted WHERE isnew)::int WHERE id = ${id} AND EXISTS (SELECT FROM noted WHERE isnew)
)`;
}

/** The start of the bucket of this width that contains a time. Before 1970, integer division would round up. */
export function bucketOf(time: string, width: string | number = BUCKET_MS): string {
  return `(${time} - ((${time} % ${width}) + ${width}) % ${width})`;
}

/** The names of columns, each with its table. */
export function listOf(table: string, columns: string): string {
  return columns.replace(/\w+/g, `${table}.$&`);
}

/** Whether rows of two tables have the same asset and business time. */
export function isAt(table: string, other: string): string {
  return `${table}.asset = ${other}.asset AND ${table}.business_time = ${other}.business_time`;
}

/**
 * The ctids of the rows that `matching` finds for each row of `rows`. Each row is looked up by its key. A join would
 * depend on the planner's statistics, which are wrong for a newly filled table.
 */
export function places(rows: string, matching: string): string {
  return `ANY (ARRAY (SELECT found.ctid FROM ${rows} CROSS JOIN LATERAL (SELECT ctid FROM ${matching} OFFSET 0) AS found))`;
}
