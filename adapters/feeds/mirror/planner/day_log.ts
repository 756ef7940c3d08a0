import { DAY_MS } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";

/** What a mirror did on a day in UTC, counted from 1970: requests that may have cost units, refreshes that were stored, refusals for lack of units, and the longest time that a refresh came after the one before. */
export type MirrorDay = Readonly<Record<"day" | "units" | "refreshes" | "refusals" | "longestGapMs", number>>;

const KEPT_DAYS = 100;
const NOTHING = { units: 0, refreshes: 0, refusals: 0, longestGapMs: 0 };

/** The days with what has happened now. */
export function withEvent(
  days: readonly MirrorDay[],
  { longestGapMs = 0, ...counts }: Partial<Omit<MirrorDay, "day">>,
  now: UtcMillis,
): readonly MirrorDay[] {
  const day = Math.floor(now / DAY_MS);
  const known = days.find((one) => one.day === day) ?? { ...NOTHING, day };
  const changed = {
    day,
    units: known.units + (counts.units ?? 0),
    refreshes: known.refreshes + (counts.refreshes ?? 0),
    refusals: known.refusals + (counts.refusals ?? 0),
    longestGapMs: Math.max(known.longestGapMs, longestGapMs),
  };
  return [...days.filter((one) => one.day !== day && one.day > day - KEPT_DAYS), changed];
}
