/** A type of a JSON value, or the shape of an object or of the items of a list. `?` stands for null or absent. */
export type Shape = "string" | "number" | "boolean" | "time" | "number?" | "time?" | readonly [Shape] | { readonly [name: string]: Shape };

const RECORD = { code: "string", value: "number", businessTime: "time" } as const;
const CANDLE = { start: "time", end: "time", open: "number", high: "number", low: "number", close: "number" } as const;

/** What a client relies on in each body. Further fields are passed on as they come. */
export const SHAPES = {
  record: RECORD,
  records: [RECORD],
  candles: { candles: [CANDLE] },
  catalog: { assets: [{ code: "string", latestValue: "number?", businessTime: "time?" }] },
  status: { status: "string", endpoints: ["string"] },
  access: { accessType: "string", attributionRequired: "boolean" },
} as const satisfies Record<string, Shape>;

/** Where a value differs from a shape: a path and what is wanted there; `undefined` where it does not. */
export function differenceFrom(shape: Shape, value: unknown, path = "body"): string | undefined {
  if (typeof shape === "string") {
    const [type, optional] = shape.split("?");
    if (optional !== undefined && (value === null || value === undefined)) return undefined;
    const fits = type === "time" ? typeof value === "string" && !Number.isNaN(Date.parse(value)) : typeof value === type;
    return fits ? undefined : `${path} is no ${type}`;
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return `${path} is no list`;
    return firstOf(value, (item, at) => differenceFrom(shape[0], item, `${path}[${at}]`));
  }
  if (typeof value !== "object" || value === null) return `${path} is no object`;
  const members = value as Readonly<Record<string, unknown>>;
  return firstOf(Object.entries(shape), ([name, wanted]) => differenceFrom(wanted, members[name], `${path}.${name}`));
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function firstOf<Item>(items: readonly Item[], find: (item: Item, at: number) => string | undefined): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
