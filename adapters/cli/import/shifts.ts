import { NEAR_MS, isFar } from "../../../core/internal.ts";
import type { FoundJump, SeriesStore } from "../../../core/internal.ts";
import type { AssetCode, UtcMillis } from "../../../core/mod.ts";

/** Records of an asset that lie on another level: after a jump, and before one that leads back. */
export interface Shift {
  readonly code: AssetCode;
  /** How many they are. */
  readonly records: number;
  /** How many records of the asset the import writes. */
  readonly of: number;
  /** Whether they are the last ones: no jump leads back. */
  readonly isLast: boolean;
  /** Business time of the first of them. */
  readonly since: UtcMillis;
}

/**
 * The share of an asset's records above which those on another level are doubtful although jumps lead back: an archive
 * of real prices has one asset with 5 % of them, in many short runs.
 */
const DOUBTFUL_SHARE = 0.1;
/** So few records on another level are single errors, also in a short import. */
const FEW_RECORDS = 3;

/** Whether a shift stops an import. At the end, one record is enough: it would be the price that is served. */
export function isDoubtfulShift({ records, of, isLast }: Shift): boolean {
  return isLast || records > Math.max(FEW_RECORDS, DOUBTFUL_SHARE * of);
}

/**
 * Counts the records on another level, for each asset that has any. Costs a step for each of them, none for the others.
 *
 * @param own What the import writes, and how many records of each asset.
 * @param isEnd Whether nothing comes after; else the last few records may still be a single error.
 */
export function findShifts(jumps: readonly FoundJump[], { own, counts, isEnd }: { readonly own: Pick<SeriesStore, "around" | "find">; readonly counts: ReadonlyMap<AssetCode, number>; readonly isEnd: boolean }): Shift[] {
  const shifts = new Map<AssetCode, Shift & { readonly end: number }>();
  for (const { code, earlier, later } of jumps.toSorted((a, b) => a.later.businessTime - b.later.businessTime)) {
    const known = shifts.get(code);
    if (known && later.businessTime <= known.end) continue;
    let record = own.find(code, later.businessTime);
    let [records, end, isLast] = [0, later.businessTime, false];
    while (record && isFar(earlier.value, record.value)) {
      records++;
      const next = own.around(code, record.businessTime).after;
      isLast = next === undefined && (isEnd || records > FEW_RECORDS);
      end = next?.businessTime ?? record.businessTime;
      // After a long gap, another level is no error.
      record = next && next.businessTime - record.businessTime <= NEAR_MS ? next : undefined;
    }
    if (records === 0) continue;
    const since = isLast || !known ? later.businessTime : known.since;
    shifts.set(code, { code, records: records + (known?.records ?? 0), of: counts.get(code) ?? 0, isLast, since, end });
  }
  return [...shifts.values()].map(({ code, records, of, isLast, since }) => ({ code, records, of, isLast, since }));
}
