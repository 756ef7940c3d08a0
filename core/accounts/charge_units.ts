import type { UtcMillis } from "../branded_types.ts";
import { type ErrorCode, type Failure, failure } from "../http/errors.ts";
import type { RouteRow } from "../http/route.ts";
import { after, afterWith, attempt } from "../maybe_promise.ts";
import type { MaybePromise, QuotaLedger, QuotaTaken } from "../ports.ts";
import type { Received } from "../received_request.ts";
import type { Zone } from "../time/zone.ts";
import { isServed, type KeyHolder } from "./accounts.ts";
import { createQuotaFields, type QuotaDay, quotaDayAt, secondsToReset } from "./quota.ts";

interface ChargingOptions {
  readonly quota: QuotaLedger;
  readonly quotaZone: Zone;
  readonly chargeFailures: "contract" | "always";
  /** Reports an error of the ledger. */
  readonly reported: (received: Received, error: unknown) => Failure;
}

/** Makes the functions that take a request's unit and give it back. */
export function createCharging({ quota, quotaZone, chargeFailures, reported }: ChargingOptions) {
  let today: QuotaDay | undefined;

  function dayOf(now: UtcMillis): QuotaDay {
    // Nearly every request is on the same day as the previous request.
    if (!today || now < today.startsAt || now >= today.resetAt) today = quotaDayAt(quotaZone, now);
    return today;
  }

  function taken(received: Received, { granted, used }: QuotaTaken): boolean {
    received.used = used;
    received.report.units = granted ? "taken" : "denied";
    return granted;
  }

  /** Whether a failed request to this route gets its unit back. A request above a rate never costs a unit. */
  function isReturned(route: RouteRow | undefined, code?: ErrorCode): boolean {
    if (code === "RATE_LIMITED") return route?.charge !== "free";
    return route?.charge === "success" && chargeFailures !== "always";
  }

  return {
    isReturned,
    /**
     * Takes the unit before any work is done, so that parallel requests together cannot exceed the limit. Returns
     * `false` if no unit is left.
     */
    take(received: Received, route: RouteRow): MaybePromise<boolean> {
      const { caller, now } = received;
      if (!caller) return true;
      const { account, plan, key } = caller;
      const { date } = dayOf(now);
      if (route.charge !== "free" && isServed(caller, route))
        return afterWith(received, quota.take(account.id, date, plan.dailyUnits ?? Infinity, key.id), taken);
      return after(quota.used(account.id, date), (used) => {
        received.used = used;
        return true;
      });
    },
    /** Checks whether a unit is left, without taking it. */
    check(received: Received, { account, plan }: KeyHolder): MaybePromise<boolean> {
      return after(quota.used(account.id, dayOf(received.now).date), (used) => {
        received.used = used;
        const isLeft = used < (plan.dailyUnits ?? Infinity);
        if (!isLeft) received.report.units = "denied";
        return isLeft;
      });
    },
    /** Gives back the unit of a failed request, unless the route keeps the unit. */
    giveBack(received: Received, route: RouteRow, code: ErrorCode): MaybePromise<void> {
      const { caller, report, now } = received;
      if (!caller || !isReturned(route, code)) return;
      report.units = "given back";
      return attempt(
        caller,
        ({ account }) =>
          after(quota.giveBack(account.id, dayOf(now).date), (left) => {
            received.used = left;
          }),
        (_, error) => {
          // The ledger failed, so the unit may stay taken. The client still gets the failure of its own request.
          report.units = "taken";
          reported(received, error);
        },
      );
    },
    addFields: createQuotaFields(dayOf),
    /** The refusal of a request that exceeds the daily units. Source: contract, Errors 429. */
    exceeded(now: UtcMillis): Failure {
      return failure("QUOTA_EXCEEDED", undefined, ["Retry-After", String(secondsToReset(dayOf(now), now))]);
    },
  };
}
