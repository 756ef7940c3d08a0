import { isSameRecord, type Neighbours } from "../../../core/internal.ts";
import type { Observation, RawRecord } from "../../../core/mod.ts";

/**
 * An imported record. Where the import lacks a column, it has the stored member. A pending record is used only if both
 * have the same value. Copies status and message only for the same value.
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
