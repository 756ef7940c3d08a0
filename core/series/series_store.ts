import type { AssetCode, UtcMillis } from "../brand.ts";
import { createCandleColumns } from "./candle_columns.ts";
import type { CandleColumns } from "./candle_columns.ts";
import type { Candle } from "../market/candles.ts";
import { QUALITY_STATUSES } from "../market/observation.ts";
import type { Observation } from "../market/observation.ts";
import type { Coverage, TimeWindow } from "../ports.ts";
import { createSeries } from "./series.ts";
import type { Series, PackedSeries } from "./series.ts";

/** All observations of all assets in memory. A store that keeps its data there can answer the `Observations` port with it. */
export interface SeriesStore {
  latest(codes: readonly AssetCode[]): readonly (Observation | undefined)[];
  coverage(codes: readonly AssetCode[]): readonly (Coverage | undefined)[];
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): readonly Observation[];
  candles(code: AssetCode, window: TimeWindow, widthMs: number): readonly Candle[];
  /** The same candles as columns. */
  candleColumns(code: AssetCode, window: TimeWindow, widthMs: number): CandleColumns;
  /**
   * Stores an observation. True if it replaced the one for the same code and business time, whatever its status.
   *
   * @param sequence The store's number for this change, higher than all before.
   */
  put(observation: Observation, sequence: number): boolean;
  /** The observation for a code and business time, whatever its status. */
  find(code: AssetCode, time: UtcMillis): Observation | undefined;
  /** All observations of every status: by code in order of first appearance, then by status, then by business time. */
  all(): Generator<Observation>;
  /** Number of the last change to an asset, or to any; 0 before the first. */
  sequence(code?: AssetCode): number;
  /** All that it holds, by code in order of first appearance. The arrays are views, valid until the next change. */
  pack(): readonly PackedAsset[];
  /**
   * Fills an empty store with what another one packed. The arrays are not copied.
   *
   * @throws RangeError if the store is not empty, or if a series has not as many values as times.
   */
  unpack(assets: readonly PackedAsset[]): void;
}

/** What a series store holds of one asset, to be stored elsewhere. */
export interface PackedAsset {
  readonly code: AssetCode;
  /** Number of the last change to the asset. */
  readonly sequence: number;
  /** One for each of `QUALITY_STATUSES`, in their order. */
  readonly series: readonly PackedSeries[];
}

interface AssetSeries {
  readonly accepted: Series;
  /** One for each of `QUALITY_STATUSES`, in their order; those of the other statuses are made when first needed. */
  readonly all: (Series | undefined)[];
  sequence: number;
}

const NO_ROWS = new Float64Array(0);
const EMPTY = { relative: false, base: null, cells: null };
const NO_SERIES: PackedSeries = {
  times: NO_ROWS, values: NO_ROWS, insertTimes: EMPTY, sourceTimes: EMPTY, providers: EMPTY, providerNames: [], qualityMessages: [],
};

/** Makes an empty series store. */
export function createSeriesStore(): SeriesStore {
  const assets = new Map<AssetCode, AssetSeries>();
  let lastSequence = 0;

  function assetOf(code: AssetCode): AssetSeries {
    let asset = assets.get(code);
    if (!asset) {
      const accepted = createSeries(code, "ACCEPTED");
      asset = { accepted, all: [accepted, undefined, undefined], sequence: 0 };
      assets.set(code, asset);
    }
    return asset;
  }

  function accepted(code: AssetCode): Series | undefined {
    const series = assets.get(code)?.accepted;
    return series && series.length > 0 ? series : undefined;
  }

  function latest(code: AssetCode): Observation | undefined {
    const series = accepted(code);
    return series?.at(series.length - 1);
  }

  function coverage(code: AssetCode): Coverage | undefined {
    const series = accepted(code);
    if (!series) return undefined;
    const availableFrom = series.times(0, 1)[0] as UtcMillis;
    return { latest: series.at(series.length - 1), availableFrom, providers: series.providers() };
  }

  function put(observation: Observation, sequence: number): boolean {
    const asset = assetOf(observation.code);
    const { code, businessTime, qualityStatus } = observation;
    const { all } = asset;
    let replaced = false;
    for (let i = 0; i < all.length; i++) {
      const series = all[i];
      if (QUALITY_STATUSES[i] === qualityStatus) replaced = (series ?? (all[i] = createSeries(code, qualityStatus))).put(observation) || replaced;
      else if (series && series.length > 0) replaced = series.remove(businessTime) || replaced;
    }
    asset.sequence = sequence;
    lastSequence = sequence;
    return replaced;
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

  function unpack(packedAssets: readonly PackedAsset[]): void {
    if (assets.size > 0) throw new RangeError(`Cannot unpack into a series store as it must be empty: received one with "${assets.size}" assets`);
    for (const { code, sequence, series } of packedAssets) {
      const asset = assetOf(code);
      series.forEach((packed, i) => {
        if (packed.times.length > 0) (asset.all[i] ??= createSeries(code, QUALITY_STATUSES[i]!)).unpack(packed);
      });
      asset.sequence = sequence;
      lastSequence = Math.max(lastSequence, sequence);
    }
  }

  return {
    latest: (codes) => codes.map(latest),
    coverage: (codes) => codes.map(coverage),
    lastOfEach,
    candles: (code, window, widthMs) => accepted(code)?.candles(window, widthMs) ?? [],
    candleColumns: (code, window, widthMs) => accepted(code)?.candleColumns(window, widthMs) ?? createCandleColumns(widthMs, 0),
    put,
    find(code, time) {
      for (const series of assets.get(code)?.all ?? []) {
        if (!series) continue;
        const row = series.rowAt(time);
        if (row < series.length && series.times(row, row + 1)[0] === time) return series.at(row);
      }
      return undefined;
    },
    *all() {
      for (const { all } of assets.values()) {
        for (const series of all) {
          for (let row = 0; series && row < series.length; row++) yield series.at(row);
        }
      }
    },
    sequence: (code) => (code === undefined ? lastSequence : (assets.get(code)?.sequence ?? 0)),
    pack: () => [...assets].map(([code, { sequence, all }]) => ({ code, sequence, series: all.map(packSeries) })),
    unpack,
  };
}

function packSeries(series: Series | undefined): PackedSeries {
  return series && series.length > 0 ? series.pack() : NO_SERIES;
}
