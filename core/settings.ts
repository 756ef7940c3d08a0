import { ASSETS, indexAssets } from "./assets.ts";
import type { Asset } from "./assets.ts";
import type { CorsRule } from "./cors.ts";
import { crc32Hex } from "./crc32.ts";
import type { Context } from "./handler.ts";
import { assetHead } from "./json.ts";
import type { Observations } from "./ports.ts";
import { ROUTES } from "./routes.ts";
import { createZone } from "./zone.ts";
import type { Zone } from "./zone.ts";

/** What an operator can decide. Everything has a default. */
export interface Settings {
  /** The catalog, in the order to answer in. Default: the 140 assets of the contract. */
  readonly assets?: readonly Asset[];
  /** IANA zone whose calendar days the value routes speak of. Default `Asia/Tehran`. */
  readonly marketTimeZone?: string;
  /** IANA zone at whose midnights a quota day begins. Default `UTC`. */
  readonly quotaTimeZone?: string;
  /** Age in minutes above which a latest value counts as stale. Default 60. */
  readonly staleThresholdMinutes?: number;
  /** Most candles in one answer. Default 10,000. */
  readonly maxCandles?: number;
  /** What a failing request costs: on most routes nothing (`contract`), or its unit on all (`always`). Default `contract`. */
  readonly chargeFailures?: "contract" | "always";
  /** Which web pages may read answers. Default `*`. */
  readonly cors?: CorsRule;
  /** The name in the status answer. Default `mazaneh`. */
  readonly application?: string;
  /** Absolute URL, or a path of this server, in the status answer. Default `/docs`. */
  readonly documentationUrl?: string;
}

/** Settings checked and made ready for use. */
export interface Prepared {
  readonly context: Context;
  readonly quotaZone: Zone;
  readonly cors: CorsRule;
  readonly chargeFailures: "contract" | "always";
}

// Part of every entity tag: to be changed with any change to the bytes of an answer.
const RENDERING = 1;

/** Checks the settings. Throws `RangeError` where one cannot be served. */
export function prepare(settings: Settings, observations: Observations): Prepared {
  const assets = indexAssets(settings.assets ?? ASSETS);
  const marketZone = createZone(settings.marketTimeZone ?? "Asia/Tehran");
  const staleThresholdMinutes = wholeNumber("staleThresholdMinutes", settings.staleThresholdMinutes ?? 60);
  const context: Context = {
    observations,
    assets,
    heads: new Map([...assets].map(([code, asset]) => [code, assetHead(asset)])),
    marketZone,
    staleThresholdMinutes,
    maxCandles: wholeNumber("maxCandles", settings.maxCandles ?? 10_000),
    application: settings.application ?? "mazaneh",
    documentationUrl: settings.documentationUrl ?? "/docs",
    revision: crc32Hex(encodeURIComponent(JSON.stringify([RENDERING, [...assets.values()], marketZone.name, staleThresholdMinutes]))),
    routes: ROUTES,
  };
  return {
    context,
    quotaZone: createZone(settings.quotaTimeZone ?? "UTC"),
    cors: settings.cors ?? "*",
    chargeFailures: settings.chargeFailures ?? "contract",
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new RangeError(`Cannot create API as ${name} must be a whole number >= 1: received "${value}"`);
}
