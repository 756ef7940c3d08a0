// The part of the core that only the adapters of this package use, in addition to mod.ts. It may change at any time.

export { applyChange, plainChange } from "./accounts/account_changes.ts";
export { isServed, KEY_RIGHTS } from "./accounts/accounts.ts";
export { BASE62_DIGITS, base62 } from "./accounts/base62.ts";
export { addKey } from "./accounts/create_key.ts";
export { parseKey } from "./accounts/keys.ts";
export { createParallelLimit } from "./accounts/parallel_limit.ts";
export { quotaDayAt } from "./accounts/quota.ts";
export { rateLimited } from "./accounts/request_rate.ts";
export { rowFrom } from "./binary_search.ts";
export { crc32, crc32Hex } from "./bytes/crc32.ts";
export { csvRecord, guardFormula, joinCsv, unguardFormula } from "./bytes/csv.ts";
export { formatDecimal, isModestJson, parseObject } from "./bytes/json.ts";
export type { Shape, Shaped } from "./bytes/json_shape.ts";
export { shaped } from "./bytes/json_shape.ts";
export { decimalRoom, writeAscii, writeDecimal } from "./bytes/json_writer.ts";
export { utf8 } from "./bytes/utf8.ts";
export type { ContentEncoding } from "./http/content_encoding.ts";
export { isBodiless, represent } from "./http/content_encoding.ts";
export { UNREADABLE } from "./http/dates_body.ts";
export type { Failure } from "./http/errors.ts";
export { failure } from "./http/errors.ts";
export { utf8MediaType, valueOf } from "./http/headers.ts";
export { maskKeys } from "./http/mask_keys.ts";
export { targetAfter } from "./http/request_target.ts";
export { CRYPTO_NAMES } from "./market/asset_names.ts";
export { indexAssets } from "./market/assets.ts";
export { REQUEST_DAYS } from "./market/date_range.ts";
export { checkRecord } from "./market/ingest.ts";
export type { AffordableJewellery, JewelleryReceipt, JewelleryTerms } from "./market/jewellery_price.ts";
export { affordableJewellery, gramOfFineness, KARAT_FINENESS, priceJewellery } from "./market/jewellery_price.ts";
export type { Neighbours } from "./market/neighbours.ts";
export {
  CONFIRM,
  demandObservations,
  EMBEDDER,
  listedProviders,
  MAX_PROVIDER_LENGTH,
  observationFault,
} from "./market/observation.ts";
export { SOURCE_DAYS_MS } from "./market/references.ts";
export { after, afterWith, attempt, isLater } from "./maybe_promise.ts";
export { lastUpTo } from "./queries/on_or_before.ts";
export { suggestAssets } from "./queries/suggest_assets.ts";
export { err, ok } from "./result.ts";
export type { Answer, Handler } from "./routes/handler.ts";
export { ROUTES } from "./routes/route_table.ts";
export { isPending, isSameRecord, keyOf } from "./series/changed_records.ts";
export { createVersionNames, readSide } from "./series/observations_port.ts";
export type { PriceColumns } from "./series/series.ts";
export type { SeriesStore } from "./series/series_store.ts";
export { createSeriesStore } from "./series/series_store.ts";
export { checkedClock, checkedTime } from "./time/clock.ts";
export { dateOfDayNumber, dayNumber, parseDate } from "./time/dates.ts";
export { DAY_MS, HOUR_MS, MINUTE_MS, millisSince } from "./time/durations.ts";
export { gregorianOf, jalaliHint } from "./time/jalali.ts";
export { formatTimestamp, isPrintable, parseTimestamp } from "./time/timestamps.ts";
export type { Zone } from "./time/zone.ts";
export { createZone } from "./time/zone.ts";
