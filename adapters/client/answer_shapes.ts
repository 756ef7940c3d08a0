import type { Shape } from "../../core/client_entry.ts";

// The fields that the client needs from each body. The client passes on all other fields unchecked.
const RECORD = { code: "string", value: "number", businessTime: "time" } as const;
const CANDLE = { start: "time", end: "time", open: "number", high: "number", low: "number", close: "number" } as const;

/** The latest records of several assets. */
export const RECORDS: Shape = [RECORD];
/** The catalog. */
export const CATALOG: Shape = { assets: [{ code: "string", "latestValue?": "number" }] };
/** The status answer. */
export const STATUS: Shape = { status: "string" };
/** The access answer. */
export const ACCESS: Shape = { accessType: "string", attributionRequired: "boolean" };

/** A record of this asset. Refuses the record of another asset, which a faulty cache may return. */
export function recordOf(code: string): Shape {
  return { ...RECORD, code: `"${code}"` };
}

/** Candles of this asset. */
export function candlesOf(code: string, interval: string): Shape {
  return { code: `"${code}"`, interval: `"${interval}"`, candles: [CANDLE] };
}
