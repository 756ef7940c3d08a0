import { foldedSql, WIDE_COLUMNS, WIDTHS, wideBucketOf, wideRollupSql } from "../candle_rollup_sql.ts";

/**
 * Schema 3: `wide_rollup`, accepted observations in buckets of four hours and of a day, so that a year of candles need not read
 * 35,000 buckets of `rollup`. Triggers keep it, so that instances of the version before do as well, until they are started anew.
 */
export function wideRollup(schema: string): string {
  const trigger = (event: string, rows: "NEW" | "OLD"): string =>
    `CREATE TRIGGER widen_${event} AFTER ${event} ON ${schema}.rollup REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.widen();`;
  return `
CREATE TABLE ${schema}.wide_rollup (
  asset integer NOT NULL,
  count integer NOT NULL,
  width bigint NOT NULL,
  start bigint NOT NULL,
  open double precision NOT NULL,
  high double precision NOT NULL,
  low double precision NOT NULL,
  close double precision NOT NULL,
  PRIMARY KEY (asset, width, start)
);
INSERT INTO ${schema}.wide_rollup (${WIDE_COLUMNS}) ${wideRollupSql(schema)};
CREATE FUNCTION ${schema}.widen() RETURNS trigger LANGUAGE plpgsql AS $widen$
BEGIN
  WITH touched AS (
    SELECT DISTINCT asset, width, ${wideBucketOf("start")} AS start FROM changed, ${WIDTHS}
  ), made AS MATERIALIZED (
    SELECT t.asset, t.width, t.start, b.* FROM touched t CROSS JOIN LATERAL (
      SELECT ${foldedSql} FROM ${schema}.rollup r WHERE r.asset = t.asset AND r.start >= t.start AND r.start < t.start + t.width
    ) AS b
  ), emptied AS (
    DELETE FROM ${schema}.wide_rollup r USING made m WHERE m.count IS NULL AND r.asset = m.asset AND r.width = m.width AND r.start = m.start
  )
  INSERT INTO ${schema}.wide_rollup (${WIDE_COLUMNS}) SELECT ${WIDE_COLUMNS} FROM made WHERE count IS NOT NULL
  ON CONFLICT (asset, width, start) DO UPDATE SET (count, open, high, low, close) = (excluded.count, excluded.open, excluded.high, excluded.low, excluded.close);
  RETURN NULL;
END $widen$;
${trigger("INSERT", "NEW")}
${trigger("UPDATE", "NEW")}
${trigger("DELETE", "OLD")}
`;
}
