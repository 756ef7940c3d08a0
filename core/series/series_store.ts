import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Observation, QualityStatus } from "../market/observation.ts";
import type { Neighbours } from "../market/references.ts";
import type { CandleRange, Coverage, TimeWindow } from "../ports.ts";
import { AssetSeries } from "./asset_series.ts";
import type { PriceColumns, Series, SeriesObservation } from "./series.ts";

/** All observations of all assets, in memory. A store can use it to implement the `Observations` port. */
export type SeriesStore = ReturnType<typeof createSeriesStore>;

/** The maximum number of observations that a loader collects: enough to move rows rarely, without using much memory. */
const MAX_COLLECTED = 65_536;

/** Makes an empty series store. */
export function createSeriesStore() {
  const assets = new Map<AssetCode, AssetSeries>();
  const originCounts: number[] = [];
  let lastSequence = 0;

  /** Returns the series of an asset that is about to change, and records the number of the change. */
  function assetToChange(code: AssetCode, sequence: number): AssetSeries {
    const asset = assets.get(code) ?? new AssetSeries(code, originCounts);
    assets.set(code, asset);
    asset.sequence = lastSequence = sequence;
    return asset;
  }

  function accepted(code: AssetCode): Series | undefined {
    const series = assets.get(code)?.accepted;
    return series && series.length > 0 ? series : undefined;
  }

  function coverage(code: AssetCode): Coverage | undefined {
    const series = accepted(code);
    const latest = series?.latest;
    return latest && { latest, availableFrom: series.timeAt(0), providers: series.providers() };
  }

  function lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): readonly Observation[] {
    const found: Observation[] = [];
    const series = accepted(code);
    if (!series || edges.length < 2) return found;
    let row = series.rowAt(edges[0]!);
    for (let i = 1; i < edges.length; i++) {
      const next = series.rowAt(edges[i]!);
      if (next > row) found.push(series.at(next - 1));
      row = next;
    }
    return found;
  }

  function candles(code: AssetCode, window: TimeWindow, widthMs: number): CandleRange {
    const series = accepted(code);
    return { candles: series?.candles(window, widthMs) ?? [], availableFrom: series?.timeAt(0) };
  }

  function around(code: AssetCode, time: UtcMillis): Neighbours {
    const series = accepted(code);
    return {
      at: assets.get(code)?.find(time),
      before: series?.nearest(time, -1),
      after: series?.nearest((time + 1) as UtcMillis, 1),
    };
  }

  function createLoader() {
    const collected = new Map<AssetSeries, SeriesObservation[]>();
    let count = 0;
    let replaced = 0;

    function finish(): number {
      for (const [asset, observations] of collected) replaced += asset.putAll(observations);
      collected.clear();
      count = 0;
      return replaced;
    }

    return {
      /** @param sequence The number of this change, not lower than any earlier number. */
      add(observation: Observation, sequence: number, origin = 0): void {
        const asset = assetToChange(observation.code, sequence);
        if (asset.append(observation, origin)) return;
        const observations = collected.get(asset);
        if (observations) observations.push({ ...observation, origin });
        else collected.set(asset, [{ ...observation, origin }]);
        if (++count === MAX_COLLECTED) finish();
      },
      /** Stores the collected observations, then removes observations like `removeAll` of the store. */
      removeAll(code: AssetCode, times: readonly UtcMillis[], sequence: number): void {
        finish();
        assetToChange(code, sequence).removeAll(times);
      },
      /** Stores the collected observations; must precede any read. Returns how many the loader replaced in total. */
      finish,
    };
  }

  return {
    latest: (codes: readonly AssetCode[]) => codes.map((code) => accepted(code)?.latest),
    coverage: (codes: readonly AssetCode[]) => codes.map(coverage),
    lastOfEach,
    candles,
    /**
     * Stores observations in order, which is fastest if they ascend. Returns how many of them replaced an observation
     * with the same code and business time, whatever its status.
     *
     * @param firstSequence The number of the first change, above all earlier numbers. Each observation is one change.
     */
    putAll(observations: readonly SeriesObservation[], firstSequence: number): number {
      const loader = createLoader();
      observations.forEach((observation, i) => loader.add(observation, firstSequence + i, observation.origin));
      return loader.finish();
    },
    /**
     * Removes the observations of a code at these ascending business times, whatever their status. Returns their count.
     *
     * @param sequence The number of this change, above all earlier numbers.
     */
    removeAll: (code: AssetCode, times: readonly UtcMillis[], sequence: number): number =>
      assetToChange(code, sequence).removeAll(times),
    /**
     * Returns a loader for observations that arrive one by one, as from a log, and are not read before `finish`. The
     * loader collects observations out of order, and stores them together.
     */
    createLoader,
    /** The observation of a code at a business time, whatever its status. */
    find: (code: AssetCode, time: UtcMillis): Observation | undefined => assets.get(code)?.find(time),
    /** The origin of the observation of a code at a business time, or `undefined` if there is none. */
    originOf: (code: AssetCode, time: UtcMillis): number | undefined => assets.get(code)?.originOf(time),
    /** The number of observations of an origin. */
    countOf: (origin: number): number => originCounts[origin] ?? 0,
    /** The observations of an asset at a business time, and the nearest before and after it. */
    around,
    /** The nearest accepted observation of an asset; see `Series.nearest`. */
    nearest: (code: AssetCode, ...search: Parameters<Series["nearest"]>) => accepted(code)?.nearest(...search),
    /** Business times and values of the accepted observations of an asset, ascending. Valid until the next change. */
    prices: (code: AssetCode): PriceColumns =>
      accepted(code)?.prices() ?? { times: new Float64Array(0), values: new Float64Array(0) },
    /**
     * Observations by code in order of first appearance, then by status, then by business time. Optionally only with
     * one status, for one code or in a window. The store may change during the loop: observations that do not change
     * come exactly once.
     */
    *all(status?: QualityStatus, code?: AssetCode, window?: TimeWindow): Generator<Observation> {
      const wanted = code === undefined ? assets.values() : [assets.get(code)];
      for (const asset of wanted) if (asset) yield* asset.all(status, window);
    },
    /** The codes that have, or had, an observation, in order of first appearance. */
    codes: (): Iterable<AssetCode> => assets.keys(),
    /** The number of all observations. */
    get size(): number {
      return [...assets.values()].reduce((sum, asset) => sum + asset.size, 0);
    },
    /** The number of the last change to an asset, or to any asset; 0 before the first change. */
    sequence: (code?: AssetCode) => (code === undefined ? lastSequence : (assets.get(code)?.sequence ?? 0)),
  };
}
