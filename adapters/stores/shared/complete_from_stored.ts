import { isSameRecord, type Neighbours } from "../../../core/internal.ts";
import type { Observation, RawRecord } from "../../../core/mod.ts";

/**
 * A record with what is stored of it where the import has no such column: by a pending one only where that has its value.
 * Status and message stay with the value that they were given for; the status of one that waits is for `pending` to decide.
 */
export function completed(observation: Observation, record: RawRecord, near: Neighbours | undefined): Observation {
  const sameValue = [near?.at, ...(near?.pending ?? [])].find((one) => one?.value === observation.value);
  const stored = sameValue ?? near?.at;
  if (!stored) return observation;
  const isSameValue = stored.value === observation.value;
  const provider = record.provider === undefined ? stored.provider : observation.provider;
  const sourceTime = record.sourceTime === undefined ? stored.sourceTime : observation.sourceTime;
  const qualityStatus =
    isSameValue && record.qualityStatus === undefined ? stored.qualityStatus : observation.qualityStatus;
  const qualityMessage =
    isSameValue && record.qualityMessage === undefined ? stored.qualityMessage : observation.qualityMessage;
  const full = { ...observation, provider, sourceTime, qualityStatus, qualityMessage };
  return isSameRecord(full, observation) ? observation : full;
}
