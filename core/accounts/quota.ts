import type { CalendarDate, UtcMillis } from "../branded_types.ts";
import { type Failure, failure } from "../http/errors.ts";
import type { QuotaFields } from "../http/respond.ts";
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

/** Makes the function that returns the quota day of a given time. */
export function createQuotaCalendar(zone: Zone): (now: UtcMillis) => QuotaDay {
  // Nearly every request is on the same day as the previous request.
  let last: QuotaDay | undefined;
  return (now) => {
    if (!last || now < last.startsAt || now >= last.resetAt) last = quotaDayAt(zone, now);
    return last;
  };
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

/** The refusal of a request that exceeds the daily units. Source: contract, Errors 429. */
export function quotaExceeded(day: QuotaDay, now: UtcMillis): Failure {
  return failure("QUOTA_EXCEEDED", undefined, ["Retry-After", String(secondsToReset(day, now))]);
}

/** The values of a plan's quota fields that stay the same during a quota day. */
interface DayFields extends Pick<QuotaFields, "policy" | "limit" | "reset"> {
  readonly day: QuotaDay;
}

/** Makes the function that returns the quota header fields, or `undefined` for a plan without a limit. */
export function createQuotaFields() {
  const ofDay = new WeakMap<Plan, DayFields>();

  return (plan: Plan, used: number, day: QuotaDay, now: UtcMillis): QuotaFields | undefined => {
    if (plan.dailyUnits === null) return undefined;
    let today = ofDay.get(plan);
    if (today?.day !== day) {
      const policy = `"daily";q=${plan.dailyUnits};w=${day.lengthSeconds}`;
      today = { day, policy, limit: String(plan.dailyUnits), reset: String(Math.ceil(day.resetAt / 1_000)) };
      ofDay.set(plan, today);
    }
    const { policy, limit, reset } = today;
    const remaining = String(Math.max(0, plan.dailyUnits - used));
    return { policy, rate: `"daily";r=${remaining};t=${secondsToReset(day, now)}`, limit, remaining, reset };
  };
}
