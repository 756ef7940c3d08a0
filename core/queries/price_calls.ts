import type { AssetCode } from "../branded_types.ts";
import type { Category, QuoteUnit } from "../market/assets.ts";
import type { Interval } from "../market/candles.ts";
import type { CatalogEntry } from "./catalog_entry.ts";
import type { ValueWithChange } from "./on_or_before.ts";
import type { AssetValue, PriceCandle } from "./price_values.ts";

/**
 * The routes of the API as calls: those of `createPrices` within the process, and those of `createClient` over HTTP.
 * A call, except `onOrBefore`, returns what its route answers with status 200, field by field. Where the route answers with an error, the
 * call throws a `PriceError` with the same code, status and message.
 *
 * `Code` is the type of the codes: by default those of the contract, so that a wrong one does not compile. `Options`
 * are further arguments of each call.
 */
export interface PriceCalls<Code extends string = AssetCode, Options extends readonly unknown[] = []> {
  /** The latest record. Fails with `ASSET_NOT_FOUND` if there is none yet. */
  latest(code: Code, ...options: Options): Promise<AssetValue<Code>>;

  /**
   * The latest records of these assets, or of all, in catalog order; assets without a record are left out. Fails
   * with `INVALID_CODES`, also for an empty list, and with `ASSET_NOT_FOUND` if no asset has a record.
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
   * The last record of a day, or of the last day before it that has one, at most 31 days before, and the change since
   * the day before that. It is read by one `history`. Fails with `INVALID_DATE`, and with `ASSET_NOT_FOUND` if there is none.
   *
   * @param date `YYYY-MM-DD`.
   */
  onOrBefore(code: Code, date: string, ...options: Options): Promise<ValueWithChange<Code>>;

  /**
   * The last record of each day from `from` to `to`, both included, ascending. Days without a record are left out,
   * so the list may be empty. Fails with `INVALID_DATE`, and with `INVALID_DATE_RANGE` beyond 31 days.
   */
  history(code: Code, from: string, to: string, ...options: Options): Promise<AssetValue<Code>[]>;

  /**
   * The candles that start in [from, to), ascending. Fails with `INVALID_INTERVAL`, `INVALID_TIMESTAMP`,
   * `INVALID_OHLC_RANGE`, and with `OHLC_NOT_FOUND` if there is none.
   */
  candles(code: Code, asked: CandleQuery, ...options: Options): Promise<PriceCandle[]>;

  /** The catalog with coverage and freshness, in its order. */
  catalog(filter?: CatalogFilter, ...options: Options): Promise<CatalogEntry<Code>[]>;
}

/** Which candles. */
export interface CandleQuery {
  readonly interval: Interval;
  /** Included: a `Date`, or ISO 8601 in UTC, e.g. `2026-01-31T00:00:00Z`. */
  readonly from: Date | string;
  /** Excluded. */
  readonly to: Date | string;
}

/** Filters of the catalog; an absent one matches all assets. */
export interface CatalogFilter {
  readonly category?: Category | undefined;
  readonly quoteUnit?: QuoteUnit | undefined;
}
