/** The rows that candles are folded of: `asset`, `start`, `count`, `open`, `high`, `low`, `close`. */
export type CandleRows = "rollup" | "observations";

/**
 * The statement that folds candles: of the code `$1`, from `$2` to `$3`, of the width `$4`.
 *
 * @param schema As SQL writes it.
 * @param name A subquery with the version.
 */
export function candlesSql(schema: string, name: string, folded: CandleRows): string {
  const rows = folded === "observations" ? `(${observationRows(schema)})` : `${schema}.rollup`;
  const within = `FROM ${rows} AS rows WHERE rows.asset = a.id AND rows.start >= $2::float8::bigint AND rows.start < $3::float8::bigint`;
  return `
SELECT name, first_time::float8 AS first, candles
FROM ${name}
LEFT JOIN ${schema}.assets a ON a.code = $1::text
LEFT JOIN LATERAL (SELECT first_time FROM ${schema}.rollup r WHERE r.asset = a.id ORDER BY r.start LIMIT 1) AS first ON true
LEFT JOIN LATERAL (
  SELECT json_agg(json_build_array(start, open, high, low, close, count) ORDER BY start)::text AS candles
  FROM (
    SELECT bucket AS start, (array_agg(open ORDER BY start))[1] AS open, max(high) AS high, min(low) AS low,
      (array_agg(close ORDER BY start DESC))[1] AS close, sum(count) AS count
    FROM (SELECT rows.*, start - ((start % $4::float8::bigint) + $4::float8::bigint) % $4::float8::bigint AS bucket ${within}) AS placed
    GROUP BY bucket
  ) AS folded
) AS found ON true`;
}

function observationRows(schema: string): string {
  return `SELECT asset, business_time AS start, 1 AS count, value AS open, value AS high, value AS low, value AS close FROM ${schema}.observations WHERE quality = 0`;
}
