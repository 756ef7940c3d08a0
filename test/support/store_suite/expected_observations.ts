import assert from "node:assert/strict";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import { isPending } from "../../../core/internal.ts";
import type { Observation } from "../../../core/market/observation.ts";
import type { MaybePromise, Observations, ObservationWriter } from "../../../core/ports.ts";
import { at, MINUTE, START, USD } from "./records.ts";

/** The reads and writes of observations that the suite tests. */
export type SuiteObservations = Observations &
  ObservationWriter & {
    /** Finds the accepted or rejected observation for a code and business time. Some stores lack this function. */
    find?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Observation | undefined>;
  };

/** All that is stored. */
export async function allOf(observations: SuiteObservations): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for await (const record of observations.records()) found.push(record);
  return found;
}

/** The accepted or rejected observation for a code and time. `find`, if the store has it, must return the same. */
export async function findIn(
  observations: SuiteObservations,
  code: AssetCode,
  businessTime: UtcMillis,
): Promise<Observation | undefined> {
  const found = (await allOf(observations)).find(
    (one) => one.code === code && one.businessTime === businessTime && !isPending(one),
  );
  if (observations.find) assert.deepEqual(await observations.find(code, businessTime), found);
  return found;
}

/** Minute and value of the pending observations, in the order of `records()`. */
export async function pendingOf(observations: SuiteObservations): Promise<(readonly [number, number])[]> {
  const found = (await allOf(observations)).filter(isPending);
  return found.map(({ businessTime, value }) => [(businessTime - START) / MINUTE, value]);
}

/** Minute and value of the accepted observations of the first 100 minutes. */
export async function valuesOf(observations: Observations, code = USD): Promise<(readonly [number, number])[]> {
  const edges = Array.from({ length: 101 }, (_, minute) => at(minute));
  const found = (await observations.lastOfEach(code, edges)).value;
  return found.map(({ businessTime, value }) => [(businessTime - START) / MINUTE, value]);
}
