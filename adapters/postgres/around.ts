import type { Neighbours } from "../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../core/mod.ts";
import { arrayOf } from "./batch_columns.ts";
import type { Query } from "./connection.ts";
import { observationColumns, toObservation } from "./observation_rows.ts";
import type { ObservationRow } from "./observation_rows.ts";
import { textArray, toStored } from "./text.ts";

type Which = "at" | "before" | "after";

/** A key, and its place among those that were asked for. */
interface Asked extends ObservationKey {
  readonly place: number;
}

interface StoredAsset {
  readonly id: number;
  readonly count: number;
}

/** The keys of one asset that has records, by their places, and their earliest and latest time. */
interface Group {
  readonly code: AssetCode;
  readonly asset: StoredAsset;
  readonly places: number[];
  first: UtcMillis;
  last: UtcMillis;
}

/** What was asked for, and what was found of it so far. */
interface Search {
  readonly keys: readonly ObservationKey[];
  readonly found: Neighbours[];
}

/** Rows that are read of a range besides two for each key. */
const SPARE_ROWS = 100;

/**
 * Reads what there is at the business times of `keys`, and next to them, in one state.
 *
 * @param counted Assets whose number of records is known already: it is given from there, and not counted again.
 */
export async function readAround(query: Query, schema: string, keys: readonly ObservationKey[], counted: ReadonlyMap<AssetCode, number>): Promise<readonly Neighbours[]> {
  const codes = [...new Set(keys.map(({ code }) => code))];
  const assets = await readAssets(query, schema, codes, counted);
  // Most keys of an import have nothing around them, or the same: they share it.
  const nothing = new Map(codes.map((code) => [code, { at: undefined, before: undefined, after: undefined, count: assets.get(code)?.count ?? 0 }]));
  const found: Neighbours[] = keys.map(({ code }) => nothing.get(code)!);
  // Most imports begin with assets without records, of which nothing has to be looked up.
  const groups = groupsOf(keys, assets);
  if (groups.length === 0) return found;
  const left = await readRanges(query, schema, groups, { keys, found });
  if (left.length > 0) await readEach(query, schema, left, { assets, found });
  return found;
}

function groupsOf(keys: readonly ObservationKey[], assets: ReadonlyMap<AssetCode, StoredAsset>): readonly Group[] {
  const groups = new Map<AssetCode, Group>();
  keys.forEach(({ code, businessTime }, place) => {
    const group = groups.get(code);
    if (group) {
      group.places.push(place);
      if (businessTime < group.first) group.first = businessTime;
      if (businessTime > group.last) group.last = businessTime;
    } else if (assets.has(code)) groups.set(code, { code, asset: assets.get(code)!, places: [place], first: businessTime, last: businessTime });
  });
  return [...groups.values()];
}

/**
 * Looks keys up by one range of each asset, from its first key to its last: an import mostly brings records that follow each
 * other. Returns the keys between which there are many more rows, and which were not found for that reason.
 */
async function readRanges(query: Query, schema: string, groups: readonly Group[], search: Search): Promise<readonly Asked[]> {
  const limits = groups.map(({ places }) => 2 * places.length + SPARE_ROWS);
  const rows = await query<ObservationRow & { nth: number }>(
    `SELECT nth::int AS nth, ${observationColumns("held")}
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::int[]) WITH ORDINALITY AS asked (asset, first, last, most, nth), LATERAL (
  ${nextAccepted(schema, "< asked.first", "DESC")}
  UNION ALL (SELECT * FROM ${schema}.observations WHERE asset = asked.asset AND business_time BETWEEN asked.first AND asked.last ORDER BY business_time LIMIT asked.most)
  UNION ALL ${nextAccepted(schema, "> asked.last", "ASC")}
) AS held`,
    [arrayOf(groups.map(({ asset }) => asset.id)), arrayOf(groups.map(({ first }) => first)), arrayOf(groups.map(({ last }) => last)), arrayOf(limits)],
  );
  const ofGroups: ObservationRow[][] = groups.map(() => []);
  for (const row of rows) ofGroups[row.nth - 1]!.push(row);
  return groups.flatMap((group, i) => matchRows(group, ofGroups[i]!, limits[i]!, search));
}

/** Finds the neighbours of keys among rows, which ascend. Returns the keys about which a cut range says nothing. */
function matchRows(group: Group, rows: readonly ObservationRow[], most: number, { keys, found }: Search): readonly Asked[] {
  const { code, asset: { count }, places, first, last } = group;
  const within = rows.filter(({ time }) => time >= first && time <= last);
  if (within.length === 0) {
    const [before, after] = [rows.find(({ time }) => time < first), rows.find(({ time }) => time > last)];
    const shared = { at: undefined, before: before && toObservation(code, before), after: after && toObservation(code, after), count };
    for (const place of places) found[place] = shared;
    return [];
  }
  const isCut = within.length === most;
  const known = isCut ? rows.filter(({ time }) => time <= last) : rows;
  const accepted = known.filter(({ quality }) => quality === 0);
  const left: Asked[] = [];
  const observations = new Map<ObservationRow, Observation>();
  let [at, next] = [0, 0];

  /** Of a row, which may be next to many keys. */
  function observationOf(row: ObservationRow | undefined): Observation | undefined {
    let observation = row && observations.get(row);
    if (row && !observation) observations.set(row, (observation = toObservation(code, row)));
    return observation;
  }

  for (const place of places.sort((a, b) => keys[a]!.businessTime - keys[b]!.businessTime)) {
    const { businessTime } = keys[place]!;
    while (at < known.length && known[at]!.time < businessTime) at++;
    while (next < accepted.length && accepted[next]!.time <= businessTime) next++;
    if (isCut && next === accepted.length) {
      left.push({ code, businessTime, place });
      continue;
    }
    const same = known[at]?.time === businessTime ? known[at] : undefined;
    const before = accepted[next - 1]?.time === businessTime ? accepted[next - 2] : accepted[next - 1];
    found[place] = { at: observationOf(same), before: observationOf(before), after: observationOf(accepted[next]), count };
  }
  return left;
}

/** Looks keys up one by one. */
async function readEach(query: Query, schema: string, keys: readonly Asked[], { assets, found }: { readonly assets: ReadonlyMap<AssetCode, StoredAsset>; readonly found: Neighbours[] }): Promise<void> {
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
    found[place] = { ...found[place]!, [which]: toObservation(code, row) };
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
