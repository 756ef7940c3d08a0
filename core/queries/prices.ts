import type { AssetCode } from "../brand.ts";
import type { Asset, Category, QuoteUnit } from "../market/assets.ts";
import type { Interval } from "../market/candles.ts";
import type { Observation } from "../market/observation.ts";
import { dayEdges } from "../market/range.ts";
import type { Clock, Observations } from "../ports.ts";
import { filterAssets, findAsset, findAssets } from "./asset_queries.ts";
import { noCandles, parseCandleRequest } from "./candle_queries.ts";
import { catalogEntry, isStale } from "./catalog_entry.ts";
import type { CatalogEntry } from "./catalog_entry.ts";
import { PriceError, valueOrThrow } from "./price_error.ts";
import { createPriceContext } from "./price_settings.ts";
import type { PriceSettings } from "./price_settings.ts";
import { assetValue, priceCandle } from "./price_values.ts";
import type { AssetValue, PriceCandle } from "./price_values.ts";
import { noRecordOn, parseDateRange, parseRequiredDate, requireRecord, requireRecords } from "./value_queries.ts";

/** The clock, the store, and the same settings as the API's. */
export interface PricesOptions extends PriceSettings {
  readonly clock: Clock;
  readonly observations: Observations;
}

/**
 * The routes of the API as calls, without a key or a quota. A call returns what its route answers with status 200,
 * field by field. Where the route answers with an error, the call throws a `PriceError` with the same code and
 * message. Errors of the store are passed on.
 *
 * `Code` is the type of the codes: by default those of the contract, so that a wrong one does not compile.
 */
export interface Prices<Code extends string = AssetCode> {
  /** Whether a text is a code of the catalog. */
  isCode(text: string): text is Code;

  /** The latest record. Fails with `ASSET_NOT_FOUND` if there is none yet. */
  latest(code: Code): Promise<AssetValue<Code>>;

  /**
   * The latest records of these assets, or of all, in catalog order; assets without a record are left out. Fails
   * with `INVALID_CODES`, also for an empty list, and with `ASSET_NOT_FOUND` if no asset has a record.
   */
  latestOf(codes?: readonly Code[]): Promise<AssetValue<Code>[]>;

  /**
   * The last record of a day in the market's time zone. Fails with `INVALID_DATE`, and with `ASSET_NOT_FOUND` if the
   * day has no record.
   *
   * @param date `YYYY-MM-DD`.
   */
  on(code: Code, date: string): Promise<AssetValue<Code>>;

  /**
   * The last record of each day from `from` to `to`, both included, ascending. Days without a record are left out,
   * so the list may be empty. Fails with `INVALID_DATE`, and with `INVALID_DATE_RANGE` beyond 31 days.
   */
  history(code: Code, from: string, to: string): Promise<AssetValue<Code>[]>;

  /**
   * The candles that start in [from, to), ascending. Fails with `INVALID_INTERVAL`, `INVALID_TIMESTAMP`,
   * `INVALID_OHLC_RANGE`, and with `OHLC_NOT_FOUND` if there is none.
   */
  candles(code: Code, asked: CandleQuery): Promise<PriceCandle[]>;

  /** The catalog with coverage and freshness, in its order. */
  catalog(filter?: CatalogFilter): Promise<CatalogEntry<Code>[]>;
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

/**
 * Makes the calls for a store. With the settings of `createApi` they give the same answers.
 *
 * If the catalog has other assets, name their codes: `createPrices<AssetCode | "NOK_USD">({ assets, ... })`, or
 * write `createPrices<string>` to have codes checked at run time only.
 *
 * @throws RangeError for a setting that is not possible.
 */
export function createPrices<Code extends string = AssetCode>(options: PricesOptions): Prices<Code> {
  const { clock, observations } = options;
  const context = createPriceContext(options, observations);

  function assetOf(code: string): Asset {
    return valueOrThrow(findAsset(context, code));
  }

  function toValue(observation: Observation): AssetValue<Code> {
    return assetValue<Code>(context.assets.get(observation.code)!, observation);
  }

  return {
    isCode: (text): text is Code => context.assets.has(text),

    async latest(text) {
      const { code } = assetOf(text);
      const [found] = await observations.latest([code]);
      return toValue(valueOrThrow(requireRecord(code, found)));
    },

    async latestOf(codes) {
      const assets = codes === undefined ? [...context.assets.values()] : valueOrThrow(findAssets(context, codes));
      const found = await observations.latest(assets.map(({ code }) => code));
      return valueOrThrow(requireRecords(found)).map(toValue);
    },

    async on(text, day) {
      const { code } = assetOf(text);
      const date = valueOrThrow(parseRequiredDate("date", day));
      const [found] = await observations.lastOfEach(code, dayEdges({ from: date, to: date }, context.marketZone));
      if (!found) throw new PriceError(await noRecordOn(context, code, date));
      return toValue(found);
    },

    async history(text, from, to) {
      const { code } = assetOf(text);
      const range = valueOrThrow(parseDateRange(["from", from], ["to", to]));
      const found = await observations.lastOfEach(code, dayEdges(range, context.marketZone));
      return found.map(toValue);
    },

    async candles(text, { interval, from, to }) {
      const now = clock();
      const { code } = assetOf(text);
      const request = valueOrThrow(parseCandleRequest({ interval, from: timeText(from), to: timeText(to) }, context.maxCandles));
      const candles = await observations.candles(code, request.window, request.widthMs);
      if (candles.length === 0) throw new PriceError(await noCandles(context, code, request.from));
      return candles.map((candle) => priceCandle(candle, now));
    },

    async catalog({ category, quoteUnit } = {}) {
      const now = clock();
      const assets = valueOrThrow(filterAssets(context, { category, quoteUnit }));
      const coverage = await observations.coverage(assets.map(({ code }) => code));
      return assets.map((asset, index) => {
        const known = coverage[index];
        return catalogEntry(asset, known, isStale(known, now, context.staleThresholdMinutes)) as CatalogEntry<Code>;
      });
    },
  };
}

/** A time as text. That of an invalid `Date` is refused like any other text that is no time. */
function timeText(time: Date | string): string {
  if (!(time instanceof Date)) return time;
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString();
}
