import { ASSETS, type Asset, indexAssets } from "../market/assets.ts";
import type { Observations } from "../ports.ts";
import { createZone, type Zone } from "../time/zone.ts";

/** Settings of the API and of `createPrices`. Each has a default. */
export interface PriceSettings {
  /** The catalog, in the order of the answers. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** IANA time zone of the days in requests. Default `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** A latest value is stale if it is older than this many minutes. Default 60. */
  readonly staleThresholdMinutes?: number;
  /** The maximum number of candles in an answer. Default 10,000. */
  readonly maxCandles?: number;
}

/** The store, and the settings with all defaults filled in. */
export interface PriceContext {
  readonly observations: Observations;
  /** The catalog by code, in catalog order. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly marketZone: Zone;
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
}

/** Completes the settings. Throws `RangeError` for an invalid setting. */
export function createPriceContext(settings: PriceSettings, observations: Observations): PriceContext {
  return {
    observations,
    assets: indexAssets(settings.assets ?? ASSETS),
    marketZone: createZone(settings.marketTimeZone ?? "Asia/Tehran"),
    staleThresholdMinutes: wholeNumber("staleThresholdMinutes", settings.staleThresholdMinutes ?? 60),
    maxCandles: wholeNumber("maxCandles", settings.maxCandles ?? 10_000),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new RangeError(`Cannot create API because ${name} must be a whole number >= 1: received "${value}"`);
}
