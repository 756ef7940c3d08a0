/**
 * The market-data price API, independent of the runtime. `createApi` answers plain requests through ports,
 * `createPrices` answers calls in the process, `createIngest` stores market records. Serve it with `mazaneh/node` or
 * `mazaneh/fetch`, and store prices with `mazaneh/json-files`, `mazaneh/memory-store` or ports of your own.
 *
 * @module
 */

export type {
  AccountChange,
  AccountKeeper,
  AccountPatch,
  KeyCreation,
  KeyEnding,
  PlanPatch,
} from "./accounts/account_changes.ts";
export type { Account, AccountBook, AccountStatus, KeyEntry, KeyHolder, KeyRights, Plan } from "./accounts/accounts.ts";
export { ACCOUNT_STATUSES, EMPTY_BOOK, FREE_STARTER, indexKeys } from "./accounts/accounts.ts";
export { createKey, type IssuedKey, issueKey, type KeyIssuer, type NewKeyOptions } from "./accounts/create_key.ts";
export type { ApiKey } from "./accounts/keys.ts";
export type { Moment } from "./accounts/parse_moment.ts";
export { createRequestRate, type RequestRate } from "./accounts/request_rate.ts";
export { type ApiOptions, createApi } from "./api.ts";
export type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "./branded_types.ts";
export type { CorsRule } from "./http/cors.ts";
export { ERRORS, type ErrorCode, type Failure } from "./http/errors.ts";
export type * from "./http/messages.ts";
export type { KnownAssetCode } from "./market/asset_names.ts";
export type { Asset, AssetDefinition, Category, QuoteUnit } from "./market/assets.ts";
export { ASSETS, CATEGORIES, defineAsset, QUOTE_UNITS } from "./market/assets.ts";
export { type Candle, type CandleList, foldCandles, INTERVALS, type Interval, isComplete } from "./market/candles.ts";
export type { GoldPiece, GoldRates, GoldWorth } from "./market/coin_gold_value.ts";
export { GOLD_PIECES, goldWorth, gramOfGold, OUNCE_GRAMS } from "./market/coin_gold_value.ts";
export type { Ingest, IngestOptions, IngestOutcome, MarketRecord, RawRecord, RejectedRecord } from "./market/ingest.ts";
export { createIngest, createIngestUnknown, IngestInterrupted, RecordsRefused } from "./market/ingest.ts";
export { type Observation, QUALITY_STATUSES, type QualityStatus } from "./market/observation.ts";
export type { AssetDay, DayReferences, ReferenceAccess, ReferenceValue } from "./market/references.ts";
export * from "./ports.ts";
export type { CatalogEntry } from "./queries/catalog_entry.ts";
export type { ValueWithChange } from "./queries/on_or_before.ts";
export type { CandleQuery, CatalogFilter, PriceCalls } from "./queries/price_calls.ts";
export { PriceError, type PriceFailure } from "./queries/price_error.ts";
export type { PriceSettings } from "./queries/price_settings.ts";
export type { AssetValue, PriceCandle } from "./queries/price_values.ts";
export { createPrices, type PricedGold, type Prices, type PricesOptions } from "./queries/prices.ts";
export type { Result } from "./result.ts";
export type { CustomAnswer, CustomField, CustomSuccess } from "./routes/custom_answer.ts";
export type { CustomCall, CustomRoute, CustomRouteDefinition, ParameterOf } from "./routes/custom_route.ts";
export { defineRoute } from "./routes/custom_route.ts";
export type * from "./routes/route_docs.ts";
export type { Settings } from "./routes/settings.ts";
export type { AccountAccess, ServiceStatus } from "./routes/status_and_access.ts";
