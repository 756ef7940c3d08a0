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
  ValueWithChange,
} from "../../core/client_entry.ts";
export { PriceError } from "../../core/client_entry.ts";
export type { CallOptions } from "./call_server.ts";
export { type Client, createClient, type RangeOptions } from "./client.ts";
export type { ClientOptions } from "./client_options.ts";
export { QuotaExceeded } from "./failures.ts";
export { createIngestClient, type IngestCallOptions, type Ingested } from "./ingest.ts";
export { type Quota, quotaOf } from "./quota.ts";
export type { Progress } from "./range_pieces.ts";
