import type { Observation } from "../../../core/mod.ts";

/** The members of an observation, without what else its object may have. */
export function copyOf(one: Observation): Observation {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = one;
  return { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage };
}
