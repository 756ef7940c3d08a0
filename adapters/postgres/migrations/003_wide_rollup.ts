import { WIDE_COLUMNS, wideRollupSql } from "../write_statements.ts";

/** Schema 3: `wide_rollup`, accepted observations in buckets of four hours and of a day, so that a year of candles need not read 35,000 buckets of `rollup`. */
export function wideRollup(schema: string): string {
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
`;
}
