import type { UtcMillis } from "../brand.ts";
import type { Observation } from "../market/observation.ts";
import type { AssetSeries } from "./asset_series.ts";

/** What a store has at a business time of an asset, and next to it. */
export interface Neighbours {
  /** The observation of that time, whatever its status. */
  readonly at: Observation | undefined;
  /** The accepted observation before it. */
  readonly before: Observation | undefined;
  /** The accepted observation after it. */
  readonly after: Observation | undefined;
  /** How many accepted observations the asset has. */
  readonly count: number;
}

/** The neighbours of a business time; those of an asset without observations where `asset` is undefined. */
export function surroundingsOf(asset: AssetSeries | undefined, time: UtcMillis): Neighbours {
  if (!asset) return { at: undefined, before: undefined, after: undefined, count: 0 };
  const { accepted } = asset;
  const row = accepted.rowAt(time);
  const next = row < accepted.length && accepted.times(row, row + 1)[0] === time ? row + 1 : row;
  return {
    at: asset.find(time),
    before: row > 0 ? accepted.at(row - 1) : undefined,
    after: next < accepted.length ? accepted.at(next) : undefined,
    count: accepted.length,
  };
}
