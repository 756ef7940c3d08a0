import type { Plan } from "./accounts.ts";
import type { CalendarDate, UtcMillis } from "./brand.ts";
import { dayNumber } from "./dates.ts";
import { failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import type { Zone } from "./zone.ts";

/** The quota day a moment lies in. */
export interface QuotaDay {
  readonly date: CalendarDate;
  /** When the next quota day begins. */
  readonly resetAt: UtcMillis;
  /** Length of this day in seconds. */
  readonly lengthSeconds: number;
}

/** The quota day of `now` in the zone whose midnights start it. */
export function quotaDayAt(zone: Zone, now: UtcMillis): QuotaDay {
  const date = zone.dateAt(now);
  const day = dayNumber(date);
  const resetAt = zone.startOfDay(day + 1);
  return { date, resetAt, lengthSeconds: (resetAt - zone.startOfDay(day)) / 1_000 };
}

/** Whole seconds until the next quota day, at least 1. */
export function secondsToReset(day: QuotaDay, now: UtcMillis): number {
  return Math.max(1, Math.ceil((day.resetAt - now) / 1_000));
}

/** The refusal of a request beyond the daily units. Source: contract, Errors 429. */
export function quotaExceeded(day: QuotaDay, now: UtcMillis): Failure {
  return failure("QUOTA_EXCEEDED", undefined, { "Retry-After": String(secondsToReset(day, now)) });
}

/**
 * The fields that tell a caller about its quota, in the form of the IETF draft and in the common one.
 * None for a plan without a limit.
 */
export function quotaHeaders(plan: Plan, used: number, day: QuotaDay, now: UtcMillis): Record<string, string> {
  if (plan.dailyUnits === null) return {};
  const remaining = Math.max(0, plan.dailyUnits - used);
  return {
    "RateLimit-Policy": `"daily";q=${plan.dailyUnits};w=${day.lengthSeconds}`,
    RateLimit: `"daily";r=${remaining};t=${secondsToReset(day, now)}`,
    "X-RateLimit-Limit": String(plan.dailyUnits),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(day.resetAt / 1_000)),
  };
}
