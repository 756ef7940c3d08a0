import type { AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";

/** A record of the dollar in rial. */
export function observationAt(time: number, value = 1_905_000): Observation {
  const businessTime = time as UtcMillis;
  return {
    code: "USD_RLS" as AssetCode,
    value,
    businessTime,
    sourceTime: businessTime,
    insertTime: businessTime,
    provider: "TEST",
    qualityStatus: "ACCEPTED",
    qualityMessage: "",
  };
}
