import { DAY_MS } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";

/** Counts of a UTC day: requests that may have cost units, refreshes, refusals, the longest time between refreshes. */
export type MirrorDay = Readonly<Record<"day" | "units" | "refreshes" | "refusals" | "longestGapMs", number>>;

const KEPT_DAYS = 100;
const NOTHING = { units: 0, refreshes: 0, refusals: 0, longestGapMs: 0 };

/** Adds the counts of an event to the current day; returns all days. */
export function withEvent(
  days: readonly MirrorDay[],
  event: Partial<Omit<MirrorDay, "day">>,
  now: UtcMillis,
): readonly MirrorDay[] {
  const day = Math.floor(now / DAY_MS);
  const known = days.find((one) => one.day === day) ?? NOTHING;
  const added = { ...NOTHING, ...event };
  const today = {
    day,
    units: known.units + added.units,
    refreshes: known.refreshes + added.refreshes,
    refusals: known.refusals + added.refusals,
    longestGapMs: Math.max(known.longestGapMs, added.longestGapMs),
  };
  return [...days.filter((one) => one.day !== day && one.day > day - KEPT_DAYS), today];
}
