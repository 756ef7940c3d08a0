import type { AssetCode, UtcMillis } from "./brand.ts";
import { foldCandles } from "./candles.ts";
import type { Candle } from "./candles.ts";
import type { Observation } from "./observation.ts";
import type { Coverage, TimeWindow } from "./ports.ts";
import { createSeries } from "./series.ts";
import type { Series } from "./series.ts";

/**
 * All observations of all assets, in memory: what a store that holds its data there answers the
 * read side of the `Observations` port from.
 */
export interface Market {
  latest(codes: readonly AssetCode[]): readonly (Observation | undefined)[];
  coverage(codes: readonly AssetCode[]): readonly (Coverage | undefined)[];
  lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): readonly Observation[];
  candles(code: AssetCode, window: TimeWindow, widthMs: number): readonly Candle[];
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
}

interface Holding {
  readonly accepted: Series;
  /** Observations that are not public, by their status. */
  readonly withheld: readonly Series[];
  sequence: number;
}

/** Makes an empty market. */
export function createMarket(): Market {
  const holdings = new Map<AssetCode, Holding>();
  let lastSequence = 0;

  function holdingOf(code: AssetCode): Holding {
    let holding = holdings.get(code);
    if (!holding) {
      holding = {
        accepted: createSeries(code, "ACCEPTED"),
        withheld: [createSeries(code, "PENDING"), createSeries(code, "REJECTED")],
        sequence: 0,
      };
      holdings.set(code, holding);
    }
    return holding;
  }

  function accepted(code: AssetCode): Series | undefined {
    const series = holdings.get(code)?.accepted;
    return series && series.length > 0 ? series : undefined;
  }

  function put(observation: Observation, sequence: number): boolean {
    const holding = holdingOf(observation.code);
    let replaced = false;
    for (const series of [holding.accepted, ...holding.withheld]) {
      const sameStatus = series.qualityStatus === observation.qualityStatus;
      const wasThere = sameStatus ? series.put(observation) : series.remove(observation.businessTime);
      replaced ||= wasThere;
    }
    holding.sequence = sequence;
    lastSequence = sequence;
    return replaced;
  }

  function lastOfEach(code: AssetCode, edges: readonly UtcMillis[]): readonly Observation[] {
    const series = accepted(code);
    if (!series || edges.length < 2) return [];
    const found: Observation[] = [];
    let row = series.rowAt(edges[0]!);
    for (const edge of edges.slice(1)) {
      const next = series.rowAt(edge);
      if (next > row) found.push(series.at(next - 1));
      row = next;
    }
    return found;
  }

  return {
    latest: (codes) =>
      codes.map((code) => {
        const series = accepted(code);
        return series?.at(series.length - 1);
      }),
    coverage: (codes) =>
      codes.map((code) => {
        const series = accepted(code);
        if (!series) return undefined;
        return {
          latest: series.at(series.length - 1),
          availableFrom: series.at(0).businessTime,
          providers: series.providers(),
        };
      }),
    lastOfEach,
    candles(code, window, widthMs) {
      const series = accepted(code);
      if (!series) return [];
      const [from, to] = [series.rowAt(window.from), series.rowAt(window.to)];
      return foldCandles(series.times(from, to), series.values(from, to), widthMs);
    },
    put,
    find(code, time) {
      const holding = holdings.get(code);
      if (!holding) return undefined;
      for (const series of [holding.accepted, ...holding.withheld]) {
        const row = series.rowAt(time);
        if (row < series.length && series.times(row, row + 1)[0] === time) return series.at(row);
      }
      return undefined;
    },
    *all() {
      for (const { accepted, withheld } of holdings.values()) {
        for (const series of [accepted, ...withheld]) {
          for (let row = 0; row < series.length; row++) yield series.at(row);
        }
      }
    },
    sequence: (code) => (code === undefined ? lastSequence : (holdings.get(code)?.sequence ?? 0)),
  };
}
