/** A check of one part of the data, as SQL. */
export interface Check {
  readonly part: string;
  /** Gives the number of `rows` that are checked. */
  readonly rows: string;
  /** Gives a `fault` in words for each row that is wrong. */
  readonly faults: string;
}

const BUCKET_MS = 900_000;
/** Milliseconds of the years 0 to 9999. */
const TIMES = "-62167219200000 AND 253402300799999";

/** All checks. `schema` is as SQL writes it. */
export function verifyChecks(schema: string): readonly Check[] {
  const code = (asset: string): string => `coalesce((SELECT code FROM ${schema}.assets WHERE id = ${asset}), 'asset ' || ${asset})`;
  const at = (time: string): string => `to_char(timestamp 'epoch' + ${time} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const rowsOf = (table: string): string => `SELECT count(*)::float8 AS rows FROM ${schema}.${table}`;
  return [
    {
      part: "observations",
      rows: rowsOf("observations"),
      faults: `SELECT ${code("asset")} || ' at ' || ${at("business_time")} || ' is no record that a store may hold' AS fault FROM ${schema}.observations
WHERE NOT (value > 0 AND value < 'infinity') OR quality NOT BETWEEN 0 AND 2 OR length(provider) > 6 * 64
  OR business_time NOT BETWEEN ${TIMES} OR insert_time NOT BETWEEN ${TIMES} OR source_time NOT BETWEEN ${TIMES}`,
    },
    {
      part: "assets",
      rows: rowsOf("assets"),
      faults: `SELECT 'there are records of asset ' || asset || ', which is missing' AS fault
FROM (SELECT DISTINCT asset FROM ${schema}.observations) AS used WHERE asset NOT IN (SELECT id FROM ${schema}.assets)
UNION ALL SELECT code || ' has records, and its version is ' || version FROM ${schema}.assets
WHERE version < 1 AND EXISTS (SELECT FROM ${schema}.observations WHERE asset = assets.id)`,
    },
    {
      part: "rollup",
      rows: rowsOf("rollup"),
      faults: `SELECT ${code("asset")} || ': the roll-up of ' || ${at("start")} || ' is not that of its records' AS fault FROM (
  SELECT asset, business_time - mod(mod(business_time, ${BUCKET_MS}) + ${BUCKET_MS}, ${BUCKET_MS}) AS start, count(*) AS count,
    min(business_time) AS first_time, max(business_time) AS last_time, max(value) AS high, min(value) AS low,
    (array_agg(value ORDER BY business_time))[1] AS open, (array_agg(value ORDER BY business_time DESC))[1] AS close
  FROM ${schema}.observations WHERE quality = 0 GROUP BY 1, 2
) AS fresh FULL JOIN ${schema}.rollup AS kept USING (asset, start)
WHERE (fresh.count, fresh.first_time, fresh.last_time, fresh.open, fresh.high, fresh.low, fresh.close)
  IS DISTINCT FROM (kept.count::bigint, kept.first_time, kept.last_time, kept.open, kept.high, kept.low, kept.close)`,
    },
    {
      part: "providers",
      rows: rowsOf("providers"),
      faults: `SELECT ${code("asset")} || ': the provider "' || provider || '" has ' || coalesce(fresh.count, 0) || ' records, not ' || coalesce(kept.count, 0) AS fault FROM (
  SELECT asset, provider, count(*) AS count FROM ${schema}.observations WHERE quality = 0 AND provider IS NOT NULL GROUP BY 1, 2
) AS fresh FULL JOIN ${schema}.providers AS kept USING (asset, provider) WHERE fresh.count IS DISTINCT FROM nullif(kept.count, 0)`,
    },
    {
      part: "accounts",
      rows: `SELECT (SELECT count(*) FROM ${schema}.plans)::float8 + (SELECT count(*) FROM ${schema}.accounts) + (SELECT count(*) FROM ${schema}.keys) AS rows`,
      faults: `SELECT 'account "' || id || '" has the plan "' || plan || '", which is missing' AS fault FROM ${schema}.accounts
WHERE plan NOT IN (SELECT name FROM ${schema}.plans)
UNION ALL SELECT 'key ' || id || ' is of the account "' || account || '", which is missing' FROM ${schema}.keys
WHERE account NOT IN (SELECT id FROM ${schema}.accounts)
UNION ALL SELECT 'key ' || id || ' has a digest that no key has' FROM ${schema}.keys WHERE digest !~ '^[0-9a-f]{64}$'
UNION ALL SELECT 'plan "' || name || '" has ' || units || ' units a day' FROM ${schema}.plans WHERE units < 1`,
    },
    {
      part: "quota",
      rows: rowsOf("quota"),
      faults: `SELECT day || ': account "' || account || '" has ' || used || ' units' ||
  CASE WHEN used < 0 THEN '' ELSE ', of which the last were granted above its limit of ' || cap END AS fault
FROM ${schema}.quota WHERE used < 0 OR (granted > 0 AND used > cap)`,
    },
    {
      part: "acts",
      rows: rowsOf("acts"),
      faults: `SELECT 'import ' || id || ' has replaced ' || noted || ' records, and remembers ' || coalesce(found, 0) || ' of them: it cannot be undone as a whole' AS fault
FROM ${schema}.acts LEFT JOIN (SELECT by_act AS id, count(*) AS found FROM ${schema}.act_before GROUP BY 1) AS notes USING (id)
WHERE noted <> coalesce(found, 0)
UNION ALL SELECT 'what import ' || by_act || ' had replaced is left, and the import is missing' FROM (SELECT DISTINCT by_act FROM ${schema}.act_before) AS notes
WHERE by_act NOT IN (SELECT id FROM ${schema}.acts)
UNION ALL SELECT 'import ' || act || ' has records with another insert time than its own' FROM (
  SELECT DISTINCT act FROM ${schema}.observations JOIN ${schema}.acts ON acts.id = act WHERE insert_time <> acts.time
) AS wrong
UNION ALL SELECT 'there are records of import ' || act || ', which has never been' FROM (
  SELECT DISTINCT act FROM ${schema}.observations WHERE act > coalesce((SELECT max(id) FROM ${schema}.acts), 0)
) AS unknown`,
    },
  ];
}
