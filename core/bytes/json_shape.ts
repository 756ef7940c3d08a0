/**
 * The shape of a JSON value: a `Kind`, a list whose items have one shape, or an object with at least these members. A
 * member whose name ends in `?` may be null. `whole` is an integer, `count` an integer of at least 0, `time` a text in
 * ISO 8601, and `"A"|"B"` one of these texts.
 */
export type Shape = Kind | readonly [Shape] | { readonly [name: string]: Shape };
type Kind = "string" | "number" | "boolean" | "whole" | "count" | "time" | `"${string}"`;

/** The TypeScript type of the values that a shape describes. */
export type Shaped<S> = S extends readonly [infer Item]
  ? readonly Shaped<Item>[]
  : S extends string
    ? OfKind<S>
    : OfMembers<S>;
type OfMembers<S> = {
  readonly [Name in keyof S as Name extends `${infer Bare}?` ? Bare : Name]: Name extends `${string}?`
    ? Shaped<S[Name]> | null
    : Shaped<S[Name]>;
};
type OfKind<S> = S extends "string" | "time" ? string : S extends "boolean" ? boolean : OfTexts<S>;
type OfTexts<S> = S extends `${infer One}|${infer Rest}`
  ? OfTexts<One> | OfTexts<Rest>
  : S extends `"${infer Text}"`
    ? Text
    : number;

/** The first difference of a value from a shape, such as `.keys.0.digest: wanted string`; `undefined` if it fits. */
export function differenceFrom(shape: Shape, value: unknown): string | undefined {
  if (typeof shape === "string") return fits(shape, value) ? undefined : `: wanted ${shape}`;
  const isList = Array.isArray(shape);
  if (!value || typeof value !== "object" || isList !== Array.isArray(value))
    return `: wanted ${isList ? "list" : "object"}`;
  const members = value as Readonly<Record<string, unknown>>; // of a list, too
  const shapes = shape as Readonly<Record<string, Shape>>;
  for (const name in isList ? members : shapes) {
    const bare = name.replace("?", "");
    const member = members[bare];
    const difference = bare !== name && member === null ? "" : differenceFrom(shapes[isList ? 0 : name]!, member);
    if (difference) return `.${bare}${difference}`;
  }
  return undefined;
}

/**
 * Returns a value if it has a shape. Otherwise throws a `TypeError` that names the wrong member, without its value.
 *
 * @param what The name of the value in the message, such as `the state of the mirror`.
 */
export function shaped<const S extends Shape>(shape: S, value: unknown, what: string): Shaped<S> {
  const difference = differenceFrom(shape, value);
  if (difference !== undefined) throw new TypeError(`Cannot read ${what}${difference}`);
  return value as Shaped<S>; // checked above
}

function fits(kind: Kind, value: unknown): boolean {
  if (kind === "whole") return Number.isSafeInteger(value);
  if (kind === "count") return Number.isSafeInteger(value) && (value as number) >= 0;
  if (kind === "time")
    return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.+Z-]+$/.test(value) && Date.parse(value) > -Infinity;
  if (kind.startsWith('"')) return typeof value === "string" && kind.split("|").includes(`"${value}"`);
  return typeof value === kind && value !== Infinity; // A number in JSON can be too large for a double.
}
