/**
 * A typed client for servers of the market-data price API, on any runtime with `fetch`.
 *
 * @module
 */
export { createClient } from "./client.ts";
export type { Client, RangeOptions } from "./client.ts";
export type { CallOptions } from "./ask.ts";
export type { ClientOptions } from "./settings.ts";
export type { Progress } from "./pieces.ts";
export { createIngestClient } from "./ingest.ts";
export type { Ingested, IngestCallOptions } from "./ingest.ts";
export { QuotaExceeded } from "./failures.ts";
export { quotaOf } from "./quota.ts";
export type { Quota } from "./quota.ts";
export { PriceError } from "../../core/calls.ts";
export type {
  AccountAccess,
  AssetCode,
  AssetValue,
  CandleQuery,
  CatalogEntry,
  CatalogFilter,
  Category,
  Interval,
  PriceCalls,
  PriceCandle,
  QuoteUnit,
  ServiceStatus,
} from "../../core/calls.ts";
