// The reference as Markdown, made from the OpenAPI document alone, so that custom routes and assets are in it.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { jsonBlock, markdownCode, markdownTable } from "./markdown.ts";
import { typeText } from "./schema_text.ts";
import type { SchemaNode } from "./schema_text.ts";

/** The routes of a document, a heading and a part for each; the header fields of answers, and the fields of their bodies. */
export function referenceMarkdown(document: OpenApiDocument): string {
  const tree = JSON.parse(JSON.stringify(document)) as Node; // plain data, read below as far as it is there
  const routes = Object.entries(tree.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => routeText(`${method.toUpperCase()} ${path}`, operation, tree)),
  );
  return ["## Routes", ...routes, "## Header fields", headerTable(tree), "## Fields", ...fieldTables(tree)].join("\n\n");
}

/** What is read of a document. */
interface Node {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, SchemaNode>>;
    readonly headers?: Readonly<Record<string, { readonly description?: string; readonly example?: unknown }>>;
    readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
  };
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: SchemaNode;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: SchemaNode; readonly example?: unknown }>>;

function routeText(name: string, operation: Operation, tree: Node): string {
  const { summary = "", description = "", security = [], parameters = [], requestBody, responses = {} } = operation;
  return [
    `### ${name}`,
    `${summary}.`,
    description,
    security.length > 0 ? "Needs a key." : "Needs no key.",
    ...(parameters.length > 0 ? [parameterTable(parameters)] : []),
    ...(requestBody?.content ? contentText("Body", requestBody.content) : []),
    ...contentText("Answer 200", responses["200"]?.content ?? {}),
    ...("304" in responses ? [`Answer 304: ${responses["304"]?.description ?? ""}.`] : []),
    `Errors: ${failureList(responses, tree)}.`,
  ].filter((part) => part !== "").join("\n\n");
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = "", schema = {}, example }) => [
    markdownCode(name), place, required ? "yes" : "no", typeText(schema), description, example === undefined ? "" : markdownCode([example].flat().join(",")),
  ]);
  return markdownTable(["Parameter", "In", "Required", "Type", "Meaning", "Example"], rows);
}

function contentText(title: string, content: Content): readonly string[] {
  return Object.entries(content).flatMap(([type, { schema = {}, example }]) => [
    `${title}: ${markdownCode(type)}, ${typeText(schema)}.`,
    ...(isOwnShape(schema) ? [jsonBlock(schema)] : []),
    ...(example === undefined ? [] : [`Example${type.includes("json") ? "" : ` as ${type}`}:`, jsonBlock(example)]),
  ]);
}

/** A schema that its text does not tell whole, because it has no name to look up. */
function isOwnShape(schema: SchemaNode): boolean {
  return schema.properties !== undefined || schema.items?.properties !== undefined;
}

function failureList(responses: Readonly<Record<string, Answer>>, tree: Node): string {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, answer]) => `${status} ${codesOf(answer, tree).map(markdownCode).join(", ")}`)
    .join("; ");
}

/** The error codes of an answer. Its name in the document is made of them. */
function codesOf({ $ref = "" }: Answer, tree: Node): readonly string[] {
  const schema = tree.components?.responses?.[nameOf($ref)]?.content?.["application/json"]?.schema;
  return (schema?.allOf ?? []).flatMap(({ properties }) => properties?.["code"]?.enum ?? []).map(String);
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function headerTable({ components }: Node): string {
  const rows = Object.entries(components?.headers ?? {}).map(([name, { description = "", example = "" }]) => [markdownCode(name), description, markdownCode(String(example))]);
  return markdownTable(["Field", "Meaning", "Example"], rows);
}

/** A table for each schema that is an object, and a line for each that is a value. */
function fieldTables({ components }: Node): readonly string[] {
  const schemas = components?.schemas ?? {};
  return Object.entries(schemas)
    .filter(([name]) => name !== "AssetCode" && name !== "ErrorCode") // listed below, with what they mean
    .map(([name, schema]) => {
      const { properties, description = "" } = schema;
      if (!properties) return `### ${name}\n\n${[typeText(schema), description].filter((text) => text !== "").join(". ")}.`;
      const rows = Object.entries(properties).map(([field, shape]) => {
        return [markdownCode(field), typeText(shape), shape.description ?? schemas[nameOf(shape.$ref ?? "")]?.description ?? ""];
      });
      return `### ${name}\n\n${markdownTable(["Field", "Type", "Meaning"], rows)}`;
    });
}
