import { countProviders } from "./count_providers.ts";
import { bucketOf } from "./write.ts";

/** The statements that change observations under an act. Each gives one row: what it did, and `Changed`. */
export interface ImportStatements {
  /** Stores a batch in which no record occurs twice; what is there is replaced, and noted. */
  readonly put: string;
  /** The same, but what is there stays. */
  readonly add: string;
  /** Brings some records of one asset back to what they were before. */
  readonly undo: string;
  /** Rejects some records of a selection. */
  readonly withdraw: string;
}

const COLUMNS = "asset, business_time, insert_time, source_time, value, quality, provider, message, act";
const CONTENT = ["value", "source_time", "quality", "provider", "message"] as const;

/** @param schema As SQL writes it. */
export function importStatements(schema: string): ImportStatements {
  /** Of several notes of one record the last one counts: something else has replaced what the act had stored, and the act that. */
  const note = (from: string): string => `INSERT INTO ${schema}.act_before AS noted (by_act, ${COLUMNS}) ${from}
  ON CONFLICT (by_act, asset, business_time) DO UPDATE SET insert_time = excluded.insert_time, source_time = excluded.source_time,
    value = excluded.value, quality = excluded.quality, provider = excluded.provider, message = excluded.message, act = excluded.act
  RETURNING noted.xmax = 0 AS isnew`;
  /** `changes` has a row for each record that came (`n` is 1) or went (-1). */
  const provided = `provided AS (
  ${countProviders(schema, "SELECT asset, provider, n FROM changes WHERE quality = 0")}
)`;
  const changed = `(SELECT coalesce(array_agg(asset), '{}')::text FROM touched) AS ids, (SELECT coalesce(array_agg(start), '{}')::text FROM touched) AS starts,
  (SELECT coalesce(array_agg(DISTINCT asset), '{}')::text FROM changes) AS assets`;
  const touched = `touched AS MATERIALIZED (
  SELECT DISTINCT asset, ${bucketOf("business_time")} AS start FROM changes WHERE quality = 0
)`;

  const store = (replaces: boolean): string => `WITH batch AS MATERIALIZED (
  SELECT asset, business_time, value, source_time, quality, provider, message, place
  FROM unnest($1::text::int[], $2::text::bigint[], $3::text::float8[], $4::text::bigint[], $5::text::smallint[], $6::text::text[], $7::text::text[])
    WITH ORDINALITY AS batch (asset, business_time, value, source_time, quality, provider, message, place)
), added AS (
  INSERT INTO ${schema}.observations (${COLUMNS})
  SELECT asset, business_time, $8::float8::bigint, source_time, value, quality, provider, message, $9::int FROM batch
  ON CONFLICT (asset, business_time) DO NOTHING RETURNING asset, business_time, quality, provider
), new AS MATERIALIZED (
  SELECT count(*) AS count FROM added
), found AS MATERIALIZED (
  -- Not read where all records are new.
  SELECT batch.*, held.value AS was, held.quality AS quality_was, held.provider AS provider_was, coalesce(held.act = $9::int, false) AS own,
    (${CONTENT.map((name) => `held.${name}`).join(", ")}) IS NOT DISTINCT FROM (${CONTENT.map((name) => `batch.${name}`).join(", ")}) AS same
  FROM batch JOIN ${schema}.observations AS held USING (asset, business_time) WHERE (SELECT count FROM new) < $10::int
)${replaces ? `, noted AS (
  ${note(`SELECT $9::int, ${COLUMNS.split(", ").map((name) => `held.${name}`).join(", ")} FROM found JOIN ${schema}.observations AS held USING (asset, business_time) WHERE NOT same AND NOT own`)}
), replaced AS (
  UPDATE ${schema}.observations AS held SET insert_time = $8::float8::bigint, act = $9::int, ${CONTENT.map((name) => `${name} = found.${name}`).join(", ")}
  FROM found WHERE NOT same AND held.asset = found.asset AND held.business_time = found.business_time
  RETURNING held.asset, held.business_time, held.quality, held.provider
)` : ""}, changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM added
  ${replaces ? `UNION ALL SELECT asset, business_time, quality, provider, 1 FROM replaced
  UNION ALL SELECT asset, business_time, quality_was, provider_was, -1 FROM found WHERE NOT same` : ""}
), ${touched}, ${provided}
SELECT new.count::float8 AS accepted, same::float8 AS unchanged, differ::float8 AS differ, own::float8 AS own, largest.place::float8 AS place, largest.was,
  ${replaces ? "(SELECT count(*) FILTER (WHERE isnew) FROM noted)::float8" : "0::float8"} AS noted, ${changed}
FROM new, (
  SELECT count(*) FILTER (WHERE same) AS same, count(*) FILTER (WHERE NOT same) AS differ, count(*) FILTER (WHERE NOT same AND own) AS own FROM found
) AS counts LEFT JOIN (
  SELECT place, was FROM found WHERE NOT same AND value <> was ORDER BY abs(ln(value) - ln(was)) DESC, place LIMIT 1
) AS largest ON true`;

  return {
    put: store(true),
    add: store(false),
    undo: `WITH standing AS MATERIALIZED (
  SELECT asset, business_time, quality, provider FROM ${schema}.observations
  WHERE asset = $2::int AND business_time BETWEEN $3::float8::bigint AND $4::float8::bigint AND act = $1::int ORDER BY business_time LIMIT $5::int
), restored AS (
  UPDATE ${schema}.observations AS held SET insert_time = noted.insert_time, act = noted.act, ${CONTENT.map((name) => `${name} = noted.${name}`).join(", ")}
  FROM standing JOIN ${schema}.act_before AS noted USING (asset, business_time)
  WHERE noted.by_act = $1::int AND held.asset = standing.asset AND held.business_time = standing.business_time
  RETURNING held.asset, held.business_time, held.quality, held.provider
), removed AS (
  DELETE FROM ${schema}.observations AS held USING standing
  WHERE held.asset = standing.asset AND held.business_time = standing.business_time AND NOT EXISTS (
    SELECT FROM ${schema}.act_before AS noted WHERE noted.by_act = $1::int AND noted.asset = standing.asset AND noted.business_time = standing.business_time
  ) RETURNING 1
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, 1 AS n FROM restored UNION ALL SELECT asset, business_time, quality, provider, -1 FROM standing
), counted AS MATERIALIZED (
  UPDATE ${schema}.acts SET restored = restored + (SELECT count(*) FROM restored)::int, removed = removed + (SELECT count(*) FROM removed)::int
  WHERE id = $1::int RETURNING 1
), ${touched}, ${provided}
SELECT (SELECT count(*) FROM restored)::float8 AS restored, (SELECT count(*) FROM removed)::float8 AS removed,
  (SELECT max(business_time) FROM standing)::float8 AS last, (SELECT count(*) FROM counted)::float8 AS counted, ${changed}`,
    withdraw: `WITH found AS MATERIALIZED (
  SELECT ${COLUMNS} FROM ${schema}.observations
  WHERE asset = $2::int AND business_time >= $3::float8::bigint AND business_time < $4::float8::bigint AND quality <> 2
    AND ($5::text IS NULL OR provider = $5::text) ORDER BY business_time LIMIT $6::int
), noted AS (
  ${note(`SELECT $1::int, ${COLUMNS} FROM found`)}
), replaced AS (
  UPDATE ${schema}.observations AS held SET quality = 2, message = $7::text, insert_time = $8::float8::bigint, act = $1::int
  FROM found WHERE held.asset = found.asset AND held.business_time = found.business_time RETURNING 1
), changes AS MATERIALIZED (
  SELECT asset, business_time, quality, provider, -1 AS n FROM found
), ${touched}, ${provided}
SELECT (SELECT count(*) FROM replaced)::float8 AS replaced, (SELECT count(*) FILTER (WHERE isnew) FROM noted)::float8 AS noted, ${changed}`,
  };
}
