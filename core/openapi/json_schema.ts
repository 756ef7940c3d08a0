import { CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import type { Asset } from "../market/assets.ts";
import { INTERVALS } from "../market/candles.ts";
import { ERRORS } from "../http/errors.ts";
import type { JsonSchema } from "../routes/route_docs.ts";

/** A reference to a schema of the document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of what the nine routes take and answer. Source: contract, Resources. */
export function componentSchemas(assets: readonly Asset[]): Readonly<Record<string, JsonSchema>> {
  const labels = { labelEn: text("Base and quote name in English"), labelFa: text("Base and quote name in Persian") };
  const quoteUnit = refTo("QuoteUnit");
  const price = refTo("MarketValue");
  const time = refTo("Timestamp");
  return {
    AssetCode: { type: "string", description: "A code of the catalog", ...(assets.length > 0 && { enum: assets.map(({ code }) => code) }) },
    QuoteUnit: { type: "string", description: "The unit of an asset's values: RLS is the Iranian rial (ten rial are a toman), USD the US dollar", enum: QUOTE_UNITS },
    Category: { type: "string", enum: CATEGORIES },
    Interval: { type: "string", description: "Width of a candle; days are those of UTC", enum: [...INTERVALS.keys()] },
    MarketValue: { type: "number", exclusiveMinimum: 0, description: "In the asset's quote unit, in plain decimal digits" },
    Timestamp: { type: "string", format: "date-time", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$", description: "UTC, with milliseconds" },
    AssetValue: record({
      code: refTo("AssetCode"),
      name: text("The same as code"),
      slug: text("The code in lower case"),
      ...labels, quoteUnit, value: price, businessTime: time,
    }),
    Catalog: record({
      updatedAt: time,
      staleThresholdMinutes: { type: "integer", minimum: 1 },
      assets: { type: "array", items: refTo("CatalogEntry") },
    }),
    CatalogEntry: record({
      code: refTo("AssetCode"),
      baseCode: text("What is priced: the code before its quote unit"),
      category: refTo("Category"),
      ...labels, quoteUnit,
      providers: { type: "array", items: { type: "string" } },
      providerSupported: flag("Whether a provider is known"),
      latestValueAvailable: flag("Whether there is a record"),
      latestValue: orNull(price), businessTime: orNull(time), sourceTime: orNull(time), insertTime: orNull(time),
      qualityStatus: { type: ["string", "null"], enum: ["ACCEPTED", null] },
      qualityMessage: text("May be empty"),
      availabilityStatus: { type: "string", enum: ["AVAILABLE", "UNAVAILABLE"] },
      stale: flag("Whether there is no record, or the latest is older than the threshold"),
      ohlcAvailable: flag("Whether there are candles"),
      ohlcAvailableFrom: orNull(time),
    }),
    Candles: record({
      code: refTo("AssetCode"),
      baseCode: text("What is priced"),
      ...labels, quoteUnit,
      interval: refTo("Interval"),
      from: time, to: time, availableFrom: orNull(time),
      candles: { type: "array", minItems: 1, items: refTo("Candle") },
    }),
    Candle: record({
      start: time, end: time, open: price, high: price, low: price, close: price,
      observationCount: { type: "integer", minimum: 1 },
      complete: flag("Whether its end has passed"),
    }),
    DateRange: {
      type: "object",
      properties: { fromDate: { type: "string", format: "date" }, toDate: { type: "string", format: "date" } },
      required: ["fromDate", "toDate"],
    },
    Status: record({
      status: { type: "string", enum: ["OK", "UNAVAILABLE"] },
      application: text("Name of this service"),
      apiVersion: { type: "string", const: "v1" },
      serverTime: time,
      documentationUrl: { type: "string" },
      endpoints: { type: "array", items: { type: "string" }, description: "Method and path template of the routes of version 1" },
    }),
    Access: record({ accessType: text("Name of the caller's plan"), attributionRequired: flag("Whether the data source must be credited") }),
    Error: record({
      status: { type: "integer" },
      code: refTo("ErrorCode"),
      message: text("What was wrong, for people; it may change"),
      timestamp: time,
      path: text("The path of the request"),
      requestId: text("The same as the field X-Request-Id"),
    }),
    ErrorCode: { type: "string", enum: Object.keys(ERRORS) },
  };
}

/** An object with these members, all of them, and no others. */
function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function text(description: string): JsonSchema {
  return { type: "string", description };
}

function flag(description: string): JsonSchema {
  return { type: "boolean", description };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
