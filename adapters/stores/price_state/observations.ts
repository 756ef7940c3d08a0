import { createVersionNames, readSide } from "../../../core/internal.ts";
import type { Observation, QualityStatus } from "../../../core/mod.ts";
import { copyOf } from "./entries.ts";
import type { PriceState } from "./price_state.ts";

/**
 * The observations of a state in memory.
 *
 * @param versionName Returns the name of the version that the change with this number makes.
 */
export function observationsOf(state: PriceState, versionName: (sequence: number) => string) {
  const { market, around, references, countPending } = state;
  return {
    ...readSide(market, createVersionNames(market, versionName)),
    find: market.find,
    ...{ around, references, countPending },
    /** Counts the records of all statuses, or of one status. */
    *records(status?: QualityStatus): Generator<Observation> {
      for (const record of state.records(status)) yield copyOf(record);
    },
  };
}
