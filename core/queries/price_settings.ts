import { ASSETS, type Asset, indexAssets } from "../market/assets.ts";
import type { Observations } from "../ports.ts";
import { createZone, type Zone } from "../time/zone.ts";

/** Settings of the API and of `createPrices`. Each has a default. */
export interface PriceSettings {
  /** The catalog, in the order of the answers. Default: the assets of the contract. */
  readonly assets?: readonly Asset[];
  /** IANA time zone whose calendar days the dates of requests are. Default `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** Age in minutes above which a latest value is stale. Default 60. */
  readonly staleThresholdMinutes?: number;
  /** Most candles in one answer. Default 10,000. */
  readonly maxCandles?: number;
}

/** The store, and the settings in the form in which queries need them. */
export interface PriceContext {
  readonly observations: Observations;
  /** The catalog, by code and in its order. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The calendar of the market's time zone. */
  readonly marketZone: Zone;
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
}

/** Checks the settings. Throws `RangeError` for one that is not possible. */
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
  throw new RangeError(`Cannot create API as ${name} must be a whole number >= 1: received "${value}"`);
}
