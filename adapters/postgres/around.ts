import type { Neighbours } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey } from "../../core/mod.ts";
import { arrayOf } from "./batch.ts";
import type { Query } from "./connection.ts";
import { observationColumns, toObservation } from "./observation_rows.ts";
import type { ObservationRow } from "./observation_rows.ts";
import { textArray, toStored } from "./text.ts";

interface StoredAsset {
  readonly id: number;
  readonly count: number;
}

/** Keys of one asset that are looked up together, by their places among all keys, and their earliest and latest time. */
interface Group {
  readonly code: AssetCode;
  readonly places: number[];
  first: number;
  last: number;
}

/** What was asked for, and what was found of it so far. */
interface Search {
  readonly keys: readonly ObservationKey[];
  readonly assets: ReadonlyMap<AssetCode, StoredAsset>;
  readonly found: Neighbours[];
}

/** Rows that are read of a range besides two for each key. */
const SPARE_ROWS = 100;

/** What is asked for. */
export interface Asked {
  readonly keys: readonly ObservationKey[];
  /** Assets whose number of records is known already: it is given from there, and not counted again. */
  readonly counted: ReadonlyMap<AssetCode, number>;
}

/** Reads what there is at the business times of `keys`, and next to them, in one state. */
export async function readAround(query: Query, schema: string, { keys, counted }: Asked): Promise<readonly Neighbours[]> {
  const assets = await readAssets(query, schema, { keys, counted });
  const found = keys.map(({ code }): Neighbours => ({ at: undefined, before: undefined, after: undefined, count: assets.get(code)?.count ?? 0 }));
  const search = { keys, assets, found };
  // An import mostly brings records that follow each other: one range of each asset holds what is around them.
  const sparse = await readRanges(query, schema, groupsOf(search), search);
  // Where there are many more rows between them, each key is a range of its own.
  const alone = sparse.map((place): Group => ({ code: keys[place]!.code, places: [place], first: keys[place]!.businessTime, last: keys[place]!.businessTime }));
  await readRanges(query, schema, alone, search);
  return found;
}

/** A group for each asset that has records. */
function groupsOf({ keys, assets }: Search): readonly Group[] {
  const groups = new Map<AssetCode, Group>();
  keys.forEach(({ code, businessTime }, place) => {
    const group = groups.get(code);
    if (group) {
      group.places.push(place);
      group.first = Math.min(group.first, businessTime);
      group.last = Math.max(group.last, businessTime);
    } else if (assets.has(code)) groups.set(code, { code, places: [place], first: businessTime, last: businessTime });
  });
  return [...groups.values()];
}

/** Reads the range of each group, with the accepted rows before and behind it; gives the keys whose range has too many rows. */
async function readRanges(query: Query, schema: string, groups: readonly Group[], { keys, assets, found }: Search): Promise<readonly number[]> {
  if (groups.length === 0) return [];
  const limits = groups.map(({ places }) => 2 * places.length + SPARE_ROWS);
  const rows = await query<ObservationRow & { nth: number }>(
    `SELECT nth::int AS nth, ${observationColumns("held")}
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::int[]) WITH ORDINALITY AS asked (asset, first, last, most, nth), LATERAL (
  ${nextAccepted(schema, "< asked.first", "DESC")}
  UNION ALL (SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time BETWEEN asked.first AND asked.last ORDER BY business_time LIMIT asked.most)
  UNION ALL ${nextAccepted(schema, "> asked.last", "ASC")}
) AS held`,
    [arrayOf(groups.map(({ code }) => assets.get(code)!.id)), arrayOf(groups.map(({ first }) => first)), arrayOf(groups.map(({ last }) => last)), arrayOf(limits)],
  );
  const ofGroups: ObservationRow[][] = groups.map(() => []);
  for (const row of rows) ofGroups[row.nth - 1]!.push(row);
  return groups.flatMap(({ code, places, first, last }, i) => {
    const near = ofGroups[i]!;
    if (near.filter(({ time }) => time >= first && time <= last).length === limits[i]) return places;
    const observations = near.map((row) => toObservation(code, row));
    const accepted = observations.filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
    const inRange = new Map(observations.map((observation) => [observation.businessTime, observation]));
    for (const place of places) {
      const { businessTime } = keys[place]!;
      const next = firstFrom(accepted, businessTime);
      const after = accepted[next]?.businessTime === businessTime ? next + 1 : next;
      found[place] = { ...found[place]!, at: inRange.get(businessTime), before: accepted[next - 1], after: accepted[after] };
    }
    return [];
  });
}

/** The place of the first observation that is not before `time`. */
function firstFrom(ascending: readonly Observation[], time: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]!.businessTime < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next accepted row of an asset in one direction. */
function nextAccepted(schema: string, where: string, order: "DESC" | "ASC"): string {
  return `(SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time ${where} AND quality = 0 ORDER BY business_time ${order} LIMIT 1)`;
}

/** The assets that have records, with the number of accepted ones. */
async function readAssets(query: Query, schema: string, { keys, counted }: Asked): Promise<ReadonlyMap<AssetCode, StoredAsset>> {
  const codes = [...new Set(keys.map(({ code }) => code))];
  const names = new Map(codes.map((code) => [toStored(code), code]));
  const uncounted = codes.filter((code) => !counted.has(code)).map(toStored);
  const rows = await query<{ id: number; code: string; n: number }>(
    `SELECT id, code, CASE WHEN code = ANY ($2::text::text[]) THEN (SELECT coalesce(sum(count), 0) FROM ${schema}.rollup WHERE asset = assets.id) ELSE 0 END::float8 AS n
FROM ${schema}.assets WHERE code = ANY ($1::text::text[]) AND version > 0`,
    [textArray([...names.keys()]), textArray(uncounted)],
  );
  return new Map(rows.map(({ id, code, n }) => {
    const name = names.get(code)!;
    return [name, { id, count: counted.get(name) ?? n }];
  }));
}
