/**
 * The market-data price API without any runtime: `createApi` answers plain requests through ports,
 * `createPrices` gives the same answers to calls within the process, `createIngest` takes market records
 * in. Bind it with `mazaneh/node` or `mazaneh/fetch`, store with `mazaneh/json-files` or
 * `mazaneh/memory-store`, or write your own ports.
 *
 * @module
 */
export { createApi } from "./api.ts";
export type { ApiOptions } from "./api.ts";
export type { Settings } from "./settings.ts";
export type { CorsRule } from "./cors.ts";
export type { Api, ApiRequest, ApiResponse, BodyFailure, RequestFields } from "./http.ts";
export { Unavailable } from "./ports.ts";
export type {
  Accounts,
  AppendOutcome,
  Clock,
  Coverage,
  MaybePromise,
  Observations,
  ObservationWriter,
  QuotaLedger,
  QuotaTaken,
  RequestIds,
  Sha256,
  TimeWindow,
} from "./ports.ts";
export { ASSETS, CATEGORIES, defineAsset, QUOTE_UNITS } from "./assets.ts";
export type { Asset, AssetDefinition, Category, QuoteUnit } from "./assets.ts";
export { createIngest } from "./ingest.ts";
export type { IngestOptions, IngestOutcome, RawRecord, Refusal } from "./ingest.ts";
export { QUALITY_STATUSES } from "./observation.ts";
export type { Observation, QualityStatus } from "./observation.ts";
export { foldCandles, INTERVALS, isComplete } from "./candles.ts";
export type { Candle, Interval } from "./candles.ts";
export { createPrices } from "./prices.ts";
export type { CandleQuery, CatalogFilter, Prices, PricesOptions } from "./prices.ts";
export type { AssetValue, PriceCandle } from "./price_values.ts";
export { PriceError } from "./price_error.ts";
export type { CatalogEntry } from "./read_catalog.ts";
export type { ReadingSettings } from "./reading.ts";
export type { KnownAssetCode } from "./asset_names.ts";
export type { CandleColumns } from "./candle_columns.ts";
export {
  ACCOUNT_STATUSES,
  EMPTY_BOOK,
  FREE_STARTER,
  indexKeys,
  withAccount,
  withKey,
  withKeyExpiring,
  withKeyRevoked,
  withPlan,
} from "./accounts.ts";
export type { Account, AccountBook, AccountStatus, KeyEntry, KeyHolder, Plan } from "./accounts.ts";
export { createKey } from "./create_key.ts";
export type { AccountKeeper, NewKeyOptions } from "./create_key.ts";
export { issueKey } from "./issue_key.ts";
export type { IssuedKey, KeyIssuer } from "./issue_key.ts";
export type { ApiKey } from "./keys.ts";
export { ERRORS } from "./errors.ts";
export type { ErrorCode } from "./errors.ts";
export type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "./brand.ts";
export type { Result } from "./result.ts";
