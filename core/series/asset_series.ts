import type { AssetCode, UtcMillis } from "../branded_types.ts";
import { type Observation, QUALITY_STATUSES, type QualityStatus } from "../market/observation.ts";
import type { TimeWindow } from "../ports.ts";
import { Series, type SeriesObservation } from "./series.ts";

/** All observations of one asset: a series for each quality status. */
export class AssetSeries {
  /** The number that the store gave to the last change; 0 before the first change. */
  sequence = 0;
  /** The accepted observations. */
  readonly accepted: Series;
  /** In the order of `QUALITY_STATUSES`. */
  readonly #all: readonly Series[];
  /** The latest business time, whatever the status. */
  #latest = -Infinity;

  /** @param originCounts See `Series`. */
  constructor(code: AssetCode, originCounts: number[]) {
    this.#all = QUALITY_STATUSES.map((status) => new Series(code, status, originCounts));
    this.accepted = this.#seriesOf("ACCEPTED");
  }

  /** The observation at a business time, whatever its status. */
  find(time: UtcMillis): Observation | undefined {
    for (const series of this.#all) {
      const found = series.find(time);
      if (found) return found;
    }
    return undefined;
  }

  /** The origin of the observation at a business time, or `undefined` if there is none. */
  originOf(time: UtcMillis): number | undefined {
    for (const series of this.#all) {
      const row = series.rowOf(time);
      if (row !== -1) return series.originAt(row);
    }
    return undefined;
  }

  /** Sorted by status, then by time. Observations that change during the loop may be left out; all others come once. */
  *all(status?: QualityStatus, window?: TimeWindow): Generator<Observation> {
    const { from = -Infinity as UtcMillis, to = Infinity } = window ?? {};
    for (const series of status ? [this.#seriesOf(status)] : this.#all) {
      for (let row = series.rowAt(from); row < series.length && series.timeAt(row) < to; ) {
        const observation = series.at(row);
        yield observation;
        row = series.rowAfter(row, observation.businessTime);
      }
    }
  }

  /** The number of observations. */
  get size(): number {
    return this.#all.reduce((sum, series) => sum + series.length, 0);
  }

  /** If an observation is later than all others, adds it and returns `true`. Otherwise returns `false`. */
  append(observation: Observation, origin: number): boolean {
    const { businessTime, qualityStatus } = observation;
    if (businessTime <= this.#latest) return false;
    this.#seriesOf(qualityStatus).append(observation, origin);
    this.#latest = businessTime;
    return true;
  }

  /** Stores observations in order. Returns how many observations were replaced, whatever their status. */
  putAll(observations: readonly SeriesObservation[]): number {
    const sorted = lastOfEachTime(observations);
    let replaced = observations.length - sorted.length;
    QUALITY_STATUSES.forEach((status, index) => {
      const series = this.#all[index]!;
      replaced += series.putAll(sorted.filter(({ qualityStatus }) => qualityStatus === status));
      // An observation whose status changes is removed from the series of the old status.
      const others = sorted.filter(({ qualityStatus }) => qualityStatus !== status);
      replaced += series.removeAll(others.map(({ businessTime }) => businessTime));
    });
    this.#findLatest();
    return replaced;
  }

  /** Removes the observations at these ascending business times, whatever their status. Returns their number. */
  removeAll(times: readonly UtcMillis[]): number {
    const removed = this.#all.reduce((sum, series) => sum + series.removeAll(times), 0);
    this.#findLatest();
    return removed;
  }

  #findLatest(): void {
    this.#latest = Math.max(...this.#all.map(({ latest }) => latest?.businessTime ?? -Infinity));
  }

  #seriesOf(status: QualityStatus): Series {
    return this.#all[QUALITY_STATUSES.indexOf(status)]!;
  }
}

/** The last observation of each business time, ascending. */
function lastOfEachTime(observations: readonly SeriesObservation[]): readonly SeriesObservation[] {
  // The sort is stable, so the last of several observations at one time stays last.
  const sorted = [...observations].sort((a, b) => a.businessTime - b.businessTime);
  return sorted.filter(({ businessTime }, i) => businessTime !== sorted[i + 1]?.businessTime);
}
