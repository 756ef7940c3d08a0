import type { Neighbours } from "../../../core/internal.ts";
import type { Observation, RawRecord } from "../../../core/mod.ts";

/**
 * Returns an imported record. If the import lacks a column, the member is copied from the stored record. Status and
 * message are copied only if both records have the same value. A pending record with another value is ignored.
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
