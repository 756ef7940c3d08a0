import type { Asset, Category, QuoteUnit } from "../market/assets.ts";
import type { AssetCode } from "../brand.ts";
import type { Interval } from "../market/candles.ts";
import { findAsset } from "./find_asset.ts";
import type { Observation } from "../market/observation.ts";
import type { Clock, Observations } from "../ports.ts";
import { orThrow } from "./price_error.ts";
import { assetValue, priceCandle } from "./price_values.ts";
import type { AssetValue, PriceCandle } from "./price_values.ts";
import { dayEdges } from "../market/range.ts";
import { readCandleRequest, someCandles } from "./candle_queries.ts";
import { catalogEntry, filterAssets, isStale } from "./catalog_queries.ts";
import type { CatalogEntry } from "./catalog_queries.ts";
import { chooseAssets, oneRecord, readDate, readRange, someRecords } from "./value_queries.ts";
import { prepareReading } from "./query_settings.ts";
import type { ReadingSettings } from "./query_settings.ts";

/** What the calls need: the time, the store, and the settings that the API has too. */
export interface PricesOptions extends ReadingSettings {
  readonly clock: Clock;
  readonly observations: Observations;
}

/**
 * The API's answers as calls: no request, no key, no quota. What a route answers with 200, its call
 * returns, field by field; what it answers with an error, its call throws as a `PriceError` of the same
 * code and message. What the store itself throws passes through.
 *
 * `Code` is what may be asked for: by default the codes of the contract, so that a wrong one does not compile.
 */
export interface Prices<Code extends string = AssetCode> {
  /** Whether a text from outside is a code of the catalog, and so may be asked for. */
  isCode(text: string): text is Code;

  /** The latest record. Fails with `ASSET_NOT_FOUND` where there is none yet. */
  latest(code: Code): Promise<AssetValue<Code>>;

  /**
   * The latest records of these assets, or of all, in catalog order; those without one are left out. Fails
   * with `INVALID_CODES`, also for an empty list, and with `ASSET_NOT_FOUND` where no record is left.
   */
  latestOf(codes?: readonly Code[]): Promise<AssetValue<Code>[]>;

  /**
   * The last record of a day of the market's time zone.
   *
   * @param date `YYYY-MM-DD`. Fails with `INVALID_DATE`, and with `ASSET_NOT_FOUND` where the day has no record.
   */
  on(code: Code, date: string): Promise<AssetValue<Code>>;

  /**
   * The last record of each day from `from` to `to`, both included, ascending; days without one are left
   * out, so there may be none. Fails with `INVALID_DATE`, and `INVALID_DATE_RANGE` beyond 31 days.
   */
  history(code: Code, from: string, to: string): Promise<AssetValue<Code>[]>;

  /**
   * The candles that start in [from, to), ascending. Fails with `INVALID_INTERVAL`, `INVALID_TIMESTAMP`,
   * `INVALID_OHLC_RANGE`, and with `OHLC_NOT_FOUND` where there is none.
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

/** Which part of the catalog; what is absent lets all pass. */
export interface CatalogFilter {
  readonly category?: Category | undefined;
  readonly quoteUnit?: QuoteUnit | undefined;
}

/**
 * Makes the calls for a store. Give it the settings that `createApi` has, so that both say the same.
 *
 * With assets of one's own, name their codes: `createPrices<AssetCode | "NOK_USD">({ assets, ... })`, or
 * `createPrices<string>` to have them checked at run time only.
 *
 * @throws RangeError for settings that cannot be served.
 */
export function createPrices<Code extends string = AssetCode>(options: PricesOptions): Prices<Code> {
  const { clock, observations } = options;
  const reading = prepareReading(options, observations);

  function assetOf(code: string): Asset {
    return orThrow(findAsset(reading, code));
  }

  function toValue(observation: Observation): AssetValue<Code> {
    return assetValue<Code>(reading.assets.get(observation.code)!, observation);
  }

  return {
    isCode: (text): text is Code => reading.assets.has(text),

    async latest(text) {
      const { code } = assetOf(text);
      const [found] = await observations.latest([code]);
      return toValue(orThrow(oneRecord(code, found)));
    },

    async latestOf(codes) {
      const assets = codes === undefined ? [...reading.assets.values()] : orThrow(chooseAssets(reading, codes));
      const found = await observations.latest(assets.map(({ code }) => code));
      return orThrow(someRecords(found)).map(toValue);
    },

    async on(text, day) {
      const { code } = assetOf(text);
      const date = orThrow(readDate("date", day));
      const [found] = await observations.lastOfEach(code, dayEdges({ from: date, to: date }, reading.marketZone));
      return toValue(orThrow(oneRecord(code, found, date)));
    },

    async history(text, from, to) {
      const { code } = assetOf(text);
      const range = orThrow(readRange(["from", from], ["to", to]));
      const found = await observations.lastOfEach(code, dayEdges(range, reading.marketZone));
      return found.map(toValue);
    },

    async candles(text, { interval, from, to }) {
      const now = clock();
      const { code } = assetOf(text);
      const asked = orThrow(readCandleRequest({ interval, from: timeText(from), to: timeText(to) }, reading.maxCandles));
      const found = orThrow(someCandles(await observations.candles(code, asked.window, asked.widthMs)));
      return found.map((candle) => priceCandle(candle, now));
    },

    async catalog({ category, quoteUnit } = {}) {
      const now = clock();
      const assets = orThrow(filterAssets(reading, { category, quoteUnit }));
      const coverage = await observations.coverage(assets.map(({ code }) => code));
      return assets.map((asset, index) => {
        const known = coverage[index];
        return catalogEntry(asset, known, isStale(known, now, reading.staleThresholdMinutes)) as CatalogEntry<Code>;
      });
    },
  };
}

/** A `Date` that names no moment is left to be refused, as any other text that does not. */
function timeText(time: Date | string): string {
  if (!(time instanceof Date)) return time;
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString();
}
