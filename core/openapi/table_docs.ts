// Documentation of the nine routes for the OpenAPI document. A route without documentation does not compile.
// Apps that do not serve the document do not bundle this module.
import type { UtcMillis } from "../branded_types.ts";
import type { Asset } from "../market/assets.ts";
import type { Observation } from "../market/observation.ts";
import { catalogEntry } from "../queries/catalog_entry.ts";
import { assetValue } from "../queries/price_values.ts";
import type { ParameterDocs, RouteDocs } from "../routes/route_docs.ts";
import type { RouteName } from "../routes/route_table.ts";
import { refTo } from "./json_schema.ts";

const TIME = "2026-11-20T16:30:00.000Z";
const MILLIS = /* @__PURE__ */ Date.parse(TIME) as UtcMillis;
const DAY = "2026-11-20";
const FIRST_DAY = "2026-11-14";
/** `FIRST_DAY` and `DAY` as times, at midnight in UTC. */
const SINCE = "2026-11-14T00:00:00.000Z";
const UNTIL = "2026-11-20T00:00:00.000Z";
const UNITS = "Values of codes that end in `_RLS` are in rial, values of codes that end in `_USD` in US dollars.";

/** The documentation of the nine routes, with examples for one asset of the catalog. */
export function tableDocs(example: Asset): Readonly<Record<RouteName, RouteDocs & { readonly summary: string }>> {
  const { code, baseCode, category, labelEn, labelFa, quoteUnit } = example;
  const times = { businessTime: MILLIS, sourceTime: MILLIS, insertTime: MILLIS };
  const quality = { qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  const latest: Observation = { code, value: 1_905_000, ...times, provider: "our desk", ...quality };
  const value = assetValue(example, latest);
  const entry = catalogEntry(example, { latest, availableFrom: MILLIS, providers: ["our desk"] }, false);
  const asset: ParameterDocs = {
    description: "Asset code, exactly as in the catalog",
    schema: refTo("AssetCode"),
    example: code,
  };
  const values = { schema: { type: "array", items: refTo("AssetValue") }, example: [value] };
  const rangeFailures = ["ASSET_NOT_FOUND", "INVALID_DATE", "MISSING_PARAMETER", "INVALID_DATE_RANGE"] as const;
  const history =
    "At most one record for each day of the market's time zone, ascending; days without a record are left out. The last day may be 0 to 31 days after the first.";
  const asked = { code, baseCode, labelEn, labelFa, quoteUnit, interval: "1d" };
  const prices = { open: 1_903_000, high: 1_906_500, low: 1_902_000, close: 1_905_000 };
  const candle = { start: SINCE, end: "2026-11-15T00:00:00.000Z", ...prices, observationCount: 4, complete: true };
  const candles = { ...asked, from: SINCE, to: UNTIL, availableFrom: SINCE, candles: [candle] };
  const catalog = { updatedAt: TIME, staleThresholdMinutes: 60, assets: [entry] };
  const service = { status: "OK", application: "mazaneh", apiVersion: "v1", serverTime: TIME };
  const links = { documentationUrl: "https://prices.example/docs", endpoints: ["GET /api/v1/status"] };
  const status = { ...service, ...links };
  const unit = refTo("QuoteUnit");
  const required = (format: "date" | "date-time", description: string, example: string): ParameterDocs => {
    return { description, schema: { type: "string", format }, example, required: true };
  };
  return {
    "GET /api/v1/assets": {
      operationId: "listLatest",
      summary: "Latest values",
      description: `${UNITS} Codes without a record are left out.`,
      parameters: {
        codes: {
          description: "Codes, separated by commas; default: all",
          schema: { type: "array", items: refTo("AssetCode"), minItems: 1, maxItems: 200 },
          example: [code],
        },
      },
      answer: values,
      failures: ["INVALID_CODES", "ASSET_NOT_FOUND"],
    },
    "GET /api/v1/assets/supported": {
      operationId: "listSupported",
      summary: "Asset catalog",
      description: "Coverage and freshness of every asset. Both filters apply together.",
      parameters: {
        category: { description: "Only assets of this category", schema: refTo("Category"), example: category },
        quoteUnit: { description: "Only assets with values in this unit", schema: unit, example: quoteUnit },
      },
      answer: { schema: refTo("Catalog"), example: catalog },
      failures: ["INVALID_FILTER"],
    },
    "GET /api/v1/assets/{assetName}": {
      operationId: "getLatest",
      summary: "Latest value of an asset",
      description: UNITS,
      parameters: { assetName: asset },
      answer: { schema: refTo("AssetValue"), example: value },
      failures: ["ASSET_NOT_FOUND"],
    },
    "GET /api/v1/assets/{assetName}/{date}": {
      operationId: "getOnDate",
      summary: "Value on a day",
      description:
        "The last record of a day in the market's time zone. If the day has no record, the answer is 404, with a `Link` header field to the last earlier day with a record.",
      parameters: { assetName: asset, date: required("date", "Gregorian day, `YYYY-MM-DD`", DAY) },
      answer: { schema: refTo("AssetValue"), example: value },
      failures: ["ASSET_NOT_FOUND", "INVALID_DATE"],
    },
    "GET /api/v1/assets/{assetName}/history": {
      operationId: "getHistory",
      summary: "History of an asset",
      description: history,
      parameters: {
        assetName: asset,
        from: required("date", "First day, Gregorian, `YYYY-MM-DD`", FIRST_DAY),
        to: required("date", "Last day, included; at most 31 days after the first", DAY),
      },
      answer: values,
      failures: rangeFailures,
    },
    "GET /api/v1/assets/{assetCode}/ohlc": {
      operationId: "getCandles",
      summary: "Candles of an asset",
      description:
        "Candles that start between the two times. Each starts at a multiple of the interval since 1970-01-01T00:00:00Z, so a daily candle begins at midnight in UTC, while days in the other routes are market days.",
      parameters: {
        assetCode: asset,
        interval: { description: "Width of a candle", schema: refTo("Interval"), example: "1d", required: true },
        from: required("date-time", "First moment, included; ISO 8601 in UTC", SINCE),
        to: required("date-time", "Last moment, excluded; ISO 8601 in UTC", UNTIL),
      },
      answer: { schema: refTo("Candles"), example: candles },
      failures: [
        "ASSET_NOT_FOUND",
        "OHLC_NOT_FOUND",
        "MISSING_PARAMETER",
        "INVALID_INTERVAL",
        "INVALID_TIMESTAMP",
        "INVALID_OHLC_RANGE",
      ],
    },
    "POST /api/v1/assets/{assetName}": {
      operationId: "postHistory",
      summary: "History by JSON body",
      description: history,
      parameters: { assetName: asset },
      body: { schema: refTo("DateRange"), example: { fromDate: FIRST_DAY, toDate: DAY } },
      answer: values,
      failures: [...rangeFailures, "INVALID_BODY", "UNSUPPORTED_MEDIA_TYPE"],
    },
    "GET /api/v1/status": {
      operationId: "getStatus",
      summary: "Service status",
      description: "`UNAVAILABLE` means that requests with a key cannot be served at the moment.",
      answer: { schema: refTo("Status"), example: status },
    },
    "GET /api/v1/access": {
      operationId: "getAccess",
      summary: "Plan of the key",
      description: "The header fields report the remaining units.",
      answer: { schema: refTo("Access"), example: { accessType: "FREE_STARTER", attributionRequired: true } },
    },
  };
}
