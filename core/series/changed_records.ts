import type { Observation } from "../market/observation.ts";
import type { ObservationKey } from "../ports.ts";

/** Whether an observation waits for a decision. */
export function isPending({ qualityStatus }: Observation): boolean {
  return qualityStatus === "PENDING";
}

/** Whether two observations of one code and business time say the same, whenever they came. */
export function isSameRecord(one: Observation, other: Observation): boolean {
  return (
    one.value === other.value &&
    one.sourceTime === other.sourceTime &&
    one.provider === other.provider &&
    one.qualityStatus === other.qualityStatus &&
    one.qualityMessage === other.qualityMessage
  );
}

/** Identifies the code and business time of an observation. */
export function keyOf({ code, businessTime }: ObservationKey): string {
  return `${businessTime} ${code}`;
}
