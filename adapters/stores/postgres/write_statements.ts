import { BUCKET_MS, ROW_COLUMNS } from "./batch_columns.ts";
import { COMMITTED_DURABLY } from "./store_state.ts";

const NAMES = ROW_COLUMNS.map(([name]) => name);
const ROW = ["asset", ...NAMES].join(", ");
const COLUMNS = `${ROW}, import`;
/** In what two records must be equal to be the same: not in the insert time. */
const CONTENT = ["value", "source_time", "quality", "provider", "message"] as const;

/**
 * The statements that change observations. Each but `recompute` gives one row: what it did, and `Changed`.
 *
 * @param schema As SQL writes it.
 */
export function writeStatements(schema: string) {
  /**
   * Notes records for the undo of an import. Of several notes of one record the last one counts: something else has replaced
   * what the import had stored, and the import that.
   */
  const note = (id: string, from: string): string => `noted AS (
  INSERT INTO ${schema}.undo_records AS noted (by_import, ${COLUMNS}) ${from}
  ON CONFLICT (by_import, asset, business_time) DO UPDATE SET (${COLUMNS}) = (${listOf("excluded", COLUMNS)})
  RETURNING noted.xmax = 0 AS isnew
), counted AS (
  UPDATE ${schema}.imports SET noted = noted + (SELECT count(*) FROM noted WHERE isnew)::int WHERE id = ${id} AND EXISTS (SELECT FROM noted WHERE isnew)
)`;
  /** From `changes`, which has a row for each record that came (`n` is 1) or went (-1). */
  const derived = `touched AS MATERIALIZED (
  SELECT DISTINCT asset, ${bucketOf("business_time")} AS start FROM changes WHERE quality = 0
), provided AS (
  INSERT INTO ${schema}.providers (asset, provider, count)
  SELECT asset, provider, sum(n) FROM changes WHERE quality = 0 AND provider IS NOT NULL GROUP BY asset, provider HAVING sum(n) <> 0
  ON CONFLICT (asset, provider) DO UPDATE SET count = providers.count + excluded.count
)`;
  const changed = `(SELECT coalesce(array_agg(asset), '{}')::text FROM touched) AS ids, (SELECT coalesce(array_agg(start), '{}')::text FROM touched) AS starts,
  (SELECT coalesce(array_agg(DISTINCT asset), '{}')::text FROM changes) AS assets`;

  // $1: the import; $2: the asset; $3 and $4: the span; $5: the provider, or NULL; $6: how many at most; $7: the message; $8: the import's time; $9: the quality.
  const decide = (condition: string): string => `WITH found AS MATERIALIZED (
  SELECT ${COLUMNS} FROM ${schema}.observations
  WHERE asset = $2::int AND business_time >= $3::float8::bigint AND business_time < $4::float8::bigint AND ${condition}
    AND ($5::text IS NULL OR provider = $5::text) ORDER BY business_time LIMIT $6::int
), ${note("$1::int", `SELECT $1::int, ${COLUMNS} FROM found`)}, replaced AS (
  UPDATE ${schema}.observations AS held SET quality = $9::smallint, message = $7::text, insert_time = $8::float8::bigint, import = $1::int
  FROM found WHERE held.asset = found.asset AND held.business_time = found.business_time RETURNING held.asset, held.business_time, held.quality, held.provider
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM replaced UNION ALL SELECT asset, business_time, quality, provider, -1 FROM found
), ${derived}
SELECT (SELECT count(*) FROM replaced)::float8 AS replaced, ${changed}`;

  const arrays = ROW_COLUMNS.map(([, type], i) => `$${i + 2}::text::${type}[]`).join(", ");
  // A record that waits, and the accepted one of its time.
  const hides = "batch.quality = 1 AND held.quality = 0";
  // $1: assets; $2 to $8: the other columns; $9: the import, if any; $10: number of records; $11: for how many records of the caller each stands.
  const store = (replaces: boolean, notes: boolean): string => `WITH batch AS MATERIALIZED (
  SELECT * FROM unnest($1::text::int[], ${arrays}, $11::text::int[]) WITH ORDINALITY AS batch (${ROW}, copies, place)
), added AS (
  INSERT INTO ${schema}.observations (${COLUMNS}) SELECT ${ROW}, $9::int FROM batch
  ON CONFLICT (asset, business_time) DO NOTHING RETURNING asset, business_time, quality, provider
), new AS MATERIALIZED (
  SELECT count(*) AS count FROM added
), found AS MATERIALIZED (
  -- Not read where all records are new.
  SELECT batch.*, held.value AS was, held.quality AS quality_was, held.provider AS provider_was, coalesce(held.import = $9::int, false) AS own,
    ${hides} AS hides, (${listOf("held", CONTENT)}) IS DISTINCT FROM (${listOf("batch", CONTENT)}) AND NOT (${hides}) AS differs
  FROM batch JOIN ${schema}.observations AS held USING (asset, business_time) WHERE (SELECT count FROM new) < $10::int
)${
    notes
      ? `, ${note(
          "$9::int",
          `SELECT $9::int, ${listOf("held", COLUMNS)}
  FROM found JOIN ${schema}.observations AS held USING (asset, business_time) WHERE differs AND NOT own`,
        )}`
      : ""
  }${
    replaces
      ? `, replaced AS (
  UPDATE ${schema}.observations AS held SET (insert_time, import, ${CONTENT.join(", ")}) = (found.insert_time, $9::int, ${listOf("found", CONTENT)})
  FROM found WHERE differs AND held.asset = found.asset AND held.business_time = found.business_time
  RETURNING held.asset, held.business_time, held.quality, held.provider
)`
      : ""
  }, changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM added
  ${
    replaces
      ? `UNION ALL SELECT asset, business_time, quality, provider, 1 FROM replaced
  UNION ALL SELECT asset, business_time, quality_was, provider_was, -1 FROM found WHERE differs`
      : ""
  }
), ${derived}
SELECT new.count::float8 AS accepted, same::float8 AS unchanged, hides::float8 AS hides, differ::float8 AS differ, own::float8 AS own,
  largest.place::float8 AS place, largest.was, ${changed}
FROM new, (
  SELECT coalesce(sum(coalesce(copies, 1)) FILTER (WHERE NOT differs AND NOT hides), 0) AS same, coalesce(sum(coalesce(copies, 1)) FILTER (WHERE hides), 0) AS hides,
    count(*) FILTER (WHERE differs) AS differ, count(*) FILTER (WHERE differs AND own) AS own FROM found
) AS counts LEFT JOIN (
  SELECT place, was FROM found WHERE differs AND value <> was ORDER BY abs(ln(value) - ln(was)) DESC, place LIMIT 1
) AS largest ON true`;

  return {
    // Stores records in which no key occurs twice; what is there is replaced.
    replace: store(true, false),
    // The same for an import: what is replaced is noted for its undo.
    replaceNoting: store(true, true),
    // The same, but what is there stays.
    keep: store(false, false),
    // By keys.
    remove: `WITH changes AS (
  DELETE FROM ${schema}.observations AS held USING unnest($1::text::int[], $2::text::bigint[]) AS key (asset, business_time)
  WHERE held.asset = key.asset AND held.business_time = key.business_time RETURNING held.asset, held.business_time, held.quality, held.provider, -1 AS n
), ${derived}
SELECT (SELECT count(*) FROM changes)::float8 AS removed, ${changed}`,
    // Brings some records of one asset back to what they were before an import.
    undo: `WITH own AS MATERIALIZED (
  SELECT asset, business_time, quality, provider FROM ${schema}.observations
  WHERE asset = $2::int AND business_time BETWEEN $3::float8::bigint AND $4::float8::bigint AND import = $1::int ORDER BY business_time LIMIT $5::int
), restored AS (
  UPDATE ${schema}.observations AS held SET (insert_time, import, ${CONTENT.join(", ")}) = (noted.insert_time, noted.import, ${listOf("noted", CONTENT)})
  FROM own JOIN ${schema}.undo_records AS noted USING (asset, business_time)
  WHERE noted.by_import = $1::int AND held.asset = own.asset AND held.business_time = own.business_time
  RETURNING held.asset, held.business_time, held.quality, held.provider
), removed AS (
  DELETE FROM ${schema}.observations AS held USING own
  WHERE held.asset = own.asset AND held.business_time = own.business_time AND NOT EXISTS (
    SELECT FROM ${schema}.undo_records AS noted WHERE noted.by_import = $1::int AND noted.asset = own.asset AND noted.business_time = own.business_time
  ) RETURNING 1
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM restored UNION ALL SELECT asset, business_time, quality, provider, -1 FROM own
), counted AS (
  UPDATE ${schema}.imports SET restored = restored + (SELECT count(*) FROM restored)::int, removed = removed + (SELECT count(*) FROM removed)::int
  WHERE id = $1::int
), ${derived}
SELECT (SELECT count(*) FROM restored)::float8 AS restored, (SELECT count(*) FROM removed)::float8 AS removed,
  (SELECT max(business_time) FROM own)::float8 AS last, ${changed}`,
    // Accept or reject some records of a selection: of all that are not rejected, or of those that wait.
    decide: decide("quality <> 2"),
    decidePending: decide("quality = 1"),
    // Makes buckets of the roll-up anew, and counts a change of their assets. One subquery for each bucket, so that each is one short range of the primary key.
    recompute: `WITH touched AS (
  SELECT * FROM unnest($1::text::integer[], $2::text::bigint[]) AS buckets (asset, start)
), made AS MATERIALIZED (
  SELECT t.asset, t.start, b.* FROM touched t CROSS JOIN LATERAL (
    SELECT count(*)::integer AS count, min(business_time) AS first_time, max(business_time) AS last_time,
      array_agg(value ORDER BY business_time) AS path, max(value) AS high, min(value) AS low
    FROM ${schema}.observations o
    WHERE o.asset = t.asset AND o.business_time >= t.start AND o.business_time < t.start + ${BUCKET_MS} AND o.quality = 0
  ) AS b
), emptied AS (
  DELETE FROM ${schema}.rollup r USING made m WHERE m.count = 0 AND r.asset = m.asset AND r.start = m.start
), filled AS (
  INSERT INTO ${schema}.rollup (asset, start, count, first_time, last_time, open, high, low, close)
  SELECT asset, start, count, first_time, last_time, path[1], high, low, path[count] FROM made WHERE count > 0
  ON CONFLICT (asset, start) DO UPDATE SET (count, first_time, last_time, open, high, low, close)
    = (excluded.count, excluded.first_time, excluded.last_time, excluded.open, excluded.high, excluded.low, excluded.close)
), raised AS (
  UPDATE ${schema}.assets SET version = version + 1 WHERE id = ANY ($3::text::integer[])
)
SELECT ${COMMITTED_DURABLY} AS durably`,
  };
}

/** The roll-up of all records, made of these alone. */
export function rollupSql(schema: string): string {
  return `SELECT asset, ${bucketOf("business_time")} AS start, count(*) AS count, min(business_time) AS first_time, max(business_time) AS last_time,
  (array_agg(value ORDER BY business_time))[1] AS open, max(value) AS high, min(value) AS low, (array_agg(value ORDER BY business_time DESC))[1] AS close
FROM ${schema}.observations WHERE quality = 0 GROUP BY 1, 2`;
}

/** How many accepted records each provider has, counted anew. */
export function providersSql(schema: string): string {
  return `SELECT asset, provider, count(*) AS count FROM ${schema}.observations WHERE quality = 0 AND provider IS NOT NULL GROUP BY 1, 2`;
}

/** Start of the bucket of a business time; also before 1970, where a division of integers would round up. */
function bucketOf(time: string): string {
  return `(${time} - ((${time} % ${BUCKET_MS}) + ${BUCKET_MS}) % ${BUCKET_MS})`;
}

function listOf(table: string, columns: string | readonly string[]): string {
  return (typeof columns === "string" ? columns.split(", ") : columns).map((name) => `${table}.${name}`).join(", ");
}
