import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import type { ObservationKey } from "../../../core/ports.ts";

export const USD = "USD_RLS" as AssetCode;
export const EUR = "EUR_RLS" as AssetCode;
export const GBP = "GBP_RLS" as AssetCode;
export const MINUTE = 60_000;
/** The test's day begins. */
export const START = Date.parse("2026-11-20T00:00:00Z");

/** An observation of USD_RLS at a minute of the test's day, with the members in `more`. */
export function observed(minute: number, value: number, more: Partial<Observation> = {}): Observation {
  return {
    ...{ code: USD, value, businessTime: at(minute), sourceTime: null, insertTime: at(10_000) },
    ...{ provider: null, qualityStatus: "ACCEPTED", qualityMessage: "", ...more },
  };
}

/** A minute of the test's day. */
export function at(minute: number): UtcMillis {
  return (START + minute * MINUTE) as UtcMillis;
}

/** The key of the observation of USD_RLS at a minute. */
export function keyAt(minute: number): ObservationKey {
  return { code: USD, businessTime: at(minute) };
}
