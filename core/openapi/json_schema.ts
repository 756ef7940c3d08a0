import { ERRORS } from "../http/errors.ts";
import { type Asset, CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import { INTERVALS } from "../market/candles.ts";
import type { JsonSchema } from "../routes/route_docs.ts";

/** A reference to a schema of the document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of the requests and answers of the nine routes. Source: contract, Resources. */
export function componentSchemas(assets: readonly Asset[]): Readonly<Record<string, JsonSchema>> {
  const labels = { labelEn: text("Base and quote name in English"), labelFa: text("Base and quote name in Persian") };
  const [code, quoteUnit, timestamp] = [refTo("AssetCode"), refTo("QuoteUnit"), refTo("Timestamp")];
  const inUnit = "In the asset's quote unit, in plain decimal digits";
  const codes = assets.map((asset) => asset.code);
  const businessTime = "Time of the record on the market, in UTC";
  return {
    AssetCode: { ...text("A code of the catalog"), ...(codes.length > 0 && { enum: codes }) },
    QuoteUnit: oneOf(
      QUOTE_UNITS,
      "The unit of an asset's values: RLS is the Iranian rial (ten rial are a toman), USD the US dollar",
    ),
    Category: oneOf(CATEGORIES, "What kind of asset it is"),
    Interval: oneOf([...INTERVALS.keys()], "Width of a candle; days are UTC days"),
    MarketValue: { type: "number", exclusiveMinimum: 0, description: inUnit },
    Timestamp: {
      ...text("UTC, with milliseconds"),
      format: "date-time",
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
    },
    AssetValue: record({
      code,
      name: text("The same as code"),
      slug: text("The code in lower case"),
      ...labels,
      quoteUnit,
      value: refTo("MarketValue"),
      businessTime: time(businessTime),
    }),
    Catalog: record({
      updatedAt: time("When this answer was made, in UTC"),
      staleThresholdMinutes: atLeastOne("Minutes after which an asset's latest record counts as stale"),
      assets: listOf(refTo("CatalogEntry"), "In the order of the catalog"),
    }),
    CatalogEntry: record({
      code,
      baseCode: text("The priced base: the code without its quote unit"),
      category: refTo("Category"),
      ...labels,
      quoteUnit,
      providers: listOf({ type: "string" }, "Names of the providers of the stored records"),
      providerSupported: flag("Whether a provider is known"),
      latestValueAvailable: flag("Whether there is a record"),
      latestValue: orNull(refTo("MarketValue"), "Value of the latest record, in the asset's quote unit"),
      businessTime: orNull(timestamp, businessTime),
      sourceTime: orNull(timestamp, "Time that the provider states for the record, else the business time; in UTC"),
      insertTime: orNull(timestamp, "Time at which this service stored the record, in UTC"),
      qualityStatus: {
        type: ["string", "null"],
        enum: ["ACCEPTED", null],
        description: "Only accepted records are returned; null without a record",
      },
      qualityMessage: text("A remark on the record; may be empty"),
      availabilityStatus: oneOf(["AVAILABLE", "UNAVAILABLE"], "Whether there is a latest value"),
      stale: flag("Whether there is no record, or the latest is older than the threshold"),
      ohlcAvailable: flag("Whether there are candles"),
      ohlcAvailableFrom: orNull(timestamp, "Time of the first record, in UTC"),
    }),
    Candles: record({
      code,
      baseCode: text("What is priced"),
      ...labels,
      quoteUnit,
      interval: refTo("Interval"),
      from: time("Start of the requested range, included; in UTC"),
      to: time("End of the requested range, excluded; in UTC"),
      availableFrom: orNull(timestamp, "Time of the first record, in UTC"),
      candles: {
        ...listOf(refTo("Candle"), "Ascending by start; an interval without records has no candle"),
        minItems: 1,
      },
    }),
    Candle: record({
      start: time("First moment of the candle, included; in UTC"),
      end: time("End of the candle, excluded; in UTC"),
      open: price("First value of the candle"),
      high: price("Highest value"),
      low: price("Lowest value"),
      close: price("Last value"),
      observationCount: atLeastOne("Number of records in the candle"),
      complete: flag("Whether the end of the candle has passed"),
    }),
    DateRange: {
      type: "object",
      properties: {
        fromDate: { ...text("First day"), format: "date" },
        toDate: { ...text("Last day, included"), format: "date" },
      },
      required: ["fromDate", "toDate"],
    },
    Status: record({
      status: oneOf(["OK", "UNAVAILABLE"], "Whether requests with a key are served"),
      application: text("Name of this service"),
      apiVersion: { ...text("Version of the API, as in its paths"), const: "v1" },
      serverTime: time("The clock of this service, in UTC"),
      documentationUrl: text("The documentation of this service"),
      endpoints: listOf({ type: "string" }, "Method and path template of the routes of version 1"),
    }),
    Access: record({
      accessType: text("Name of the caller's plan"),
      attributionRequired: flag("Whether the data source must be credited"),
    }),
    Error: record({
      status: { type: "integer", description: "The HTTP status" },
      code: refTo("ErrorCode"),
      message: text("The error in words, for people; the text may change"),
      timestamp: time("When this answer was made, in UTC"),
      path: text("The path of the request"),
      requestId: text("The same as the field X-Request-Id"),
    }),
    ErrorCode: oneOf(Object.keys(ERRORS), "The error, for programs"),
  };
}

/** An object that has all of these members, and no other members. */
function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function text(description: string): JsonSchema {
  return { type: "string", description };
}

function oneOf(texts: readonly string[], description: string): JsonSchema {
  return { ...text(description), enum: texts };
}

function listOf(items: JsonSchema, description: string): JsonSchema {
  return { type: "array", items, description };
}

function flag(description: string): JsonSchema {
  return { type: "boolean", description };
}

function atLeastOne(description: string): JsonSchema {
  return { type: "integer", minimum: 1, description };
}

function time(description: string): JsonSchema {
  return { ...refTo("Timestamp"), description };
}

function price(description: string): JsonSchema {
  return { ...refTo("MarketValue"), description: `${description}, in the asset's quote unit` };
}

function orNull(schema: JsonSchema, description: string): JsonSchema {
  return { anyOf: [schema, { type: "null" }], description: `${description}; null without a record` };
}
