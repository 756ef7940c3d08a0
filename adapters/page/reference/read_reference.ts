// Reads the OpenAPI document for /docs.md, /llms.txt and the reference. No other module reads the document.
import type { ParameterDocs } from "../../../core/mod.ts";
import type { OpenApiDocument } from "../../../core/openapi/mod.ts";
import { ADVICE } from "../built_files.ts";

/** The contents of a document, in the order of the document. */
export type Reference = ReturnType<typeof readReference>;
/** A route. The first of `answers` has the default content type; the description ends with what a request costs. */
export type Operation = Reference["operations"][number];
/** A parameter in the path or query. */
export type Parameter = Operation["parameters"][number];

/** The body of a request or of an answer. */
export type Body = ReturnType<typeof bodiesOf>[number];

/** A JSON Schema, with the parts that the reference shows. */
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

/** The parts of the document that are read. */
interface Tree {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, TreeOperation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly headers: Readonly<Record<string, Readonly<{ description: string; example?: unknown }>>>;
    readonly examples: Readonly<Record<string, Readonly<{ summary: string; value: { readonly status: number } }>>>;
  };
}

interface TreeOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly TreeParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Readonly<{ $ref?: string; description: string; content?: Content }>>>;
}

type TreeParameter = Partial<ParameterDocs> &
  Readonly<{ name: string; in: "path" | "query"; required: boolean; schema: Schema }>;
type Schemas = Readonly<Record<string, Schema>>;
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

/** A parameter with more values than this gets a text field instead of a list of choices. */
const MOST_VALUES = 12;
/** These schemas have their own tables. */
const LISTED = ["AssetCode", "ErrorCode"];

/** Reads a document of `createOpenApi`. */
export function readReference(document: OpenApiDocument) {
  const { servers, paths, components } = JSON.parse(JSON.stringify(document)) as Tree; // of our own making
  const { schemas, headers, examples } = components;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operationOf(operation, schemas),
    })),
  );
  const keyed = operations.filter(({ needsKey }) => needsKey);
  return {
    operations,
    /** The errors that are possible on every route with a key. */
    general: keyed[0]!.codes.filter((code) => keyed.every(({ codes }) => codes.includes(code))),
    /** The fields of answers. */
    headers: Object.entries(headers).map(([name, { description, example = "" }]) => {
      return { name, description, example: String(example) };
    }),
    /** The named schemas, without those that have their own tables. */
    shapes: Object.entries(schemas)
      .filter(([name]) => !LISTED.includes(name))
      .map(([name, schema]) => ({ name, schema: described(schema, schemas) })),
    /** The cause and the advice, with `code` in backticks and links to `#sections` of the guide. */
    errors: Object.entries(examples).map(([code, { summary, value }]) => {
      const [english, persian] = ADVICE[code]!; // a test checks that every error code has a row
      return { code, status: value.status, en: `${summary}. ${english}`, fa: persian };
    }),
    /** The base URL without a slash at the end; `undefined` if the document does not have a full URL. */
    baseUrl: /^https?:/.test(servers[0]?.url ?? "") ? servers[0]!.url.replace(/\/$/, "") : undefined,
  };
}

function operationOf(operation: TreeOperation, schemas: Schemas) {
  const { operationId: id, summary, description, security, parameters = [], requestBody, responses } = operation;
  return {
    id,
    summary,
    description: description.split("\n\n"),
    needsKey: security.length > 0,
    parameters: parameters.map((parameter) => parameterOf(parameter, schemas)),
    body: bodiesOf(requestBody?.content)[0],
    answers: bodiesOf(responses["200"]?.content),
    notModified: responses["304"]?.description,
    // The name of an error response consists of its error codes, with dots between them.
    codes: Object.values(responses).flatMap(({ $ref }) => ($ref === undefined ? [] : nameOf($ref).split("."))),
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

/** Whether a schema needs its own table of fields, because it has no name and `typeText` leaves out its fields. */
export function isOwnShape(schema: Schema): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

/** A field without a description gets the description of its type. */
function described(schema: Schema, schemas: Schemas): Schema {
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    { description: schemas[nameOf(field.$ref ?? "")]?.description ?? "", ...field },
  ]);
  return { ...schema, properties: Object.fromEntries(fields) as Record<string, Schema> };
}

function parameterOf(parameter: TreeParameter, schemas: Schemas) {
  const { name, in: place, required: isRequired, description = "", schema, example } = parameter;
  const { enum: values = [] } = schemas[nameOf(schema.$ref ?? "")] ?? schema;
  return {
    name,
    place,
    isRequired,
    description,
    type: typeText(schema),
    isTime: schema.format === "date" || schema.format === "date-time",
    /** The possible values; empty if there are more than `MOST_VALUES`. */
    values: values.length > MOST_VALUES ? [] : values.map(String),
    /** The example, as one would type it into a form. List items are separated by commas. */
    example: example === undefined ? "" : [example].flat().join(","),
  };
}

/** `text` is the example as sent in a request. A text example that is not JSON is sent unchanged. */
function bodiesOf(content: Content = {}) {
  return Object.entries(content).map(([contentType, { schema, example }]) => {
    const isText = example === undefined || (typeof example === "string" && !/\bjson\b/.test(contentType));
    return { contentType, schema, example, text: isText ? String(example ?? "") : JSON.stringify(example) };
  });
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
