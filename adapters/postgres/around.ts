import type { Surroundings } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey } from "../../core/mod.ts";
import { arrayOf } from "./batch.ts";
import type { Query } from "./connection.ts";
import { observationColumns, toObservation } from "./observation_rows.ts";
import type { ObservationRow } from "./observation_rows.ts";
import { textArray, toStored } from "./text.ts";

type Which = "at" | "before" | "after";

/** Reads what there is at the business times of `keys`, and next to them, in one state. */
export async function readAround(query: Query, schema: string, keys: readonly ObservationKey[]): Promise<readonly Surroundings[]> {
  const codes = [...new Set(keys.map(({ code }) => code))];
  const counts = await countAccepted(query, schema, codes);
  const found = keys.map((): { -readonly [Name in keyof Surroundings]: Surroundings[Name] } => ({ at: undefined, before: undefined, after: undefined, count: 0 }));
  // Most imports begin with assets without records, of which nothing has to be looked up.
  const asked = keys.flatMap((key, place) => (counts.has(key.code) ? [{ ...key, place }] : []));
  keys.forEach(({ code }, i) => (found[i]!.count = counts.get(code)?.count ?? 0));
  if (asked.length === 0) return found;
  const next = (order: "DESC" | "ASC"): string =>
    `(SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time ${order === "DESC" ? "<" : ">"} asked.time AND quality = 0 ORDER BY business_time ${order} LIMIT 1)`;
  const rows = await query<ObservationRow & { place: number; which: Which }>(
    `SELECT place::int AS place, which, ${observationColumns("held")}
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::int[]) AS asked (asset, time, place), LATERAL (
  SELECT 'at' AS which, * FROM ${schema}.observations WHERE asset = asked.asset AND business_time = asked.time
  UNION ALL SELECT 'before', * FROM ${next("DESC")} AS earlier
  UNION ALL SELECT 'after', * FROM ${next("ASC")} AS later
) AS held`,
    [arrayOf(asked.map(({ code }) => counts.get(code)!.id)), arrayOf(asked.map(({ businessTime }) => businessTime)), arrayOf(asked.map(({ place }) => place))],
  );
  for (const { place, which, ...row } of rows) found[place]![which] = observationOf(keys[place]!.code, row);
  return found;
}

function observationOf(code: AssetCode, row: ObservationRow): Observation {
  return toObservation(code, row);
}

/** The assets that have records, with the number of accepted ones. */
async function countAccepted(query: Query, schema: string, codes: readonly AssetCode[]): Promise<ReadonlyMap<AssetCode, { readonly id: number; readonly count: number }>> {
  const names = new Map(codes.map((code) => [toStored(code), code]));
  const rows = await query<{ id: number; code: string; n: number }>(
    `SELECT id, code, (SELECT coalesce(sum(count), 0) FROM ${schema}.rollup WHERE asset = assets.id)::float8 AS n
FROM ${schema}.assets WHERE code = ANY ($1::text::text[]) AND version > 0`,
    [textArray([...names.keys()])],
  );
  return new Map(rows.map(({ id, code, n }) => [names.get(code)!, { id, count: n }]));
}
