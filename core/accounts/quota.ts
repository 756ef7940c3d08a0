import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import { dayNumber } from "../time/dates.ts";
import type { Zone } from "../time/zone.ts";

/** A day for which units are counted. */
export interface QuotaDay {
  readonly date: CalendarDate;
  readonly startsAt: UtcMillis;
  /** The start of the next quota day. */
  readonly resetAt: UtcMillis;
}

/** The quota day of `now`, from midnight to midnight in a time zone. */
export function quotaDayAt(zone: Zone, now: UtcMillis): QuotaDay {
  const date = zone.dateAt(now);
  const startsAt = zone.startOfDay(dayNumber(date));
  const resetAt = zone.startOfDay(dayNumber(date) + 1);
  return { date, startsAt, resetAt };
}

/** Whole seconds until the next quota day, at least 1. */
export function secondsToReset(day: QuotaDay, now: UtcMillis): number {
  return Math.max(1, Math.ceil((day.resetAt - now) / 1_000));
}
