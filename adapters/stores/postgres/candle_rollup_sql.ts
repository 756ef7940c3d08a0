import { DAY_MS, MINUTE_MS } from "../../../core/internal.ts";

/** The bucket widths of the wide roll-up, in ascending order. */
export const WIDE_MS = [240 * MINUTE_MS, DAY_MS];

/** The widths as SQL rows. */
export const WIDTHS = `unnest('{${WIDE_MS.join(",")}}'::bigint[]) AS width`;

/** The columns of the wide roll-up, as returned by `wideRollupSql`. */
export const WIDE_COLUMNS = "asset, width, start, count, open, high, low, close";

/** Folds a group of roll-up buckets into one; an empty group has a count of NULL. */
export const foldedSql =
  "sum(count)::integer AS count, (array_agg(open ORDER BY start))[1] AS open, max(high) AS high, min(low) AS low, (array_agg(close ORDER BY start DESC))[1] AS close";

/** The start of the bucket of this width that contains a time. Before 1970, integer division would round up. */
export function wideBucketOf(time: string): string {
  return `(${time} - ((${time} % width) + width) % width)`;
}

/** The wide roll-up, computed from the roll-up. */
export function wideRollupSql(schema: string): string {
  return `SELECT asset, width, ${wideBucketOf("start")} AS start, ${foldedSql} FROM ${schema}.rollup, ${WIDTHS} GROUP BY 1, 2, 3`;
}
