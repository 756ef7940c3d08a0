// The one reader of the OpenAPI document: /docs.md, /llms.txt and the reference tell what it finds.
import type { OpenApiDocument } from "../../../core/openapi/mod.ts";

/** What a document says, in its order. */
export interface Reference {
  readonly operations: readonly Operation[];
  /** The fields of answers. */
  readonly headers: readonly { readonly name: string; readonly description: string; readonly example: string }[];
  /** The schemas that have a name, without the codes of assets and errors, which have tables of their own. */
  readonly shapes: readonly { readonly name: string; readonly schema: Schema }[];
  readonly errors: readonly { readonly code: string; readonly status: number; readonly message: string }[];
  /** The base URL of a service that has told its whole address, without a slash at the end. */
  readonly baseUrl: string | undefined;
}

/** A route. */
export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** From the base URL on, e.g. `/api/v1/assets/{assetName}`. */
  readonly path: string;
  readonly summary: string;
  /** A text for each paragraph; the last one tells the cost. */
  readonly description: readonly string[];
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  /** Of a success, by what the request accepts; the first one is that of requests that accept all. */
  readonly answers: readonly Body[];
  /** What a 304 says, where there may be one. */
  readonly notModified: string | undefined;
  /** The error codes; `general` are those of every route that needs a key, or of every one that needs none. */
  readonly codes: readonly string[];
  readonly general: readonly string[];
}

/** A parameter of path or query. */
export interface Parameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly isRequired: boolean;
  readonly description: string;
  /** In words, e.g. `AssetCode`, `string (date)`. */
  readonly type: string;
  readonly isTime: boolean;
  /** The values to choose from, if they are few. */
  readonly values: readonly string[];
  /** As one types it; the items of a list have commas between them. */
  readonly example: string;
}

/** A body, sent or answered. */
export interface Body {
  readonly contentType: string;
  readonly schema: Schema;
  readonly example: unknown;
}

/** A JSON Schema, as far as it is told. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The document as plain data, as far as it is read. */
interface Tree {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, TreeOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly example?: unknown }>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: { readonly status: number } }>>;
  };
}

interface TreeOperation extends Pick<Operation, "summary"> {
  readonly operationId: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly TreeParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description: string; readonly content?: Content }>>;
}

interface TreeParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/** Longer lists of values are not chosen from. */
const MOST_VALUES = 12;
/** Listed with what they mean. */
const LISTED = ["AssetCode", "ErrorCode"];

/** Reads a document of `createOpenApi`. */
export function readReference(document: OpenApiDocument): Reference {
  const { servers, paths, components: { schemas, headers, examples } } = JSON.parse(JSON.stringify(document)) as Tree; // of our own making
  const routes = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation, codes: codesOf(operation) })));
  const codesOfAll = (hasKey: boolean): readonly string[] => {
    const [first, ...others] = routes.filter(({ operation: { security } }) => security.length > 0 === hasKey);
    return (first?.codes ?? []).filter((code) => others.every(({ codes }) => codes.includes(code)));
  };
  const general = { withKey: codesOfAll(true), withoutKey: codesOfAll(false) };
  const [server] = servers;
  return {
    operations: routes.map(({ method, path, operation: { operationId: id, summary, description, security, parameters = [], requestBody, responses }, codes }) => ({
      id, method: method.toUpperCase(), path, summary, codes,
      general: security.length > 0 ? general.withKey : general.withoutKey,
      description: description.split("\n\n"),
      needsKey: security.length > 0,
      parameters: parameters.map((parameter) => parameterOf(parameter, schemas)),
      body: bodiesOf(requestBody?.content)[0],
      answers: bodiesOf(responses["200"]?.content),
      notModified: responses["304"]?.description,
    })),
    headers: Object.entries(headers).map(([name, { description, example = "" }]) => ({ name, description, example: String(example) })),
    shapes: Object.entries(schemas).filter(([name]) => !LISTED.includes(name)).map(([name, schema]) => ({ name, schema: described(schema, schemas) })),
    errors: Object.entries(examples).map(([code, { summary, value: { status } }]) => ({ code, status, message: summary })),
    baseUrl: server && /^https?:/.test(server.url) ? server.url.replace(/\/$/, "") : undefined,
  };
}

/** The type of a value in a few words, e.g. `list of AssetValue`, or `"RLS" or "USD"`. */
export function typeText(schema: Schema): string {
  const { $ref, type, format, enum: values, items, anyOf } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" or ");
  if (anyOf) return anyOf.map(typeText).join(" or ");
  if (items) return `list of ${typeText(items)}`;
  const name = typeof type === "string" ? type : type?.join(" or ");
  return format === undefined ? (name ?? "anything") : `${name ?? "string"} (${format})`;
}

/** A schema that its text does not tell whole, because it has no name to look up. */
export function isOwnShape(schema: Schema): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

/** A field of a named type without words of its own has those of the type. */
function described(schema: Schema, schemas: Tree["components"]["schemas"]): Schema {
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, { description: schemas[nameOf(field.$ref ?? "")]?.description ?? "", ...field }]);
  return { ...schema, properties: Object.fromEntries(fields) as Record<string, Schema> };
}

function parameterOf({ name, in: place, required, description = "", schema, example }: TreeParameter, schemas: Tree["components"]["schemas"]): Parameter {
  const { enum: values = [] } = schemas[nameOf(schema.$ref ?? "")] ?? schema;
  return {
    name, place, description,
    isRequired: required,
    type: typeText(schema),
    isTime: schema.format === "date" || schema.format === "date-time",
    values: values.length > MOST_VALUES ? [] : values.map(String),
    example: example === undefined ? "" : [example].flat().join(","),
  };
}

function bodiesOf(content: Content = {}): readonly Body[] {
  return Object.entries(content).map(([contentType, { schema, example }]) => ({ contentType, schema, example }));
}

/** The codes of each failure are the name of its answer. */
function codesOf({ responses }: TreeOperation): readonly string[] {
  return Object.values(responses).flatMap(({ $ref }) => ($ref === undefined ? [] : nameOf($ref).split(".")));
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
