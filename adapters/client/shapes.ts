/**
 * A type of a JSON value, the text between quotation marks, or the shape of an object or of the items of a list. A `time` is
 * ISO 8601; `?` stands for null or absent.
 */
export type Shape = "string" | "number" | "boolean" | "time" | "number?" | `"${string}"` | readonly [Shape] | { readonly [name: string]: Shape };

// What a client relies on in each body. Further fields are passed on as they come.
const RECORD = { code: "string", value: "number", businessTime: "time" } as const;
const CANDLE = { start: "time", end: "time", open: "number", high: "number", low: "number", close: "number" } as const;

/** The latest records of several assets. */
export const RECORDS: Shape = [RECORD];
/** The catalog. */
export const CATALOG: Shape = { assets: [{ code: "string", latestValue: "number?" }] };
/** The status answer. */
export const STATUS: Shape = { status: "string" };
/** The access answer. */
export const ACCESS: Shape = { accessType: "string", attributionRequired: "boolean" };

/** A record of this asset: one that came of a cache for another question is refused. */
export function recordOf(code: string): Shape {
  return { ...RECORD, code: `"${code}"` };
}

/** Candles of this asset. */
export function candlesOf(code: string, interval: string): Shape {
  return { code: `"${code}"`, interval: `"${interval}"`, candles: [CANDLE] };
}

/** Where a value differs from a shape, and what is wanted there; `undefined` where it does not. */
export function differenceFrom(shape: Shape, value: unknown): string | undefined {
  if (typeof shape === "string") return fits(shape, value) ? undefined : `: wanted ${shape}`;
  if (typeof value !== "object" || value === null || isList(shape) !== Array.isArray(value)) return `: wanted ${isList(shape) ? "list" : "object"}`;
  const members = value as Readonly<Record<string, unknown>>; // of a list, too
  for (const name in isList(shape) ? members : shape) {
    const difference = differenceFrom(isList(shape) ? shape[0] : shape[name]!, members[name]);
    if (difference !== undefined) return `.${name}${difference}`;
  }
  return undefined;
}

function fits(shape: string, value: unknown): boolean {
  if (shape.startsWith('"')) return value === shape.slice(1, -1);
  if (shape === "time") return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
  // JSON may hold a number that is too large for any.
  return (shape === "number?" && (value ?? null) === null) || (`${typeof value}?`.startsWith(shape) && value !== Infinity);
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
