import type { AssetCode, UtcMillis } from "../branded_types.ts";
import type { Asset } from "../market/assets.ts";
import { type Candle, isComplete } from "../market/candles.ts";
import type { Observation } from "../market/observation.ts";
import { formatTimestamp } from "../time/timestamps.ts";

/** A record as the routes for values return it. Source: contract, Asset value record. */
export interface AssetValue<Code extends string = AssetCode> extends Pick<Asset, "labelEn" | "labelFa" | "quoteUnit"> {
  /** E.g. `USD_RLS`. */
  readonly code: Code;
  /** The same as `code`. */
  readonly name: Code;
  /** The code in lower case. */
  readonly slug: Lowercase<Code>;
  /** In the quote unit, exactly as stored. */
  readonly value: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly businessTime: string;
}

/** A candle as the candle route returns it. Source: contract, OHLC response. */
export interface PriceCandle extends Omit<Candle, "start" | "end"> {
  /** Start, included: ISO 8601 in UTC. */
  readonly start: string;
  /** End, excluded: ISO 8601 in UTC. */
  readonly end: string;
  /** Whether the end of the candle has passed. */
  readonly complete: boolean;
}

/** An observation with the fields of the value routes, in their order. */
export function assetValue<Code extends string>(asset: Asset, { value, businessTime }: Observation): AssetValue<Code> {
  const { labelEn, labelFa, quoteUnit } = asset;
  const code = asset.code as string as Code; // the caller of `createPrices` defines which codes exist
  const slug = code.toLowerCase() as Lowercase<Code>;
  return { code, name: code, slug, labelEn, labelFa, quoteUnit, value, businessTime: formatTimestamp(businessTime) };
}

/** A candle with the fields of the candle route, in their order. */
export function priceCandle(candle: Candle, now: UtcMillis): PriceCandle {
  const { open, high, low, close, observationCount } = candle;
  const [start, end] = [formatTimestamp(candle.start), formatTimestamp(candle.end)];
  return { start, end, open, high, low, close, observationCount, complete: isComplete(candle, now) };
}
