import type { Neighbours } from "../../../core/internal.ts";
import type { Observation, RawRecord } from "../../../core/mod.ts";

/**
 * An imported record. Where the import lacks a column, it has the stored member. A pending record is used only if both
 * have the same value. Copies status and message only for the same value.
 */
export function completed(observation: Observation, record: RawRecord, near: Neighbours | undefined): Observation {
  const sameValue = [near?.at, ...(near?.pending ?? [])].find((one) => one?.value === observation.value);
  const stored = sameValue ?? near?.at;
  if (!stored) return observation;
  const { provider, sourceTime, qualityStatus, qualityMessage } = stored;
  return {
    ...observation,
    ...(record.provider === undefined && { provider }),
    ...(record.sourceTime === undefined && { sourceTime }),
    ...(sameValue && record.qualityStatus === undefined && { qualityStatus }),
    ...(sameValue && record.qualityMessage === undefined && { qualityMessage }),
  };
}
