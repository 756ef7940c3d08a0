import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";

/** The trading hours of the rial market, learned from business times of its prices. There is no table of holidays. */
export interface MarketHours {
  /** `since`: the first refresh after the last gap of over 12 hours. `newest`: the newest business time. */
  readonly since: UtcMillis | null;
  readonly newest: UtcMillis | null;
  /** For each half hour of the week: the number of the last market day on which a price moved in this half hour. */
  readonly movedOn: readonly number[];
}

const [HALF_MS, HALVES_A_DAY, HALVES] = [30 * MINUTE_MS, 48, 7 * 48];
/** The learned hours are used after a week without a gap, and kept for three weeks: holidays may last two weeks. */
const [LEARNING_MS, GAP_MS, REMEMBERED_DAYS] = [7 * DAY_MS, 12 * HOUR_MS, 21];
/** If two successive business times are closer than this, the market was open between them. */
const SAME_SESSION_MS = 2 * HOUR_MS;
/** If the market seems open for this share of the week, its hours are unknown: refreshes probably missed moves. */
const NEARLY_ALWAYS = 0.75;
/** As multiples of `evenMs`: the refresh interval while the market is closed, and the shortest one while it is open. */
const [CLOSED, SHORTEST] = [2.3, 0.25];

/** The market hours before the first refresh, when none are known. */
export const NO_HOURS: MarketHours = { since: null, newest: null, movedOn: new Array<number>(HALVES).fill(0) };

/** The index of a half hour, counted from 1970 by market days; `midnight` is a market midnight near the time. */
function halfHourOf(time: number, midnight: UtcMillis): number {
  return Math.round(midnight / DAY_MS) * HALVES_A_DAY + Math.floor((time - midnight) / HALF_MS);
}

/** Adds a refresh. `movedTo`: newest business time of changed rial prices; `gapMs`: time since the last refresh. */
export function withMove(
  hours: MarketHours,
  { movedTo, gapMs, midnight }: Readonly<{ movedTo: UtcMillis | null; gapMs: number; midnight: UtcMillis }>,
  now: UtcMillis,
): MarketHours {
  const since = hours.since === null || gapMs > GAP_MS ? now : hours.since;
  const newest = hours.newest ?? (0 as UtcMillis);
  if (movedTo === null || movedTo <= newest) return { ...hours, since };
  const movedOn = [...hours.movedOn];
  const last = halfHourOf(movedTo, midnight);
  const first = movedTo - newest < SAME_SESSION_MS ? halfHourOf(newest, midnight) : last;
  for (let half = first; half <= last; half++) movedOn[half % HALVES] = Math.floor(half / HALVES_A_DAY);
  return { since, newest: movedTo, movedOn };
}

/**
 * The pace of refreshes: faster in the learned market hours, and slower outside them. A day has at most as many
 * refreshes as if one came every `evenMs`. `midnight`: the market's next midnight.
 */
export function paceOf(
  { since, movedOn }: MarketHours,
  { evenMs, midnight }: Readonly<{ evenMs: number; midnight: UtcMillis }>,
  now: UtcMillis,
) {
  const today = Math.floor(halfHourOf(now, midnight) / HALVES_A_DAY);
  const learned = movedOn.map((day) => today - day <= REMEMBERED_DAYS);
  const moved = learned.filter(Boolean).length / HALVES;
  const isLearned = since !== null && now - since >= LEARNING_MS && moved > 0 && moved < NEARLY_ALWAYS;
  const share = isLearned ? moved : 1;
  const openMs = Math.max(1_000, evenMs * Math.max(SHORTEST, share / (1 - (1 - share) / CLOSED)));
  const closedMs = isLearned ? CLOSED * evenMs : openMs;
  const isOpen = (time: number) => !isLearned || learned[halfHourOf(time, midnight) % HALVES];
  const msAt = (time: number): number => (isOpen(time) ? openMs : closedMs);

  /** Counts refreshes from one time to another, up to `most`. Returns their number, and when counting ended. */
  function walk(from: number, to: number, most: number): Readonly<Record<"sum" | "time", number>> {
    let [sum, time] = [0, from];
    while (time < to && sum < most) {
      const ms = msAt(time);
      const half = midnight + (Math.floor((time - midnight) / HALF_MS) + 1) * HALF_MS;
      const next = Math.min(to, half, Math.max(time + 1, Math.ceil(time + (most - sum) * ms)));
      sum += (next - time) / ms;
      time = next;
    }
    return { sum, time };
  }

  return {
    ...{ openMs, closedMs, msAt },
    dueAfter: (time: number): number => walk(time, Infinity, 1).time,
    between: (from: number, to: number): number => walk(from, to, Infinity).sum,
  };
}
