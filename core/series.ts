import type { AssetCode, UtcMillis } from "./brand.ts";
import { createDenseColumn, createSparseColumn, lowerBound } from "./column.ts";
import type { Observation, QualityStatus } from "./observation.ts";

/** Observations of one asset and one quality status, kept as columns sorted by business time. */
export interface Series {
  readonly qualityStatus: QualityStatus;
  readonly length: number;
  /** The observation at a row, 0 being the earliest. */
  at(row: number): Observation;
  /** The first row whose business time is not before `time`. */
  rowAt(time: UtcMillis): number;
  /** Business times of rows `from` to `to` (excluded): a view, good until the next change. */
  times(from: number, to: number): Float64Array;
  /** Values of the same rows: a view, good until the next change. */
  values(from: number, to: number): Float64Array;
  /** Puts an observation in its place; tells whether one with its business time was there and is gone. */
  put(observation: Observation): boolean;
  /** Takes the observation with this business time out; tells whether there was one. */
  remove(time: UtcMillis): boolean;
  /** Providers of the observations, sorted by name. */
  providers(): readonly string[];
}

const NO_TIME = NaN;
const NO_PROVIDER = -1;

/**
 * Makes an empty series. An observation takes 16 bytes, and 8 more for each of source time, insert
 * time and provider, where that differs between the asset's observations.
 */
export function createSeries(code: AssetCode, qualityStatus: QualityStatus): Series {
  const times = createDenseColumn();
  const values = createDenseColumn();
  const sourceTimes = createSparseColumn();
  const insertTimes = createSparseColumn();
  const providerRows = createSparseColumn();
  const providerNames: string[] = [];
  const providerCounts: number[] = [];
  // Remarks are rare, so they are kept by business time and not by row.
  const messages = new Map<number, string>();

  function at(row: number): Observation {
    const businessTime = times.get(row) as UtcMillis;
    const sourceTime = sourceTimes.get(row);
    return {
      code,
      value: values.get(row),
      businessTime,
      sourceTime: Number.isNaN(sourceTime) ? null : (sourceTime as UtcMillis),
      insertTime: insertTimes.get(row) as UtcMillis,
      provider: providerNames[providerRows.get(row)] ?? null,
      qualityStatus,
      qualityMessage: messages.get(businessTime) ?? "",
    };
  }

  function rowAt(time: UtcMillis): number {
    const last = times.length - 1;
    // Nearly every new observation is the latest one.
    return last < 0 || times.get(last) < time ? last + 1 : lowerBound(times, time);
  }

  function countProvider(index: number, step: 1 | -1): void {
    if (index !== NO_PROVIDER) providerCounts[index] = (providerCounts[index] ?? 0) + step;
  }

  function providerIndex(name: string | null): number {
    if (name === null) return NO_PROVIDER;
    const known = providerNames.indexOf(name);
    return known === -1 ? providerNames.push(name) - 1 : known;
  }

  function put(observation: Observation): boolean {
    const { businessTime } = observation;
    const row = rowAt(businessTime);
    const found = row < times.length && times.get(row) === businessTime;
    const act = found ? "set" : "insert";
    const provider = providerIndex(observation.provider);
    if (found) countProvider(providerRows.get(row), -1);
    countProvider(provider, 1);
    times[act](row, businessTime);
    values[act](row, observation.value);
    sourceTimes[act](row, observation.sourceTime ?? NO_TIME);
    insertTimes[act](row, observation.insertTime);
    providerRows[act](row, provider);
    if (observation.qualityMessage !== "") messages.set(businessTime, observation.qualityMessage);
    else messages.delete(businessTime);
    return found;
  }

  function remove(time: UtcMillis): boolean {
    const row = rowAt(time);
    if (row >= times.length || times.get(row) !== time) return false;
    countProvider(providerRows.get(row), -1);
    for (const column of [times, values, sourceTimes, insertTimes, providerRows]) column.remove(row);
    messages.delete(time);
    return true;
  }

  return {
    qualityStatus,
    get length() {
      return times.length;
    },
    at,
    rowAt,
    times: times.view,
    values: values.view,
    put,
    remove,
    providers: () => providerNames.filter((_, index) => providerCounts[index]! > 0).sort(),
  };
}
