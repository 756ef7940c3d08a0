import type { AssetCode } from "../branded_types.ts";
import type { Category, QuoteUnit } from "../market/assets.ts";
import type { Interval } from "../market/candles.ts";
import type { CatalogEntry } from "./catalog_entry.ts";
import type { ValueWithChange } from "./on_or_before.ts";
import type { AssetValue, PriceCandle } from "./price_values.ts";

/**
 * The API's routes as calls. `createPrices` makes the calls within the process, `createClient` over HTTP. Each call
 * except `onOrBefore` returns the fields of its route's answer. If the route answers with an error, the call throws a
 * `PriceError` with the same code, status and message.
 *
 * `Code` is the type of the codes, by default the contract's. `Options` are further arguments of each call.
 */
export interface PriceCalls<Code extends string = AssetCode, Options extends readonly unknown[] = []> {
  /** The latest record. Fails with `ASSET_NOT_FOUND` if the asset has no record yet. */
  latest(code: Code, ...options: Options): Promise<AssetValue<Code>>;

  /**
   * The latest records of these assets, or of all assets, in catalog order. Assets without a record are left out. Fails
   * with `INVALID_CODES` for an unknown code or an empty list, and with `ASSET_NOT_FOUND` if no asset has a record.
   */
  latestOf(codes?: readonly Code[], ...options: Options): Promise<AssetValue<Code>[]>;

  /**
   * The last record of a day in the market's time zone. Fails with `INVALID_DATE`, and with `ASSET_NOT_FOUND` if the
   * day has no record.
   *
   * @param date `YYYY-MM-DD`.
   */
  on(code: Code, date: string, ...options: Options): Promise<AssetValue<Code>>;

  /**
   * The last record of a day or, if the day has no record, the last record of the 31 days before it. Also returns the
   * change since the previous record. Costs as many units as one `history`. Fails with `INVALID_DATE`, and with
   * `ASSET_NOT_FOUND` if there is no record.
   *
   * @param date `YYYY-MM-DD`.
   */
  onOrBefore(code: Code, date: string, ...options: Options): Promise<ValueWithChange<Code>>;

  /**
   * The last record of each day from `from` to `to`, both included, ascending. Days without a record are left out, so
   * the list may be empty. Fails with `INVALID_DATE`, and with `INVALID_DATE_RANGE` if the days are more than 31 days
   * apart.
   */
  history(code: Code, from: string, to: string, ...options: Options): Promise<AssetValue<Code>[]>;

  /**
   * The candles that start in [from, to), ascending. Fails with `INVALID_INTERVAL`, `INVALID_TIMESTAMP` or
   * `INVALID_OHLC_RANGE`, and with `OHLC_NOT_FOUND` if there are none.
   */
  candles(code: Code, asked: CandleQuery, ...options: Options): Promise<PriceCandle[]>;

  /** The assets in catalog order, with coverage and freshness. */
  catalog(filter?: CatalogFilter, ...options: Options): Promise<CatalogEntry<Code>[]>;
}

/** The range and the width of candles. */
export interface CandleQuery {
  readonly interval: Interval;
  /** Included: a `Date`, or ISO 8601 in UTC, such as `2026-01-31T00:00:00Z`. */
  readonly from: Date | string;
  /** Excluded. */
  readonly to: Date | string;
}

/** Filters of the catalog. An absent filter matches all assets. */
export interface CatalogFilter {
  readonly category?: Category | undefined;
  readonly quoteUnit?: QuoteUnit | undefined;
}

/** A time of a `CandleQuery` as text. Turns an invalid `Date` into a text that is refused like any invalid time. */
export function timeText(time: Date | string): string {
  return time instanceof Date ? (time.toJSON() ?? String(time)) : time;
}
