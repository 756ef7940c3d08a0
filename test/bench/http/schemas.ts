// JSON schemas of the answers, from which Fastify makes its serializers.
const text = { type: "string" } as const;
const number = { type: "number" } as const;
const boolean = { type: "boolean" } as const;
const textOrNull = { type: "string", nullable: true } as const;

/** An asset value record. */
export const RECORD = objectOf({
  code: text, name: text, slug: text, labelEn: text, labelFa: text, quoteUnit: text, value: number, businessTime: text,
});

/** Records. */
export const LIST = { type: "array", items: RECORD } as const;

/** The candles of an asset. */
export const CANDLES = objectOf({
  code: text, baseCode: text, labelEn: text, labelFa: text, quoteUnit: text,
  interval: text, from: text, to: text, availableFrom: textOrNull,
  candles: {
    type: "array",
    items: objectOf({
      start: text, end: text, open: number, high: number, low: number, close: number,
      observationCount: { type: "integer" }, complete: boolean,
    }),
  },
});

/** The catalog. */
export const CATALOG = objectOf({
  updatedAt: text,
  staleThresholdMinutes: { type: "integer" },
  assets: {
    type: "array",
    items: objectOf({
      code: text, baseCode: text, category: text, labelEn: text, labelFa: text, quoteUnit: text,
      providers: { type: "array", items: text }, providerSupported: boolean, latestValueAvailable: boolean,
      latestValue: { type: "number", nullable: true }, businessTime: textOrNull, sourceTime: textOrNull, insertTime: textOrNull,
      qualityStatus: textOrNull, qualityMessage: text, availabilityStatus: text, stale: boolean, ohlcAvailable: boolean,
      ohlcAvailableFrom: textOrNull,
    }),
  },
});

function objectOf(properties: object): object {
  return { type: "object", properties };
}
