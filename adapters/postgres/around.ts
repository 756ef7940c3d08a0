import type { Surroundings } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey } from "../../core/mod.ts";
import { arrayOf } from "./batch_columns.ts";
import type { Query } from "./connection.ts";
import { observationColumns, toObservation } from "./observation_rows.ts";
import type { ObservationRow } from "./observation_rows.ts";
import { textArray, toStored } from "./text.ts";

type Which = "at" | "before" | "after";
type Found = { -readonly [Name in keyof Surroundings]: Surroundings[Name] };

/** A key, and its place among those that were asked for. */
interface Asked extends ObservationKey {
  readonly place: number;
}

interface StoredAsset {
  readonly id: number;
  readonly count: number;
}

/** The keys of one asset, ascending by time. */
interface Group {
  readonly asset: StoredAsset;
  readonly keys: readonly Asked[];
}

/** Rows that are read of a range besides two for each key. */
const SPARE_ROWS = 100;

/**
 * Reads what there is at the business times of `keys`, and next to them, in one state.
 *
 * @param counted Assets whose number of records is known already: it is given from there, and not counted again.
 */
export async function readAround(query: Query, schema: string, keys: readonly ObservationKey[], counted: ReadonlyMap<AssetCode, number>): Promise<readonly Surroundings[]> {
  const codes = [...new Set(keys.map(({ code }) => code))];
  const assets = await readAssets(query, schema, codes, counted);
  const found = keys.map(({ code }): Found => ({ at: undefined, before: undefined, after: undefined, count: assets.get(code)?.count ?? 0 }));
  // Most imports begin with assets without records, of which nothing has to be looked up.
  const groups = groupsOf(keys, assets);
  if (groups.length === 0) return found;
  const left = await readRanges(query, schema, groups, found);
  if (left.length > 0) await readEach(query, schema, left, { assets, found });
  return found;
}

function groupsOf(keys: readonly ObservationKey[], assets: ReadonlyMap<AssetCode, StoredAsset>): readonly Group[] {
  const groups = new Map<AssetCode, Asked[]>();
  keys.forEach(({ code, businessTime }, place) => {
    const group = groups.get(code);
    if (group) group.push({ code, businessTime, place });
    else if (assets.has(code)) groups.set(code, [{ code, businessTime, place }]);
  });
  return [...groups].map(([code, group]) => ({ asset: assets.get(code)!, keys: group.sort((a, b) => a.businessTime - b.businessTime) }));
}

/**
 * Looks keys up by one range of each asset, from its first key to its last: an import mostly brings records that follow each
 * other. Returns the keys between which there are many more rows, and which were not found for that reason.
 */
async function readRanges(query: Query, schema: string, groups: readonly Group[], found: readonly Found[]): Promise<readonly Asked[]> {
  const limits = groups.map(({ keys }) => 2 * keys.length + SPARE_ROWS);
  const rows = await query<ObservationRow & { nth: number }>(
    `SELECT nth::int AS nth, ${observationColumns("held")}
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::int[]) WITH ORDINALITY AS asked (asset, first, last, most, nth), LATERAL (
  ${nextAccepted(schema, "< asked.first", "DESC")}
  UNION ALL (SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time BETWEEN asked.first AND asked.last ORDER BY business_time LIMIT asked.most)
  UNION ALL ${nextAccepted(schema, "> asked.last", "ASC")}
) AS held`,
    [arrayOf(groups.map(({ asset }) => asset.id)), arrayOf(groups.map(({ keys }) => keys[0]!.businessTime)), arrayOf(groups.map(({ keys }) => keys.at(-1)!.businessTime)), arrayOf(limits)],
  );
  const ofGroups: ObservationRow[][] = groups.map(() => []);
  for (const { nth, ...row } of rows) ofGroups[nth - 1]!.push(row);
  return groups.flatMap(({ keys }, i) => matchRows(keys, ofGroups[i]!, { most: limits[i]!, found }));
}

/** Finds the neighbours of keys among rows, both ascending. Returns the keys about which a cut range says nothing. */
function matchRows(keys: readonly Asked[], rows: readonly ObservationRow[], { most, found }: { readonly most: number; readonly found: readonly Found[] }): readonly Asked[] {
  const [first, last] = [keys[0]!.businessTime, keys.at(-1)!.businessTime];
  const within = rows.filter(({ time }) => time >= first && time <= last);
  const isCut = within.length === most;
  const known = isCut ? rows.filter(({ time }) => time <= last) : rows;
  const accepted = known.filter(({ quality }) => quality === 0);
  const left: Asked[] = [];
  // One row is next to many keys where an import goes on from what is there.
  const observations = new Map<ObservationRow, Observation>();
  let [at, next] = [0, 0];

  function observationOf(code: AssetCode, row: ObservationRow): Observation {
    let observation = observations.get(row);
    if (!observation) observations.set(row, (observation = toObservation(code, row)));
    return observation;
  }

  for (const key of keys) {
    const { code, businessTime, place } = key;
    while (at < known.length && known[at]!.time < businessTime) at++;
    while (next < accepted.length && accepted[next]!.time <= businessTime) next++;
    if (isCut && next === accepted.length) {
      left.push(key);
      continue;
    }
    const same = known[at]?.time === businessTime ? known[at] : undefined;
    const before = accepted[next - 1]?.time === businessTime ? accepted[next - 2] : accepted[next - 1];
    const after = accepted[next];
    const surroundings = found[place]!;
    if (same) surroundings.at = observationOf(code, same);
    if (before) surroundings.before = observationOf(code, before);
    if (after) surroundings.after = observationOf(code, after);
  }
  return left;
}

/** Looks keys up one by one. */
async function readEach(query: Query, schema: string, keys: readonly Asked[], { assets, found }: { readonly assets: ReadonlyMap<AssetCode, StoredAsset>; readonly found: readonly Found[] }): Promise<void> {
  const rows = await query<ObservationRow & { nth: number; which: Which }>(
    `SELECT nth::int AS nth, which, ${observationColumns("held")}
FROM unnest($1::text::int[], $2::text::bigint[]) WITH ORDINALITY AS asked (asset, time, nth), LATERAL (
  SELECT 'at' AS which, * FROM ${schema}.observations WHERE asset = asked.asset AND business_time = asked.time
  UNION ALL SELECT 'before', * FROM ${nextAccepted(schema, "< asked.time", "DESC")} AS earlier
  UNION ALL SELECT 'after', * FROM ${nextAccepted(schema, "> asked.time", "ASC")} AS later
) AS held`,
    [arrayOf(keys.map(({ code }) => assets.get(code)!.id)), arrayOf(keys.map(({ businessTime }) => businessTime))],
  );
  for (const { nth, which, ...row } of rows) {
    const { code, place } = keys[nth - 1]!;
    found[place]![which] = toObservation(code, row);
  }
}

/** The next accepted row of an asset in one direction. */
function nextAccepted(schema: string, where: string, order: "DESC" | "ASC"): string {
  return `(SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time ${where} AND quality = 0 ORDER BY business_time ${order} LIMIT 1)`;
}

/** The assets that have records, with the number of accepted ones. */
async function readAssets(query: Query, schema: string, codes: readonly AssetCode[], counted: ReadonlyMap<AssetCode, number>): Promise<ReadonlyMap<AssetCode, StoredAsset>> {
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
