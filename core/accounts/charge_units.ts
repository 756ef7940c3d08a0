import type { UtcMillis } from "../branded_types.ts";
import type { ErrorCode, Failure } from "../http/errors.ts";
import type { Received } from "../http/received_request.ts";
import type { QuotaFields } from "../http/respond.ts";
import type { RouteRow } from "../http/route.ts";
import { after, afterWith, attempt } from "../maybe_promise.ts";
import type { MaybePromise, QuotaLedger, QuotaTaken } from "../ports.ts";
import type { Zone } from "../time/zone.ts";
import { isServed, type KeyHolder } from "./accounts.ts";
import { createQuotaCalendar, createQuotaFields, quotaExceeded } from "./quota.ts";

/** The caller of a request, and the units used so far on this day, including this request's unit. */
interface Bill {
  readonly caller: KeyHolder | undefined;
  readonly used: number;
}

/** The bill of a failed request. */
interface FailedBill extends Bill {
  readonly code: ErrorCode;
}

interface ChargingOptions {
  readonly quota: QuotaLedger;
  readonly quotaZone: Zone;
  readonly chargeFailures: "contract" | "always";
  /** Reports an error of the ledger. */
  readonly reported: (received: Received, error: unknown) => Failure;
}

const NO_CHARGE: QuotaTaken = { granted: true, used: 0 };

/** Makes the functions that take a request's unit and give it back. */
export function createCharging({ quota, quotaZone, chargeFailures, reported }: ChargingOptions) {
  const quotaDayAt = createQuotaCalendar(quotaZone);
  const quotaFields = createQuotaFields();

  function taken({ report }: Received, answered: QuotaTaken): QuotaTaken {
    report.units = answered.granted ? "taken" : "denied";
    return answered;
  }

  /** Whether a failed request to this route gets its unit back. A request above a rate never costs a unit. */
  function isReturned(route: RouteRow | undefined, code?: ErrorCode): boolean {
    if (code === "RATE_LIMITED") return route?.charge !== "free";
    return route?.charge === "success" && chargeFailures !== "always";
  }

  return {
    isReturned,
    /** Takes the unit before any work is done, so that parallel requests together cannot exceed the limit. */
    take(received: Received, route: RouteRow, caller: KeyHolder | undefined): MaybePromise<QuotaTaken> {
      if (!caller) return NO_CHARGE;
      const { account, plan, key } = caller;
      const { date } = quotaDayAt(received.now);
      const isFree = route.charge === "free" || !isServed(caller, route);
      if (isFree) return after(quota.used(account.id, date), (used) => ({ granted: true, used }));
      return afterWith(received, quota.take(account.id, date, plan.dailyUnits ?? Infinity, key.id), taken);
    },
    /** Checks whether a unit is left, without taking it. */
    check(received: Received, { account, plan }: KeyHolder): MaybePromise<QuotaTaken> {
      return after(quota.used(account.id, quotaDayAt(received.now).date), (used) => {
        const granted = used < (plan.dailyUnits ?? Infinity);
        if (!granted) received.report.units = "denied";
        return { granted, used };
      });
    },
    /** Gives back the unit of a failed request, unless the route keeps the unit. Returns the day's new count. */
    giveBack(received: Received, route: RouteRow, { caller, used, code }: FailedBill): MaybePromise<number> {
      if (!caller || !isReturned(route, code)) return used;
      const { report, now } = received;
      report.units = "given back";
      return attempt(
        caller,
        ({ account }) => quota.giveBack(account.id, quotaDayAt(now).date),
        (_, error) => {
          // The ledger failed, so the unit may stay taken. The client still gets the failure of its own request.
          report.units = "taken";
          reported(received, error);
          return used;
        },
      );
    },
    /** The quota that every answer to a known caller reports. */
    fields({ caller, used, received: { now } }: Bill & { readonly received: Received }): QuotaFields | undefined {
      return caller && quotaFields(caller.plan, used, quotaDayAt(now), now);
    },
    /** The refusal of a request that exceeds the quota. */
    exceeded: (now: UtcMillis): Failure => quotaExceeded(quotaDayAt(now), now),
  };
}
