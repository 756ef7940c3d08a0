import type { Observation } from "../market/observation.ts";
import type { ObservationKey } from "../ports.ts";

/**
 * The observations of a batch that have to be stored: without those that are stored already, equal in all but their
 * insert time. A batch is one import, so only the last one for a code and business time decides about all of them.
 *
 * @param stored The stored observation for the code and business time of one, where it is certain to stay until the batch is stored.
 */
export function changedOf(batch: readonly Observation[], stored: (observation: Observation) => Observation | undefined): readonly Observation[] {
  const isStored = batch.map((observation) => {
    const other = stored(observation);
    return other !== undefined && isSameRecord(observation, other);
  });
  if (!isStored.includes(true)) return batch;
  const isLastStored = new Map(batch.map((observation, i) => [keyOf(observation), isStored[i]!]));
  return batch.filter((observation) => !isLastStored.get(keyOf(observation)));
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
