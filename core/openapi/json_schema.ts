import { ERRORS } from "../http/errors.ts";
import { type Asset, CATEGORIES, QUOTE_UNITS } from "../market/assets.ts";
import { INTERVALS } from "../market/candles.ts";
import type { JsonSchema } from "../routes/route_docs.ts";

const FLAG = { type: "boolean" };
const COUNT = { type: "integer", minimum: 1 };

/** A reference to a schema of the document. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of the requests and answers of the nine routes. Source: contract, Resources. */
export function componentSchemas(assets: readonly Asset[]): Readonly<Record<string, JsonSchema>> {
  const labels = { labelEn: text("Base and quote name in English"), labelFa: text("Base and quote name in Persian") };
  const [code, quoteUnit, timestamp] = [refTo("AssetCode"), refTo("QuoteUnit"), refTo("Timestamp")];
  const value = refTo("MarketValue");
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
      value,
      businessTime: described(timestamp, businessTime),
    }),
    Catalog: record({
      updatedAt: described(timestamp, "When this answer was made, in UTC"),
      staleThresholdMinutes: described(COUNT, "Minutes after which an asset's latest record counts as stale"),
      assets: listOf(refTo("CatalogEntry"), "In the order of the catalog"),
    }),
    CatalogEntry: record({
      code,
      baseCode: text("The priced base: the code without its quote unit"),
      category: refTo("Category"),
      ...labels,
      quoteUnit,
      providers: listOf({ type: "string" }, "Names of the providers of the stored records"),
      providerSupported: described(FLAG, "Whether a provider is known"),
      latestValueAvailable: described(FLAG, "Whether there is a record"),
      latestValue: orNull(value, "Value of the latest record, in the asset's quote unit"),
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
      stale: described(FLAG, "Whether there is no record, or the latest is older than the threshold"),
      ohlcAvailable: described(FLAG, "Whether there are candles"),
      ohlcAvailableFrom: orNull(timestamp, "Time of the first record, in UTC"),
    }),
    Candles: record({
      code,
      baseCode: text("What is priced"),
      ...labels,
      quoteUnit,
      interval: refTo("Interval"),
      from: described(timestamp, "Start of the requested range, included; in UTC"),
      to: described(timestamp, "End of the requested range, excluded; in UTC"),
      availableFrom: orNull(timestamp, "Time of the first record, in UTC"),
      candles: {
        ...listOf(refTo("Candle"), "Ascending by start; an interval without records has no candle"),
        minItems: 1,
      },
    }),
    Candle: record({
      start: described(timestamp, "First moment of the candle, included; in UTC"),
      end: described(timestamp, "End of the candle, excluded; in UTC"),
      open: described(value, "First value of the candle, in the asset's quote unit"),
      high: described(value, "Highest value, in the asset's quote unit"),
      low: described(value, "Lowest value, in the asset's quote unit"),
      close: described(value, "Last value, in the asset's quote unit"),
      observationCount: described(COUNT, "Number of records in the candle"),
      complete: described(FLAG, "Whether the end of the candle has passed"),
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
      serverTime: described(timestamp, "The clock of this service, in UTC"),
      documentationUrl: text("The documentation of this service"),
      endpoints: listOf({ type: "string" }, "Method and path template of the routes of version 1"),
    }),
    Access: record({
      accessType: text("Name of the caller's plan"),
      attributionRequired: described(FLAG, "Whether the data source must be credited"),
    }),
    Error: record({
      status: { type: "integer", description: "The HTTP status" },
      code: refTo("ErrorCode"),
      message: text("The error in words, for people; the text may change"),
      timestamp: described(timestamp, "When this answer was made, in UTC"),
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

function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
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

function orNull(schema: JsonSchema, description: string): JsonSchema {
  return { anyOf: [schema, { type: "null" }], description: `${description}; null without a record` };
}
