import { CHANGED, COLUMNS, CONTENT, DERIVED, isAt, listOf, noteSql, places } from "./statement_parts.ts";

/**
 * Accepts or rejects the records of a selection, as part of an import: pending records and, unless $9 excludes them,
 * accepted records. Returns one row with counts and `Changed`.
 */
export function decideSql(accepts: boolean): string {
  // $1: the import; $2: the asset; $3 and $4: the span; $5: the provider, or NULL; $6: the maximum number of records;
  // $7: the message; $8: the import's time; $9: whether to select only pending records.
  const selected =
    "asset = $2::int AND business_time >= $3::float8::bigint AND business_time < $4::float8::bigint AND ($5::text IS NULL OR provider = $5::text)";
  return `WITH found AS MATERIALIZED (
  -- All selected records of one time belong to the same step.
  SELECT * FROM (
    SELECT ctid AS place, ${COLUMNS} FROM mazaneh.pending WHERE ${selected}
    UNION ALL (SELECT NULL, ${COLUMNS} FROM mazaneh.observations WHERE NOT $9::boolean AND ${selected} AND quality = 0 ORDER BY business_time LIMIT $6::int)
  ) AS matching ORDER BY business_time FETCH FIRST ($6::int) ROWS WITH TIES
), chosen AS MATERIALIZED (
  -- Of several pending records the last one is accepted. The first one is rejected, and only if no other record is there.
  SELECT DISTINCT ON (business_time) ${COLUMNS} FROM found ${
    accepts
      ? "ORDER BY business_time, quality DESC, insert_time DESC, source DESC"
      : `WHERE quality = 0 OR NOT EXISTS (
    SELECT FROM mazaneh.observations AS held WHERE ${isAt("held", "found")} AND NOT (held.quality = 0 AND held.value = found.value)
  )
  ORDER BY business_time, quality, insert_time, source`
  }
), held AS MATERIALIZED (
  SELECT ${listOf("held", COLUMNS)} FROM chosen JOIN mazaneh.observations AS held USING (asset, business_time)
), fresh AS MATERIALIZED (
  -- The times at which the import has not decided anything yet.
  SELECT business_time FROM found GROUP BY business_time HAVING bool_and(import IS DISTINCT FROM $1::int)
  AND NOT EXISTS (SELECT FROM mazaneh.undo_records AS noted WHERE noted.by_import = $1::int AND noted.asset = $2::int AND noted.business_time = found.business_time)
  AND NOT EXISTS (SELECT FROM mazaneh.observations AS held WHERE held.asset = $2::int AND held.business_time = found.business_time AND held.import = $1::int)
), taken AS (
  DELETE FROM mazaneh.pending WHERE ctid = ANY (ARRAY (SELECT place FROM found WHERE quality = 1)) RETURNING ${COLUMNS}
), ${noteSql("$1::int", `SELECT ${COLUMNS} FROM held`)}, written AS (
  INSERT INTO mazaneh.observations AS held (${COLUMNS})
  SELECT asset, business_time, value, source_time, $8::float8::bigint, ${accepts ? 0 : 2}, provider, $7::text, source, $1::int FROM chosen
  ON CONFLICT (asset, business_time) DO UPDATE SET (${COLUMNS}) = (${listOf("excluded", COLUMNS)})
  RETURNING held.asset, held.business_time, held.quality, held.provider
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM written UNION ALL SELECT asset, business_time, quality, provider, -1 FROM held
), ${DERIVED}
SELECT (SELECT count(*) FROM found) AS replaced, (SELECT count(*) FROM fresh) AS fresh, ${CHANGED}`;
}

// $1: the import; $2: the asset; $3 and $4: the span; $5: the insert time of the import's records.
const IN_SPAN = "asset = $2::int AND business_time BETWEEN $3::float8::bigint AND $4::float8::bigint";
/** Restores some times of one asset to their state before an import. Returns one row with counts and `Changed`. */
export const UNDO = `WITH key AS MATERIALIZED (
  SELECT business_time FROM mazaneh.observations WHERE ${IN_SPAN} AND import = $1::int AND insert_time = $5::float8::bigint
  UNION SELECT business_time FROM mazaneh.pending WHERE ${IN_SPAN} AND import = $1::int
  UNION SELECT business_time FROM mazaneh.undo_records WHERE by_import = $1::int AND ${IN_SPAN} AND taken
), own AS MATERIALIZED (
  SELECT asset, business_time, quality, provider FROM key JOIN mazaneh.observations USING (business_time) WHERE asset = $2::int AND import = $1::int
), restored AS (
  UPDATE mazaneh.observations AS held SET (insert_time, source, import, ${CONTENT}) = (noted.insert_time, noted.source, noted.import, ${listOf("noted", CONTENT)})
  FROM own JOIN mazaneh.undo_records AS noted USING (asset, business_time)
  WHERE noted.by_import = $1::int AND noted.lane = '' AND ${isAt("held", "own")}
  RETURNING held.asset, held.business_time, held.quality, held.provider
), removed AS (
  DELETE FROM mazaneh.observations AS held USING own
  WHERE ${isAt("held", "own")} AND NOT EXISTS (
    -- Not a join: the planner may then read everything that the import has replaced, once for each of them.
    SELECT FROM mazaneh.undo_records AS noted WHERE noted.by_import = $1::int AND ${isAt("noted", "own")} AND noted.lane = '' OFFSET 0
  ) RETURNING held.business_time
), noted AS MATERIALIZED (
  -- The former pending records: where the import's record is still in place, or the import has taken one away and nothing is there.
  SELECT noted.* FROM key CROSS JOIN LATERAL (
    SELECT ctid AS place, ${COLUMNS}, taken FROM mazaneh.undo_records
    WHERE by_import = $1::int AND asset = $2::int AND business_time = key.business_time AND lane <> '' OFFSET 0
  ) AS noted LEFT JOIN LATERAL (
    SELECT * FROM mazaneh.pending AS held WHERE ${isAt("held", "noted")} AND held.source = noted.source LIMIT 1
  ) AS held ON true WHERE CASE WHEN held.asset IS NULL THEN noted.taken ELSE held.import = $1::int END
), spent AS (
  DELETE FROM mazaneh.undo_records WHERE ctid = ANY (ARRAY (SELECT place FROM noted))
), returned AS (
  INSERT INTO mazaneh.pending AS held (${COLUMNS}) SELECT ${COLUMNS} FROM noted
  ON CONFLICT (asset, business_time, source) DO UPDATE SET (${COLUMNS}) = (${listOf("excluded", COLUMNS)}) RETURNING held.business_time
), gone AS (
  DELETE FROM mazaneh.pending WHERE ctid = ${places(
    "key",
    `mazaneh.pending AS held WHERE asset = $2::int AND held.business_time = key.business_time AND import = $1::int AND NOT EXISTS (
      SELECT FROM mazaneh.undo_records AS noted WHERE noted.by_import = $1::int AND ${isAt("noted", "held")} AND noted.lane = held.source
    )`,
  )} RETURNING business_time
), totals AS MATERIALIZED (
  SELECT count(*) FILTER (WHERE isback) AS restored, count(*) FILTER (WHERE NOT isback) AS removed, (SELECT count(*) FROM noted) AS spent FROM (
    SELECT bool_or(isback) AS isback FROM (
      SELECT business_time, true AS isback FROM restored UNION ALL SELECT business_time, true FROM returned
      UNION ALL SELECT business_time, false FROM removed UNION ALL SELECT business_time, false FROM gone
    ) AS cells GROUP BY business_time
  ) AS undone
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM restored UNION ALL SELECT asset, business_time, quality, provider, -1 FROM own
), counted AS (
  UPDATE mazaneh.imports SET (restored, removed, noted) = (imports.restored + totals.restored, imports.removed + totals.removed, imports.noted - totals.spent)
  FROM totals WHERE id = $1::int
), ${DERIVED}
SELECT totals.restored, totals.removed, ${CHANGED} FROM totals`;
