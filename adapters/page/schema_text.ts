/** A JSON Schema, as far as it is told in words. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** The type of a value in a few words, e.g. `list of AssetValue`, or `"RLS" or "USD"`. */
export function typeText(schema: SchemaNode): string {
  const { $ref, type, format, enum: values, items, anyOf } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (anyOf) return anyOf.map(typeText).join(" or ");
  if (items) return `list of ${typeText(items)}`;
  const name = typeof type === "string" ? type : type?.join(" or ");
  return format === undefined ? (name ?? "anything") : `${name ?? "string"} (${format})`;
}
