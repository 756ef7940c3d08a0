import { createVersionNames, readSide } from "../../../core/internal.ts";
import type { Observation, QualityStatus } from "../../../core/mod.ts";
import { copyOf } from "./entries.ts";
import type { PriceState } from "./price_state.ts";

/**
 * The observations of a state in memory.
 *
 * @param versionName Returns the name of the version after the change with this number.
 */
export function observationsOf(state: PriceState, versionName: (sequence: number) => string) {
  const { market, around, references, countPending } = state;
  return {
    ...readSide(market, createVersionNames(market, versionName)),
    find: market.find,
    ...{ around, references, countPending },
    /** Counts records of any status, or of one. */
    *records(status?: QualityStatus): Generator<Observation> {
      for (const record of state.records(status)) yield copyOf(record);
    },
  };
}
