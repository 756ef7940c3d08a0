import { DAY_MS, MINUTE_MS } from "../../../core/internal.ts";
import { bucketOf } from "./statement_parts.ts";

/** The bucket widths of the wide roll-up, in ascending order. */
export const WIDE_MS = [240 * MINUTE_MS, DAY_MS];

/** The widths as SQL rows. */
export const WIDTHS = `unnest('{${WIDE_MS.join(",")}}'::bigint[]) AS width`;

/** The columns of the wide roll-up, as returned by `WIDE_ROLLUP`. */
export const WIDE_COLUMNS = "asset, width, start, count, open, high, low, close";

/** Folds a group of roll-up buckets into one; an empty group has a count of NULL. */
export const foldedSql =
  "sum(count)::integer AS count, (array_agg(open ORDER BY start))[1] AS open, max(high) AS high, min(low) AS low, (array_agg(close ORDER BY start DESC))[1] AS close";

/** The wide roll-up, computed from the roll-up. */
export const WIDE_ROLLUP = `SELECT asset, width, ${bucketOf("start", "width")} AS start, ${foldedSql} FROM mazaneh.rollup, ${WIDTHS} GROUP BY 1, 2, 3`;
