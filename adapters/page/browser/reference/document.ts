// Reads the OpenAPI document as what it is to a page: data from outside, in which any member may be missing.

/** An object of the document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; anything else has no members. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list; anything else has no items. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

/** Follows a reference within the document. Members beside `$ref` win over those of its target. */
export type Resolve = (value: unknown) => JsonObject;

/** Makes the `Resolve` of a document. A reference that leads nowhere, or in a circle, has no members but its own. */
export function createResolve(document: unknown): Resolve {
  return function resolve(value, followed: readonly string[] = []): JsonObject {
    const own = objectOf(value);
    const reference = textOf(own["$ref"]);
    if (reference === undefined || followed.includes(reference)) return own;
    return { ...resolve(at(document, reference), [...followed, reference]), ...own };
  };
}

/** What stands at a JSON pointer such as `#/components/schemas/Candle`. */
function at(document: unknown, reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce<unknown>((value, name) => (Object.hasOwn(objectOf(value), name) ? objectOf(value)[name] : undefined), document);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
