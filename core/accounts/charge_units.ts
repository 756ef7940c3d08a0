import type { UtcMillis } from "../branded_types.ts";
import type { Failure } from "../http/errors.ts";
import type { Received } from "../http/received_request.ts";
import type { QuotaFields } from "../http/respond.ts";
import type { RouteRow } from "../http/route.ts";
import { after, afterWith, attempt } from "../maybe_promise.ts";
import type { MaybePromise, QuotaLedger, QuotaTaken } from "../ports.ts";
import type { Zone } from "../time/zone.ts";
import { isServed, type KeyHolder } from "./accounts.ts";
import { createQuotaCalendar, createQuotaFields, quotaExceeded } from "./quota.ts";

/** Who is charged, and the units of the day so far, this request's included. */
interface Bill {
  readonly caller: KeyHolder | undefined;
  readonly used: number;
}

/** Takes and gives back the units of requests. */
export interface Charging {
  /** Takes the unit before any work, so that parallel requests can never pass the limit together. Without a limit it counts all the same. */
  take(received: Received, route: RouteRow, caller: KeyHolder | undefined): MaybePromise<QuotaTaken>;
  /** Whether a unit could be taken; takes none. */
  check(received: Received, caller: KeyHolder): MaybePromise<QuotaTaken>;
  /** Gives the unit of a failed request back where the route counts successes; the day's count after that. */
  giveBack(received: Received, route: RouteRow, bill: Bill): MaybePromise<number>;
  /** Whether `giveBack` gives the units of failed requests to a route back. */
  isReturned(route: RouteRow | undefined): boolean;
  /** What every answer to a known caller says of its quota. */
  fields(charged: Bill & { readonly received: Received }): QuotaFields | undefined;
  /** The refusal of a request without a unit left. */
  exceeded(now: UtcMillis): Failure;
}

/** What charging needs: the ledger, and what the operator decided. */
export interface ChargingOptions {
  readonly quota: QuotaLedger;
  readonly quotaZone: Zone;
  readonly chargeFailures: "contract" | "always";
  /** Reports an error of the ledger. */
  readonly reported: (received: Received, error: unknown) => Failure;
}

const NO_CHARGE: QuotaTaken = { granted: true, used: 0 };

/** Makes the charging of an API. */
export function createCharging({ quota, quotaZone, chargeFailures, reported }: ChargingOptions): Charging {
  const quotaDayAt = createQuotaCalendar(quotaZone);
  const quotaFields = createQuotaFields();

  function taken({ report }: Received, answered: QuotaTaken): QuotaTaken {
    report.units = answered.granted ? "taken" : "denied";
    return answered;
  }

  const isReturned = (route: RouteRow | undefined): boolean =>
    route?.charge === "success" && chargeFailures !== "always";

  return {
    isReturned,
    take(received, route, caller) {
      if (!caller) return NO_CHARGE;
      const { account, plan, key } = caller;
      const { date } = quotaDayAt(received.now);
      const isFree = route.charge === "free" || !isServed(caller, route);
      if (isFree) return after(quota.used(account.id, date), (used) => ({ granted: true, used }));
      return afterWith(received, quota.take(account.id, date, plan.dailyUnits ?? Infinity, key.id), taken);
    },
    check(received, { account, plan }) {
      return after(quota.used(account.id, quotaDayAt(received.now).date), (used) => {
        const granted = used < (plan.dailyUnits ?? Infinity);
        if (!granted) received.report.units = "denied";
        return { granted, used };
      });
    },
    giveBack(received, route, { caller, used }) {
      if (!caller || !isReturned(route)) return used;
      const { report, now } = received;
      report.units = "given back";
      return attempt(
        caller,
        ({ account }) => quota.giveBack(account.id, quotaDayAt(now).date),
        (_, error) => {
          // It could not be given back: the account loses one, but never gets one too many. The failure is still the answer.
          report.units = "taken";
          reported(received, error);
          return used;
        },
      );
    },
    fields: ({ caller, used, received: { now } }) => caller && quotaFields(caller.plan, used, quotaDayAt(now), now),
    exceeded: (now) => quotaExceeded(quotaDayAt(now), now),
  };
}
