import type { Observation } from "../market/observation.ts";
import type { ObservationKey } from "../ports.ts";

/**
 * The observations of a batch that have to be stored: without those that are stored already, equal in all but their
 * insert time. A batch is one import, so only the last one for a code and business time decides about all of them.
 *
 * @param stored The stored observation for the code and business time of one, where it is certain to stay until the batch is stored.
 */
export function changedOf(
  batch: readonly Observation[],
  stored: (observation: Observation) => Observation | undefined,
): readonly Observation[] {
  const isStored = batch.map((observation) => {
    const other = stored(observation);
    return other !== undefined && isSameRecord(observation, other);
  });
  if (!isStored.includes(true)) return batch;
  const isLastStored = new Map(batch.map((observation, i) => [keyOf(observation), isStored[i]!]));
  return batch.filter((observation) => !isLastStored.get(keyOf(observation)));
}

/**
 * A batch without the pending observations that would hide an accepted one: those for whose time the batch has an accepted one
 * before, and those of a time whose last one in the batch is pending while the accepted one that is stored stays.
 *
 * @param isAccepted Whether what is stored for the code and business time of an observation is accepted.
 */
export function withoutHiding(
  batch: readonly Observation[],
  isAccepted: (observation: Observation) => boolean,
): readonly Observation[] {
  if (!batch.some(isPending)) return batch;
  const last = new Map<string, Observation>();
  const shown = batch.filter((observation) => {
    const key = keyOf(observation);
    if (isPending(observation) && last.get(key)?.qualityStatus === "ACCEPTED") return false;
    last.set(key, observation);
    return true;
  });
  const isHiding = (observation: Observation): boolean =>
    isPending(last.get(keyOf(observation))!) && isAccepted(observation);
  return shown.filter((observation) => !isHiding(observation));
}

/** Whether an observation waits for a decision, and so must not hide an accepted one. */
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
