// The part of the core that createPrices and the HTTP client share.
// This is a separate entry point, so that a web page does not load the rest of the core.

export type { AssetCode } from "./branded_types.ts";
export { differenceFrom, type Shape, type Shaped } from "./bytes/json_shape.ts";
export type { ErrorCode } from "./http/errors.ts";
export type { Category, QuoteUnit } from "./market/assets.ts";
export type { Interval } from "./market/candles.ts";
export { REQUEST_DAYS } from "./market/date_range.ts";
export type { CatalogEntry } from "./queries/catalog_entry.ts";
export { onOrBefore, type ValueWithChange } from "./queries/on_or_before.ts";
export { type CandleQuery, type CatalogFilter, type PriceCalls, timeText } from "./queries/price_calls.ts";
export { PriceError, type PriceFailure } from "./queries/price_error.ts";
export type { AssetValue, PriceCandle } from "./queries/price_values.ts";
export type { AccountAccess, ServiceStatus } from "./routes/status_and_access.ts";
