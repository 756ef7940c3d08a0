import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { type Observation, QUALITY_STATUSES, type QualityStatus } from "../market/observation.ts";
import type { TimeWindow } from "../ports.ts";
import { Series, type SeriesObservation } from "./series.ts";

/** All observations of one asset: a series for each quality status. */
export class AssetSeries {
  /** The store's number of the last change to it; 0 before the first. */
  sequence = 0;
  /** Those that were accepted. */
  readonly accepted: Series;
  readonly #code: AssetCode;
  readonly #originCounts: number[];
  /** In the order of `QUALITY_STATUSES`. Those that are not accepted are rare, so their series are made when first needed. */
  readonly #all: (Series | undefined)[];
  /** The latest business time of all. */
  #latest = -Infinity;

  /** @param originCounts As that of a `Series`. */
  constructor(code: AssetCode, originCounts: number[]) {
    this.#code = code;
    this.#originCounts = originCounts;
    this.accepted = this.#newSeries("ACCEPTED");
    this.#all = [this.accepted, undefined, undefined];
  }

  /** The observation for a business time, whatever its status. */
  find(time: UtcMillis): Observation | undefined {
    for (const series of this.#all) {
      const found = series?.find(time);
      if (found) return found;
    }
    return undefined;
  }

  /** The origin of the observation for a business time; `undefined` if there is none. */
  originOf(time: UtcMillis): number | undefined {
    for (const series of this.#all) {
      const row = series?.rowOf(time) ?? -1;
      if (row !== -1) return series!.originAt(row);
    }
    return undefined;
  }

  /**
   * All observations, or those of one status or window: by status, then by business time. The series may change meanwhile: each observation that stays
   * as it is comes once, and one that is changed, added or removed may come or not.
   */
  *all(status?: QualityStatus, window?: TimeWindow): Generator<Observation> {
    const { from = -Infinity as UtcMillis, to = Infinity } = window ?? {};
    for (const series of status ? [this.#all[QUALITY_STATUSES.indexOf(status)]] : this.#all) {
      for (let row = series?.rowAt(from) ?? 0; series && row < series.length && series.timeAt(row) < to; ) {
        const observation = series.at(row);
        yield observation;
        row = series.rowAfter(row, observation.businessTime);
      }
    }
  }

  /** How many there are. */
  get size(): number {
    return this.#all.reduce((sum, series) => sum + (series?.length ?? 0), 0);
  }

  /** Adds an observation if it is later than all others of the asset; otherwise does nothing and returns false. */
  append(observation: Observation, origin: number): boolean {
    const { businessTime, qualityStatus } = observation;
    if (businessTime <= this.#latest) return false;
    this.#seriesOf(qualityStatus).append(observation, origin);
    this.#latest = businessTime;
    return true;
  }

  /** Stores observations as if one by one, in their order; returns how many replaced one with the same business time, whatever its status. */
  putAll(observations: readonly SeriesObservation[]): number {
    const sorted = lastOfEachTime(observations);
    let replaced = observations.length - sorted.length;
    QUALITY_STATUSES.forEach((status, index) => {
      const own = sorted.filter(({ qualityStatus }) => qualityStatus === status);
      if (own.length > 0) replaced += this.#seriesOf(status).putAll(own);
      // An observation that gets another status leaves the series of the one it had.
      const others = sorted.filter(({ qualityStatus }) => qualityStatus !== status);
      replaced += this.#all[index]?.removeAll(others.map(({ businessTime }) => businessTime)) ?? 0;
    });
    this.#findLatest();
    return replaced;
  }

  /** Removes the observations with these business times, ascending, whatever their status; returns how many there were. */
  removeAll(times: readonly UtcMillis[]): number {
    const removed = this.#all.reduce((sum, series) => sum + (series?.removeAll(times) ?? 0), 0);
    this.#findLatest();
    return removed;
  }

  #findLatest(): void {
    this.#latest = Math.max(
      ...this.#all.map((series) => (series && series.length > 0 ? series.timeAt(series.length - 1) : -Infinity)),
    );
  }

  #seriesOf(status: QualityStatus): Series {
    return (this.#all[QUALITY_STATUSES.indexOf(status)] ??= this.#newSeries(status));
  }

  #newSeries(status: QualityStatus): Series {
    return new Series(this.#code, status, this.#originCounts);
  }
}

/** The last observation of each business time, ascending. */
function lastOfEachTime(observations: readonly SeriesObservation[]): readonly SeriesObservation[] {
  // Sorting is stable, so of those with the same time the last one stays the last.
  const sorted = [...observations].sort((a, b) => a.businessTime - b.businessTime);
  return sorted.filter(({ businessTime }, i) => businessTime !== sorted[i + 1]?.businessTime);
}
