import type { Observation } from "../market/observation.ts";
import type { ObservationKey } from "../ports.ts";

/** Whether an observation is pending. */
export function isPending({ qualityStatus }: Observation): boolean {
  return qualityStatus === "PENDING";
}

/** Whether two observations with the same code and business time are equal, apart from their insert times. */
export function isSameRecord(one: Observation, other: Observation): boolean {
  return (
    one.value === other.value &&
    one.sourceTime === other.sourceTime &&
    one.provider === other.provider &&
    one.qualityStatus === other.qualityStatus &&
    one.qualityMessage === other.qualityMessage
  );
}

/** A text that identifies the code and business time of an observation. */
export function keyOf({ code, businessTime }: ObservationKey): string {
  return `${businessTime} ${code}`;
}
