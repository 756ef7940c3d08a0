/**
 * A typed client for servers of the market-data price API, on any runtime with `fetch`.
 *
 * @module
 */

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
export { PriceError } from "../../core/calls.ts";
export type { CallOptions } from "./ask.ts";
export type { Client, RangeOptions } from "./client.ts";
export { createClient } from "./client.ts";
export { QuotaExceeded } from "./failures.ts";
export type { IngestCallOptions, Ingested } from "./ingest.ts";
export { createIngestClient } from "./ingest.ts";
export type { Progress } from "./pieces.ts";
export type { Quota } from "./quota.ts";
export { quotaOf } from "./quota.ts";
export type { ClientOptions } from "./settings.ts";
