import { isPending, type Neighbours, rowFrom } from "../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../../core/mod.ts";
import { assetIds } from "./asset_locks.ts";
import { codesOf } from "./batch_columns.ts";
import type { Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { RECORD, type RecordRow, toObservation } from "./observation_rows.ts";

/** Keys of one asset that are looked up together: their indexes in `keys`, and their earliest and latest time. */
interface Group {
  readonly code: AssetCode;
  readonly asset: number;
  readonly places: readonly number[];
  readonly first: UtcMillis;
  readonly last: UtcMillis;
}

/** How many rows of a range are read, in addition to two for each key. */
const SPARE_ROWS = 100;

/** Reads the records at the business times of `keys` and the records next to them, all in one state of the data. */
export async function readAround(query: Query, keys: readonly ObservationKey[]): Promise<readonly Neighbours[]> {
  const assets = await assetIds(query, codesOf(keys));
  const found = keys.map((): Neighbours => ({ at: undefined, before: undefined, after: undefined }));
  const groupOf = (code: AssetCode, places: readonly number[]): Group => {
    const times = places.map((place) => keys[place]!.businessTime);
    return {
      code,
      asset: assets.get(code)!,
      places,
      first: times.reduce((a, b) => Math.min(a, b) as UtcMillis),
      last: times.reduce((a, b) => Math.max(a, b) as UtcMillis),
    };
  };
  const places = new Map<AssetCode, number[]>([...assets.keys()].map((code) => [code, []]));
  keys.forEach(({ code }, place) => places.get(code)?.push(place));
  // Imported records are mostly close together, so one range of each asset usually contains them all.
  let groups = [...places].map(([code, all]) => groupOf(code, all));
  while (groups.length > 0) {
    const ranges = await readRanges(query, groups);
    groups = groups.flatMap(({ code, places, first, last }, i) => {
      const rows = ranges[i]!.map((row) => toObservation(code, row));
      const near = rows.filter((one) => !isPending(one));
      const pending = new Map<UtcMillis, (Observation & { readonly source: string })[]>();
      for (const [row, one] of rows.entries()) {
        if (!isPending(one)) continue;
        const source = fromStored(ranges[i]![row]!.source);
        pending.set(one.businessTime, [...(pending.get(one.businessTime) ?? []), { ...one, source }]);
      }
      const isInRange = ({ businessTime }: Observation): boolean => businessTime >= first && businessTime <= last;
      const inRange = new Map(near.filter(isInRange).map((one) => [one.businessTime, one]));
      // If there are many rows between the first and the last key, the rows around each key are read on their own.
      if (places.length > 1 && inRange.size === mostRows(places)) return places.map((place) => groupOf(code, [place]));
      const accepted = near.filter(({ qualityStatus }) => qualityStatus === "ACCEPTED");
      const times = accepted.map(({ businessTime }) => businessTime);
      for (const place of places) {
        const { businessTime } = keys[place]!;
        const next = rowFrom(times, businessTime);
        const after = accepted[next]?.businessTime === businessTime ? next + 1 : next;
        const waiting = pending.get(businessTime);
        found[place] = {
          at: inRange.get(businessTime),
          ...(waiting && { pending: waiting }),
          before: accepted[next - 1],
          after: accepted[after],
        };
      }
      return [];
    });
  }
  return found;
}

function mostRows(places: readonly number[]): number {
  return 2 * places.length + SPARE_ROWS;
}

/** Reads the range of each group up to a limit, and the accepted rows before and after it. */
async function readRanges(query: Query, groups: readonly Group[]): Promise<readonly (readonly RecordRow[])[]> {
  const next = (where: string, order: "DESC" | "ASC"): string =>
    `(SELECT * FROM mazaneh.observations WHERE asset = asked.asset AND business_time ${where} AND quality = 0 ORDER BY business_time ${order} LIMIT 1)`;
  const rows = await query<RecordRow & { nth: number }>(
    `SELECT nth, ${RECORD}
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::int[]) WITH ORDINALITY AS asked (asset, first, last, most, nth), LATERAL (
  ${next("< asked.first", "DESC")}
  UNION ALL (SELECT * FROM mazaneh.observations WHERE asset = asked.asset AND business_time BETWEEN asked.first AND asked.last ORDER BY business_time LIMIT asked.most)
  UNION ALL ${next("> asked.last", "ASC")}
  UNION ALL (SELECT * FROM mazaneh.pending WHERE asset = asked.asset AND business_time BETWEEN asked.first AND asked.last ORDER BY business_time, source)
) AS held`,
    [
      groups.map(({ asset }) => asset),
      groups.map(({ first }) => first),
      groups.map(({ last }) => last),
      groups.map(({ places }) => mostRows(places)),
    ],
  );
  const ofGroups: RecordRow[][] = groups.map(() => []);
  for (const row of rows) ofGroups[row.nth - 1]!.push(row);
  return ofGroups;
}
