import { ASSETS, indexAssets } from "../market/assets.ts";
import type { Asset } from "../market/assets.ts";
import type { Observations } from "../ports.ts";
import { createZone } from "../time/zone.ts";
import type { Zone } from "../time/zone.ts";

/** What an operator can decide on how prices are read. Everything has a default. */
export interface ReadingSettings {
  /** The catalog, in the order to answer in. Default: the 140 assets of the contract. */
  readonly assets?: readonly Asset[];
  /** IANA zone whose calendar days the value routes speak of. Default `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** Age in minutes above which a latest value counts as stale. Default 60. */
  readonly staleThresholdMinutes?: number;
  /** Most candles in one answer. Default 10,000. */
  readonly maxCandles?: number;
}

/** What is needed to read prices, over HTTP or in the process. */
export interface Reading {
  readonly observations: Observations;
  /** The catalog, by code and in its order. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The zone whose days dates are. */
  readonly marketZone: Zone;
  readonly staleThresholdMinutes: number;
  readonly maxCandles: number;
}

/** Checks the settings. Throws `RangeError` where one cannot be served. */
export function prepareReading(settings: ReadingSettings, observations: Observations): Reading {
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
