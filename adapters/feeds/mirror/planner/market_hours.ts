import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";

/** When the rial market trades, learned from the business times of its prices. There is no table of holidays. */
export interface MarketHours {
  /** Since when refreshes have watched it, but for a gap of a day, and the newest business time. */
  readonly since: UtcMillis | null;
  readonly newest: UtcMillis | null;
  /** For each half hour of the week, the market day on which a price last moved in it, as a day number. */
  readonly movedOn: readonly number[];
}

const [HALF_MS, HALVES_A_DAY, HALVES] = [30 * MINUTE_MS, 48, 7 * 48];
/** A week is watched before it is used. Three weeks are remembered, as holidays may last for two. */
const [LEARNING_MS, REMEMBERED_DAYS] = [7 * DAY_MS, 21];
/** Between business times that are less apart, the market has traded. */
const SAME_SESSION_MS = 2 * HOUR_MS;
/** How much longer the interval is while the market is closed, and the most of the units that go into refreshes on its longest day. */
const [CLOSED_RATIO, LONGEST_DAY_SHARE] = [4.5, 0.9];

/** The hours of a market that was not watched yet. */
export const NO_HOURS: MarketHours = { since: null, newest: null, movedOn: new Array<number>(HALVES).fill(0) };

/** The number of a half hour since the market's first day; `midnight` is one of the market near it. */
function halfHourOf(time: number, midnight: UtcMillis): number {
  return Math.round(midnight / DAY_MS) * HALVES_A_DAY + Math.floor((time - midnight) / HALF_MS);
}

/** The hours after a refresh. `movedTo` is the newest business time of rial prices that came with it, if any; `lastRefresh` the time of the one before. */
export function withMove(
  hours: MarketHours,
  {
    movedTo,
    lastRefresh,
    midnight,
  }: Readonly<Record<"movedTo" | "lastRefresh", UtcMillis | null>> & {
    readonly midnight: UtcMillis;
  },
  now: UtcMillis,
): MarketHours {
  const since = hours.since === null || now - (lastRefresh ?? 0) > DAY_MS ? now : hours.since;
  const newest = hours.newest ?? (0 as UtcMillis);
  if (movedTo === null || movedTo <= newest) return { ...hours, since };
  const movedOn = [...hours.movedOn];
  const last = halfHourOf(movedTo, midnight);
  const first = movedTo - newest < SAME_SESSION_MS ? halfHourOf(newest, midnight) : last;
  for (let half = first; half <= last; half++) movedOn[half % HALVES] = Math.floor(half / HALVES_A_DAY);
  return { since, newest: movedTo, movedOn };
}

/** How often refreshes come, where `evenMs` apart they would take their share of the units; `midnight` is the market's next one. */
export function paceOf(
  { since, movedOn }: MarketHours,
  { evenMs, unitsADay, midnight }: Readonly<{ evenMs: number; unitsADay: number; midnight: UtcMillis }>,
  now: UtcMillis,
) {
  const today = Math.floor(halfHourOf(now, midnight) / HALVES_A_DAY);
  const learned = movedOn.map((day) => today - day <= REMEMBERED_DAYS);
  const isLearned = since !== null && now - since >= LEARNING_MS && learned.includes(true);
  const open = isLearned ? learned : learned.map(() => true);
  const openOf = (from: number, count: number) => open.slice(from, from + count).filter(Boolean).length / count;
  const weight = (share: number) => share + (1 - share) / CLOSED_RATIO;
  const longest = Math.max(...Array.from({ length: 7 }, (_, day) => openOf(day * HALVES_A_DAY, HALVES_A_DAY)));
  const mostADay = Math.max(1, LONGEST_DAY_SHARE * unitsADay);
  const openMs = Math.max(evenMs * weight(openOf(0, HALVES)), (DAY_MS * weight(longest)) / mostADay);
  const msAt = (time: number): number =>
    open[halfHourOf(time, midnight) % HALVES] ? openMs : Math.max(1_000, CLOSED_RATIO * openMs);

  /** From `from`, the time at which the sum of refreshes is `count`, or their sum at `end`. */
  function walk(from: number, count: number, end: number): readonly [time: number, sum: number] {
    let sum = 0;
    for (let time = from; time < end; ) {
      const [ms, next] = [msAt(time), Math.min(end, nextHalf(time))];
      if (sum + (next - time) / ms >= count) return [Math.ceil(time + (count - sum) * ms), count];
      sum += (next - time) / ms;
      time = next;
    }
    return [end, sum];
  }
  function nextHalf(time: number): number {
    return midnight + (Math.floor((time - midnight) / HALF_MS) + 1) * HALF_MS;
  }

  return {
    msAt,
    /** When the next refresh is due after one, and how many are due between two times. */
    dueAfter: (time: number): number => walk(time, 1, Infinity)[0],
    between: (from: number, to: number): number => walk(from, Infinity, to)[1],
  };
}
