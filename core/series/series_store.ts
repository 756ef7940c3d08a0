import type { AssetCode, UtcMillis } from "../brand.ts";
import { createCandleColumns } from "./candle_columns.ts";
import type { CandleColumns } from "./candle_columns.ts";
import type { Candle } from "../market/candles.ts";
import { QUALITY_STATUSES } from "../market/observation.ts";
import type { Observation } from "../market/observation.ts";
import type { Coverage, TimeWindow } from "../ports.ts";
import { createSeries } from "./series.ts";
import type { Series, SeriesColumns } from "./series.ts";

/**
 * All observations of all assets, in memory: what a store that holds its data there answers the
 * read side of the `Observations` port from.
 */
export interface Market {
  latest(codes: readonly AssetCode[]): readonly (Observation | undefined)[];
  coverage(codes: readonly AssetCode[]): readonly (Coverage | undefined)[];
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): readonly Observation[];
  candles(code: AssetCode, window: TimeWindow, widthMs: number): readonly Candle[];
  /** The same candles as columns. */
  candleColumns(code: AssetCode, window: TimeWindow, widthMs: number): CandleColumns;
  /**
   * Puts an observation in its place; tells whether one for its code and business time was there.
   * `sequence` is the store's number for this change, higher than all before.
   */
  put(observation: Observation, sequence: number): boolean;
  /** The observation for a code and business time, whatever its status. */
  find(code: AssetCode, time: UtcMillis): Observation | undefined;
  /** Every observation there is, those not accepted included: by code in order of first appearance, then by status, then by time. */
  all(): Generator<Observation>;
  /** Number of the last change of this asset, or of any; 0 before the first. */
  sequence(code?: AssetCode): number;
  /** All that it holds, by code in order of first appearance. The arrays are views, good until the next change. */
  columns(): readonly AssetColumns[];
  /**
   * Fills an empty market with what `columns` of another one gave; arrays are kept, not copied.
   *
   * @throws RangeError when the market holds anything, or columns do not fit together.
   */
  fill(assets: readonly AssetColumns[]): void;
}

/** What a market holds of one asset, to be kept elsewhere. */
export interface AssetColumns {
  readonly code: AssetCode;
  /** Number of the asset's last change. */
  readonly sequence: number;
  /** One for each of `QUALITY_STATUSES`, in their order. */
  readonly series: readonly SeriesColumns[];
}

interface Holding {
  readonly accepted: Series;
  /** By quality status, in their order; those not accepted are made when one comes. */
  readonly all: (Series | undefined)[];
  sequence: number;
}

const NO_ROWS = new Float64Array(0);
const EMPTY = { relative: false, base: null, cells: null };
const NO_COLUMNS: SeriesColumns = {
  times: NO_ROWS, values: NO_ROWS, insertTimes: EMPTY, sourceTimes: EMPTY, providers: EMPTY, providerNames: [], remarks: [],
};

/** Makes an empty market. */
export function createMarket(): Market {
  const holdings = new Map<AssetCode, Holding>();
  let lastSequence = 0;

  function holdingOf(code: AssetCode): Holding {
    let holding = holdings.get(code);
    if (!holding) {
      const accepted = createSeries(code, "ACCEPTED");
      holding = { accepted, all: [accepted, undefined, undefined], sequence: 0 };
      holdings.set(code, holding);
    }
    return holding;
  }

  function accepted(code: AssetCode): Series | undefined {
    const series = holdings.get(code)?.accepted;
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
    const holding = holdingOf(observation.code);
    const { code, businessTime, qualityStatus } = observation;
    const { all } = holding;
    let replaced = false;
    for (let i = 0; i < all.length; i++) {
      const series = all[i];
      if (QUALITY_STATUSES[i] === qualityStatus) replaced = (series ?? (all[i] = createSeries(code, qualityStatus))).put(observation) || replaced;
      else if (series && series.length > 0) replaced = series.remove(businessTime) || replaced;
    }
    holding.sequence = sequence;
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

  function fill(assets: readonly AssetColumns[]): void {
    if (holdings.size > 0) throw new RangeError(`Cannot fill a market as it must be empty: received one with "${holdings.size}" assets`);
    for (const { code, sequence, series } of assets) {
      const holding = holdingOf(code);
      series.forEach((columns, i) => {
        if (columns.times.length > 0) (holding.all[i] ??= createSeries(code, QUALITY_STATUSES[i]!)).fill(columns);
      });
      holding.sequence = sequence;
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
      for (const series of holdings.get(code)?.all ?? []) {
        if (!series) continue;
        const row = series.rowAt(time);
        if (row < series.length && series.times(row, row + 1)[0] === time) return series.at(row);
      }
      return undefined;
    },
    *all() {
      for (const { all } of holdings.values()) {
        for (const series of all) {
          for (let row = 0; series && row < series.length; row++) yield series.at(row);
        }
      }
    },
    sequence: (code) => (code === undefined ? lastSequence : (holdings.get(code)?.sequence ?? 0)),
    columns: () => [...holdings].map(([code, { sequence, all }]) => ({ code, sequence, series: all.map(columnsOf) })),
    fill,
  };
}

function columnsOf(series: Series | undefined): SeriesColumns {
  return series && series.length > 0 ? series.columns() : NO_COLUMNS;
}
