import { ERRORS } from "../http/errors.ts";
import { type Asset, CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import { INTERVALS } from "../market/candles.ts";
import type { JsonSchema } from "../routes/route_docs.ts";

/** A reference to a schema of the document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of what the nine routes take and answer. Source: contract, Resources. */
export function componentSchemas(assets: readonly Asset[]): Readonly<Record<string, JsonSchema>> {
  const labels = { labelEn: text("Base and quote name in English"), labelFa: text("Base and quote name in Persian") };
  const quoteUnit = refTo("QuoteUnit");
  const businessTime = "The market's time of the record";
  return {
    AssetCode: {
      type: "string",
      description: "A code of the catalog",
      ...(assets.length > 0 && { enum: assets.map(({ code }) => code) }),
    },
    QuoteUnit: {
      type: "string",
      description: "The unit of an asset's values: RLS is the Iranian rial (ten rial are a toman), USD the US dollar",
      enum: QUOTE_UNITS,
    },
    Category: { type: "string", description: "What kind of asset it is", enum: CATEGORIES },
    Interval: { type: "string", description: "Width of a candle; days are those of UTC", enum: [...INTERVALS.keys()] },
    MarketValue: {
      type: "number",
      exclusiveMinimum: 0,
      description: "In the asset's quote unit, in plain decimal digits",
    },
    Timestamp: {
      type: "string",
      format: "date-time",
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
      description: "UTC, with milliseconds",
    },
    AssetValue: record({
      code: refTo("AssetCode"),
      name: text("The same as code"),
      slug: text("The code in lower case"),
      ...labels,
      quoteUnit,
      value: refTo("MarketValue"),
      businessTime: time(`${businessTime}, in UTC`),
    }),
    Catalog: record({
      updatedAt: time("When this answer was made, in UTC"),
      staleThresholdMinutes: {
        type: "integer",
        minimum: 1,
        description: "Minutes after which a latest record counts as stale",
      },
      assets: { type: "array", items: refTo("CatalogEntry"), description: "In the order of the catalog" },
    }),
    CatalogEntry: record({
      code: refTo("AssetCode"),
      baseCode: text("What is priced: the code before its quote unit"),
      category: refTo("Category"),
      ...labels,
      quoteUnit,
      providers: { type: "array", items: { type: "string" }, description: "Names of those whose records are stored" },
      providerSupported: flag("Whether a provider is known"),
      latestValueAvailable: flag("Whether there is a record"),
      latestValue: orNull(
        refTo("MarketValue"),
        "Value of the latest record, in the asset's quote unit; null without a record",
      ),
      businessTime: orNull(refTo("Timestamp"), `${businessTime}, in UTC; null without a record`),
      sourceTime: orNull(
        refTo("Timestamp"),
        "The provider's time of the record, in UTC, or the business time where it named none; null without a record",
      ),
      insertTime: orNull(refTo("Timestamp"), "When this service stored the record, in UTC; null without a record"),
      qualityStatus: {
        type: ["string", "null"],
        enum: ["ACCEPTED", null],
        description: "Only accepted records are answered; null without a record",
      },
      qualityMessage: text("A remark on the record; may be empty"),
      availabilityStatus: {
        type: "string",
        enum: ["AVAILABLE", "UNAVAILABLE"],
        description: "Whether there is a latest value",
      },
      stale: flag("Whether there is no record, or the latest is older than the threshold"),
      ohlcAvailable: flag("Whether there are candles"),
      ohlcAvailableFrom: orNull(refTo("Timestamp"), "Time of the first record, in UTC; null without a record"),
    }),
    Candles: record({
      code: refTo("AssetCode"),
      baseCode: text("What is priced"),
      ...labels,
      quoteUnit,
      interval: refTo("Interval"),
      from: time("The first moment that was asked for, included; in UTC"),
      to: time("The last moment that was asked for, excluded; in UTC"),
      availableFrom: orNull(refTo("Timestamp"), "Time of the first record, in UTC"),
      candles: {
        type: "array",
        minItems: 1,
        items: refTo("Candle"),
        description: "Ascending by start; an interval without a record has none",
      },
    }),
    Candle: record({
      start: time("First moment of the candle, included; in UTC"),
      end: time("End of the candle, excluded; in UTC"),
      open: price("First value of the candle"),
      high: price("Highest value"),
      low: price("Lowest value"),
      close: price("Last value"),
      observationCount: { type: "integer", minimum: 1, description: "Number of records in the candle" },
      complete: flag("Whether its end has passed"),
    }),
    DateRange: {
      type: "object",
      properties: {
        fromDate: { type: "string", format: "date", description: "First day" },
        toDate: { type: "string", format: "date", description: "Last day, included" },
      },
      required: ["fromDate", "toDate"],
    },
    Status: record({
      status: { type: "string", enum: ["OK", "UNAVAILABLE"], description: "Whether requests with a key are served" },
      application: text("Name of this service"),
      apiVersion: { type: "string", const: "v1", description: "Version of the API, as in its paths" },
      serverTime: time("The clock of this service, in UTC"),
      documentationUrl: text("Where people read about this service"),
      endpoints: {
        type: "array",
        items: { type: "string" },
        description: "Method and path template of the routes of version 1",
      },
    }),
    Access: record({
      accessType: text("Name of the caller's plan"),
      attributionRequired: flag("Whether the data source must be credited"),
    }),
    Error: record({
      status: { type: "integer", description: "The HTTP status" },
      code: refTo("ErrorCode"),
      message: text("What was wrong, for people; it may change"),
      timestamp: time("When this answer was made, in UTC"),
      path: text("The path of the request"),
      requestId: text("The same as the field X-Request-Id"),
    }),
    ErrorCode: { type: "string", description: "What was wrong, for programs", enum: Object.keys(ERRORS) },
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

function time(description: string): JsonSchema {
  return { ...refTo("Timestamp"), description };
}

function price(description: string): JsonSchema {
  return { ...refTo("MarketValue"), description: `${description}, in the asset's quote unit` };
}

function orNull(schema: JsonSchema, description: string): JsonSchema {
  return { anyOf: [schema, { type: "null" }], description };
}
