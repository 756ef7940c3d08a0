import type { Observation } from "../market/observation.ts";

/**
 * The observations of a batch that have to be stored: without those that are stored already, equal in all but their
 * insert time. A batch is one act, so only the last one for a code and business time decides about all of them.
 *
 * @param stored The stored observation for the code and business time of one, where it is certain to stay until the batch is stored.
 */
export function changedOf(batch: readonly Observation[], stored: (observation: Observation) => Observation | undefined): readonly Observation[] {
  const isStored = batch.map((observation) => isSame(observation, stored(observation)));
  if (!isStored.includes(true)) return batch;
  const isLastStored = new Map(batch.map((observation, i) => [keyOf(observation), isStored[i]!]));
  return batch.filter((observation) => !isLastStored.get(keyOf(observation)));
}

function isSame(one: Observation, other: Observation | undefined): boolean {
  return (
    other !== undefined &&
    one.value === other.value &&
    one.sourceTime === other.sourceTime &&
    one.provider === other.provider &&
    one.qualityStatus === other.qualityStatus &&
    one.qualityMessage === other.qualityMessage
  );
}

function keyOf({ code, businessTime }: Observation): string {
  return `${businessTime} ${code}`;
}
