import assert from "node:assert/strict";
import type { AssetCode, UtcMillis } from "../../../core/branded_types.ts";
import type { Observation } from "../../../core/market/observation.ts";
import type { MaybePromise, ObservationKey, Observations, ObservationWriter } from "../../../core/ports.ts";
import { at, MINUTE, START, USD } from "./records.ts";

/** Observations as the suite needs them. */
export type SuiteObservations = Observations &
  ObservationWriter & {
    remove(keys: readonly ObservationKey[]): MaybePromise<number>;
    /** The observation for a code and business time, whatever its status, where the store can find one. */
    find?(code: AssetCode, businessTime: UtcMillis): MaybePromise<Observation | undefined>;
  };

/** All that is stored. */
export async function allOf(observations: SuiteObservations): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for await (const record of observations.records()) found.push(record);
  return found;
}

/** The observation for a code and business time, whatever its status: of all records, and as the store finds it. */
export async function findIn(
  observations: SuiteObservations,
  code: AssetCode,
  businessTime: UtcMillis,
): Promise<Observation | undefined> {
  const found = (await allOf(observations)).find((one) => one.code === code && one.businessTime === businessTime);
  if (observations.find) assert.deepEqual(await observations.find(code, businessTime), found);
  return found;
}

/** Minute and value of the accepted observations of the first 100 minutes. */
export async function valuesOf(observations: Observations, code = USD): Promise<(readonly [number, number])[]> {
  const edges = Array.from({ length: 101 }, (_, minute) => at(minute));
  const found = (await observations.lastOfEach(code, edges)).value;
  return found.map(({ businessTime, value }) => [(businessTime - START) / MINUTE, value]);
}
