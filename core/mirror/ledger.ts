import type { UtcMillis } from "../brand.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/**
 * The units that a mirror has spent, counted by the days of the upstream's clock in UTC. All times here are of that clock.
 * The day never goes back: while the clock is set back to an earlier day, of which the ledger knows nothing, no unit is left.
 */
export interface Ledger {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Units spent on that day, the ones of requests that are under way included. */
  readonly used: number;
  /** When the last one was spent. */
  readonly takenAt: UtcMillis;
  /** How many of the latest have not been answered: the upstream may have counted them, or may do so yet. */
  readonly unanswered: number;
  /** What the upstream has last told of the units that are left, less those that were spent since. */
  readonly told: ToldUnits | null;
  /** Until when the upstream wants no requests, as it has answered with 429. */
  readonly restUntil: UtcMillis | null;
}

/** Units that are left to a key until a time. */
export interface ToldUnits {
  readonly remaining: number;
  readonly until: UtcMillis;
}

/** What the header fields of an answer tell of the quota. */
export interface QuotaTold {
  /** Units a day; `undefined` where it does not say. */
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly resetsAt: UtcMillis;
}

/** The ledger of a mirror that has not spent any unit. */
export const NEW_LEDGER: Ledger = { day: 0, used: 0, takenAt: 0 as UtcMillis, unanswered: 0, told: null, restUntil: null };

/** A time that is further ahead comes from a clock that was wrong: it is passed over. */
const MAX_AHEAD_MS = 2 * DAY_MS;
const SAME_TIME_MS = 2_000;
/** After this time, what an upstream tells includes a request that it has not answered, if it ever got it. */
const SETTLED_MS = 10 * MINUTE_MS;

/** The day for which a unit counts that is spent now. */
export function ledgerDay({ day }: Ledger, now: UtcMillis): number {
  return Math.max(day, Math.floor(now / DAY_MS));
}

/** When the day ends for which units count now. */
export function endOfDay(ledger: Ledger, now: UtcMillis): UtcMillis {
  return ((ledgerDay(ledger, now) + 1) * DAY_MS) as UtcMillis;
}

/** How many units may still be spent on the day of `now`: none on a day before the ledger's. */
export function unitsLeft(ledger: Ledger, unitsADay: number, now: UtcMillis): number {
  if (now < ledger.day * DAY_MS) return 0;
  const own = unitsADay - usedOn(ledger, now);
  return Math.max(0, Math.min(own, toldNow(ledger, now)?.remaining ?? Infinity));
}

/** When units may be spent again, if none is left now. */
export function nextUnitsAt(ledger: Ledger, unitsADay: number, now: UtcMillis): UtcMillis {
  const told = toldNow(ledger, now);
  const own = usedOn(ledger, now) >= unitsADay ? endOfDay(ledger, now) : ledger.day * DAY_MS;
  return Math.max(own, told?.remaining === 0 ? told.until : 0) as UtcMillis;
}

/** Units spent on the day of `now`. */
export function usedOn(ledger: Ledger, now: UtcMillis): number {
  return ledgerDay(ledger, now) === ledger.day ? ledger.used : 0;
}

/** The ledger with one more unit, for a request that is made next. */
export function takeUnit(ledger: Ledger, now: UtcMillis): Ledger {
  const day = ledgerDay(ledger, now);
  const told = toldNow(ledger, now);
  return {
    day,
    used: usedOn(ledger, now) + 1,
    takenAt: now,
    unanswered: (now - ledger.takenAt > SETTLED_MS ? 0 : ledger.unanswered) + 1,
    told: told ? { ...told, remaining: Math.max(0, told.remaining - 1) } : null,
    restUntil: ledger.restUntil,
  };
}

/** Notes that the last request was answered. */
export function answered(ledger: Ledger): Ledger {
  return { ...ledger, unanswered: Math.max(0, ledger.unanswered - 1) };
}

/**
 * Takes over what an answer tells. Where the upstream has counted less than the ledger, for the same day, the ledger follows,
 * but for the requests without an answer. What else is spent on the key counts in `told` only.
 */
export function correctBy(ledger: Ledger, { limit, remaining, resetsAt }: QuotaTold, now: UtcMillis): Ledger {
  if (resetsAt <= now || resetsAt - now > MAX_AHEAD_MS) return ledger;
  const told = { remaining: Math.max(0, remaining - ledger.unanswered), until: resetsAt };
  const isSameDay = Math.abs(resetsAt - (ledger.day + 1) * DAY_MS) <= SAME_TIME_MS;
  const used = isSameDay && limit !== undefined ? Math.min(ledger.used, Math.max(0, limit - remaining) + ledger.unanswered) : ledger.used;
  return { ...ledger, used, told };
}

/** The units a day of the key's plan, as an answer tells them; `undefined` where it does not, or not of a day in UTC. */
export function planLimit({ limit, resetsAt }: QuotaTold): number | undefined {
  const pastMidnight = (resetsAt + SAME_TIME_MS) % DAY_MS;
  return limit !== undefined && limit > 0 && pastMidnight <= 2 * SAME_TIME_MS ? limit : undefined;
}

/** Notes an answer with 429: no requests until `retryAfterMs` have passed or, where the upstream names no time, until the next day. */
export function restAfter(ledger: Ledger, retryAfterMs: number | undefined, now: UtcMillis): Ledger {
  const until = retryAfterMs === undefined ? endOfDay(ledger, now) : now + Math.min(Math.max(retryAfterMs, 1_000), DAY_MS);
  return { ...ledger, restUntil: until as UtcMillis };
}

/** Until when no requests are made; `undefined` where they may be made now. */
export function restsUntil({ restUntil }: Ledger, now: UtcMillis): UtcMillis | undefined {
  return restUntil !== null && now < restUntil && restUntil - now <= MAX_AHEAD_MS ? restUntil : undefined;
}

/** What the upstream has told of the units that are left now. */
export function toldNow({ told }: Ledger, now: UtcMillis): ToldUnits | undefined {
  return told && now < told.until && told.until - now <= MAX_AHEAD_MS ? told : undefined;
}
