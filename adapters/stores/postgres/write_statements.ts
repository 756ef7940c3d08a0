import { CONFIRM } from "../../../core/internal.ts";
import { MAX_PENDING } from "../shared/imports.ts";
import { BUCKET_MS, ROW_COLUMNS } from "./batch_columns.ts";
import { bucketOf, CHANGED, COLUMNS, CONTENT, DERIVED, isAt, listOf, noteSql, places, ROW } from "./statement_parts.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";

/** The columns of a bucket. The first and the last value are found as pairs of time and value, without sorting. */
const FOLDED = `count(*)::integer AS count, min(business_time) AS first_time, max(business_time) AS last_time,
  (min(ARRAY[business_time::float8, value]))[2] AS open, max(value) AS high, min(value) AS low, (max(ARRAY[business_time::float8, value]))[2] AS close`;

// $1: assets; $2 to $8: the other columns; $9: the import that writes, or NULL (the records that it replaces are kept
// for its undo); $10: how many records of the caller each row stands for; $11: the source; $12: whether to replace
// stored records.
const batch = `batch AS MATERIALIZED (
  SELECT * FROM unnest($1::text::int[], ${ROW_COLUMNS.map(([, type], i) => `$${i + 2}::text::${type}[]`).join(", ")}, $10::text::int[]) WITH ORDINALITY AS batch (${ROW}, copies, place)
)`;
const copiesWhere = (condition: string): string => `coalesce(sum(coalesce(copies, 1)) FILTER (WHERE ${condition}), 0)`;

/**
 * The statements that store observations. Each statement except `recompute` returns one row with counts and `Changed`.
 */
export const WRITE = {
  // Stores accepted and rejected records with distinct keys.
  decided: `WITH ${batch}, added AS (
  INSERT INTO mazaneh.observations (${COLUMNS}) SELECT ${ROW}, $11::text, $9::int FROM batch
  ON CONFLICT (asset, business_time) DO NOTHING RETURNING asset, business_time, quality, provider
), new AS MATERIALIZED (
  SELECT count(*) AS count FROM added
), found AS MATERIALIZED (
  -- Skipped if all records are new.
  SELECT batch.*, held.value AS was, held.quality AS quality_was, held.provider AS provider_was, coalesce(held.import = $9::int, false) AS own,
    (${listOf("held", CONTENT)}) IS DISTINCT FROM (${listOf("batch", CONTENT)}) AS differs
  FROM batch JOIN mazaneh.observations AS held USING (asset, business_time) WHERE (SELECT count FROM new) < (SELECT count(*) FROM batch)
), taken AS (
  -- Pending records of the same source. Mostly there are none.
  DELETE FROM mazaneh.pending WHERE EXISTS (SELECT FROM mazaneh.pending WHERE source = $11::text) AND ctid = ${places(
    "(SELECT asset, business_time FROM added UNION ALL SELECT asset, business_time FROM found WHERE $12::boolean OR NOT differs) AS stored",
    `mazaneh.pending AS held WHERE ${isAt("held", "stored")} AND held.source = $11::text`,
  )} RETURNING ${COLUMNS}
), ${noteSql(
    "$9::int",
    `SELECT ${listOf("held", COLUMNS)} FROM found JOIN mazaneh.observations AS held USING (asset, business_time) WHERE differs AND $12::boolean`,
  )}, replaced AS (
  UPDATE mazaneh.observations AS held SET (insert_time, source, import, ${CONTENT}) = (found.insert_time, $11::text, $9::int, ${listOf("found", CONTENT)})
  FROM found WHERE differs AND $12::boolean AND ${isAt("held", "found")}
  RETURNING held.asset, held.business_time, held.quality, held.provider
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM added
  UNION ALL SELECT asset, business_time, quality, provider, 1 FROM replaced
  UNION ALL SELECT asset, business_time, quality_was, provider_was, -1 FROM found WHERE differs AND $12::boolean
), ${DERIVED}
SELECT new.count AS accepted, same AS unchanged, differ, own, 0 AS excess, largest.place, largest.was, ${CHANGED}
FROM new, (
  SELECT ${copiesWhere("NOT differs")} AS same, count(*) FILTER (WHERE differs) AS differ, count(*) FILTER (WHERE differs AND own) AS own FROM found
) AS counts LEFT JOIN (
  SELECT place, was FROM found WHERE differs AND value <> was ORDER BY abs(ln(value) - ln(was)) DESC, place LIMIT 1
) AS largest ON true`,
  // Stores pending records with distinct keys.
  pending: `WITH ${batch}, found AS MATERIALIZED (
  SELECT batch.*, coalesce(held.import = $9::int, false) AS own, CASE
      WHEN decided.quality = 0 AND decided.value = batch.value AND NOT starts_with(batch.message, '${CONFIRM}') THEN 'same'
      WHEN decided.value <> batch.value AND NOT $12::boolean THEN 'differs'
      WHEN held.asset IS NULL THEN 'new'
      WHEN (${listOf("held", CONTENT)}) IS DISTINCT FROM (${listOf("batch", CONTENT)}) THEN 'differs'
      ELSE 'same'
    END AS fate
  FROM batch LEFT JOIN mazaneh.observations AS decided USING (asset, business_time)
  LEFT JOIN LATERAL (SELECT * FROM mazaneh.pending AS own WHERE ${isAt("own", "batch")} AND own.source = $11::text LIMIT 1) AS held ON true
), new AS MATERIALIZED (
  SELECT * FROM found WHERE fate = 'new' ORDER BY place LIMIT greatest(0, ${MAX_PENDING} - (SELECT count(*) FROM mazaneh.pending WHERE source = $11::text))
), taken AS (
  -- Pending records do not take others away.
  SELECT ${COLUMNS} FROM mazaneh.pending WHERE false
), ${noteSql(
    "$9::int",
    `SELECT ${listOf("held", COLUMNS)} FROM found CROSS JOIN LATERAL (
    SELECT * FROM mazaneh.pending AS held WHERE ${isAt("held", "found")} AND held.source = $11::text LIMIT 1
  ) AS held WHERE fate = 'differs' AND $12::boolean`,
  )}, stored AS (
  INSERT INTO mazaneh.pending (${COLUMNS}) SELECT ${ROW}, $11::text, $9::int FROM new
  UNION ALL SELECT ${ROW}, $11::text, $9::int FROM found WHERE fate = 'differs' AND $12::boolean
  ON CONFLICT (asset, business_time, source) DO UPDATE SET (${COLUMNS}) = (${listOf("excluded", COLUMNS)})
)
SELECT accepted, same AS unchanged, differ, own, fresh - stored AS excess, NULL AS place, NULL AS was, '{}' AS ids, '{}' AS starts, '{}' AS assets, ${COMMITTED_DURABLY} AS durably
FROM (
  SELECT ${copiesWhere("fate = 'same'")} AS same, ${copiesWhere("fate = 'new'")} AS fresh,
    count(*) FILTER (WHERE fate = 'differs') AS differ, count(*) FILTER (WHERE fate = 'differs' AND own) AS own FROM found
) AS counts, (SELECT count(*) AS accepted, ${copiesWhere("true")} AS stored FROM new) AS kept`,
  // Recomputes roll-up buckets, and adds 1 to the version of their assets.
  // Has a subquery for each bucket, which reads a short range of the primary key.
  recompute: `WITH touched AS (
  SELECT * FROM unnest($1::text::integer[], $2::text::bigint[]) AS buckets (asset, start)
), made AS MATERIALIZED (
  SELECT t.asset, t.start, b.* FROM touched t CROSS JOIN LATERAL (
    SELECT ${FOLDED} FROM mazaneh.observations o
    WHERE o.asset = t.asset AND o.business_time >= t.start AND o.business_time < t.start + ${BUCKET_MS} AND o.quality = 0
  ) AS b
), emptied AS (
  DELETE FROM mazaneh.rollup r USING made m WHERE m.count = 0 AND r.asset = m.asset AND r.start = m.start
), filled AS (
  INSERT INTO mazaneh.rollup (asset, start, count, first_time, last_time, open, high, low, close)
  SELECT asset, start, count, first_time, last_time, open, high, low, close FROM made WHERE count > 0
  ON CONFLICT (asset, start) DO UPDATE SET (count, first_time, last_time, open, high, low, close)
    = (excluded.count, excluded.first_time, excluded.last_time, excluded.open, excluded.high, excluded.low, excluded.close)
), raised AS (
  UPDATE mazaneh.assets SET version = version + 1 WHERE id = ANY ($3::text::integer[])
)
SELECT`,
};

/** The roll-up of all records. */
export const ROLLUP = `SELECT asset, ${bucketOf("business_time")} AS start, ${FOLDED} FROM mazaneh.observations WHERE quality = 0 GROUP BY 1, 2`;

/** Counts the accepted records of each provider again. */
export const PROVIDERS =
  "SELECT asset, provider, count(*) AS count FROM mazaneh.observations WHERE quality = 0 AND provider IS NOT NULL GROUP BY 1, 2";
