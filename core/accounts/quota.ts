import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import type { Received } from "../received_request.ts";
import { dayNumber } from "../time/dates.ts";
import type { Zone } from "../time/zone.ts";
import type { Plan } from "./accounts.ts";

/** A day for which units are counted. */
export interface QuotaDay {
  readonly date: CalendarDate;
  readonly startsAt: UtcMillis;
  /** The start of the next quota day. */
  readonly resetAt: UtcMillis;
  readonly lengthSeconds: number;
}

/** The quota day of `now`, from midnight to midnight in a time zone. */
export function quotaDayAt(zone: Zone, now: UtcMillis): QuotaDay {
  const date = zone.dateAt(now);
  const startsAt = zone.startOfDay(dayNumber(date));
  const resetAt = zone.startOfDay(dayNumber(date) + 1);
  return { date, startsAt, resetAt, lengthSeconds: (resetAt - startsAt) / 1_000 };
}

/** Whole seconds until the next quota day, at least 1. */
export function secondsToReset(day: QuotaDay, now: UtcMillis): number {
  return Math.max(1, Math.ceil((day.resetAt - now) / 1_000));
}

/**
 * Makes the function that adds the quota fields to the header fields of an answer, if the request was charged and its
 * plan has a limit. The IETF draft defines the first two fields; the others are in common use.
 */
export function createQuotaFields(dayOf: (now: UtcMillis) => QuotaDay) {
  /** The values that stay the same during a quota day, by plan. */
  const ofDay = new WeakMap<Plan, Readonly<Record<"policy" | "limit" | "reset", string> & { day: QuotaDay }>>();

  return (fields: string[], { caller, used, now }: Received): void => {
    if (!caller || used === undefined || caller.plan.dailyUnits === null) return;
    const { dailyUnits } = caller.plan;
    const day = dayOf(now);
    let today = ofDay.get(caller.plan);
    if (today?.day !== day) {
      const policy = `"daily";q=${dailyUnits};w=${day.lengthSeconds}`;
      today = { day, policy, limit: String(dailyUnits), reset: String(Math.ceil(day.resetAt / 1_000)) };
      ofDay.set(caller.plan, today);
    }
    const remaining = String(Math.max(0, dailyUnits - used));
    const rate = `"daily";r=${remaining};t=${secondsToReset(day, now)}`;
    fields.push("RateLimit-Policy", today.policy, "RateLimit", rate, "X-RateLimit-Limit", today.limit);
    fields.push("X-RateLimit-Remaining", remaining, "X-RateLimit-Reset", today.reset);
  };
}
