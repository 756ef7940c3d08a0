/**
 * The statement that folds candles: of `$1`, a code in an array, from `$2` to `$3`, of the width `$4`.
 *
 * @param name A subquery with the version.
 * @param rows A subquery of what is folded: `asset`, `start`, `count`, `open`, `high`, `low`, `close`.
 */
export function candlesSql(schema: string, name: string, rows: string): string {
  return `
SELECT name, first_time::float8 AS first, columns.*
FROM ${name}
LEFT JOIN ${schema}.assets a ON a.code = ANY ($1::text::text[])
LEFT JOIN LATERAL (SELECT first_time FROM ${schema}.rollup r WHERE r.asset = a.id ORDER BY r.start LIMIT 1) AS first ON true
LEFT JOIN LATERAL (
  SELECT array_agg(start ORDER BY start)::text AS starts, array_agg(open ORDER BY start)::text AS opens, array_agg(high ORDER BY start)::text AS highs,
    array_agg(low ORDER BY start)::text AS lows, array_agg(close ORDER BY start)::text AS closes, array_agg(count ORDER BY start)::text AS counts
  FROM (
    SELECT bucket AS start, (array_agg(open ORDER BY start))[1] AS open, max(high) AS high, min(low) AS low,
      (array_agg(close ORDER BY start DESC))[1] AS close, sum(count) AS count
    FROM (
      SELECT rows.*, start - ((start % $4::float8::bigint) + $4::float8::bigint) % $4::float8::bigint AS bucket
      FROM (${rows}) AS rows
      WHERE asset = a.id AND start >= $2::float8::bigint AND start < $3::float8::bigint
    ) AS placed
    GROUP BY bucket
  ) AS candles
) AS columns ON true`;
}

/** The roll-up as rows of `candlesSql`. */
export function bucketSql(schema: string): string {
  return `SELECT asset, start, count, open, high, low, close FROM ${schema}.rollup`;
}
