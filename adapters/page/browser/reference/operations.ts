// The OpenAPI document as the page shows it: one operation for each route of the server, custom routes included.
import { createResolve, listOf, objectOf, textOf, textsOf } from "./document.ts";
import type { JsonObject, Resolve } from "./document.ts";
import { fieldRows, shapeOf } from "./shapes.ts";
import type { FieldRow, Shape } from "./shapes.ts";

/** All that the reference shows. */
export interface Reference {
  readonly title: string;
  /** What holds for all routes, a text for each paragraph. */
  readonly about: readonly string[];
  readonly operations: readonly Operation[];
}

/** A route. */
export interface Operation {
  readonly id: string;
  /** For ids of elements: the id without blanks, which would end a reference to an element. */
  readonly elementId: string;
  /** In capitals. */
  readonly method: string;
  /** Path template from the base URL on, e.g. `/api/v1/assets/{assetName}`. */
  readonly path: string;
  /** Added by the embedder. */
  readonly isOwn: boolean;
  readonly summary: string;
  readonly description: readonly string[];
  /** The ways in which the key may be sent; none: the route needs no key. */
  readonly keyFields: readonly string[];
  /** What it costs: one unit always, one unit for a success, or none; `undefined` if the document does not tell. */
  readonly charge: "always" | "success" | "free" | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
  /** What it answers if it does not fail: mostly 200, then 304. */
  readonly answers: readonly Answer[];
  readonly errors: readonly ErrorRow[];
}

/** A parameter of path or query. */
export interface Parameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly required: boolean;
  readonly description: string | undefined;
  readonly shape: Shape;
  /** As one types it; the items of a list have commas between them. */
  readonly example: string;
}

/** A body, sent or answered. */
export interface Body {
  readonly contentType: string;
  readonly shape: Shape;
  readonly fields: readonly FieldRow[];
  readonly example: unknown;
}

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly HeaderField[];
  readonly body: Body | undefined;
}

/** A header field of an answer. */
export interface HeaderField {
  readonly name: string;
  readonly description: string;
  readonly example: string | undefined;
}

/** A way in which a route can fail. */
export interface ErrorRow {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly example: unknown;
  /** Whether every route can fail so. */
  readonly isGeneral: boolean;
}

const METHODS = ["get", "post", "put", "patch", "delete"];
const CHARGES = ["always", "success", "free"] as const;

/** Reads an OpenAPI 3.1 document. What it lacks is left out. */
export function readReference(document: unknown): Reference {
  const resolve = createResolve(document);
  const { info, paths, components } = objectOf(document);
  const schemes = objectOf(objectOf(components)["securitySchemes"]);
  const operations = Object.entries(objectOf(paths)).flatMap(([path, item]) => {
    const methods = METHODS.filter((method) => method in objectOf(item));
    return methods.map((method) => readOperation({ method, path, operation: objectOf(objectOf(item)[method]), schemes }, resolve));
  });
  return {
    title: textOf(objectOf(info)["title"]) ?? "",
    about: paragraphs(objectOf(info)["description"]),
    operations: withGeneralErrors(operations),
  };
}

interface Found {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
  readonly schemes: JsonObject;
}

function readOperation({ method, path, operation, schemes }: Found, resolve: Resolve): Operation {
  const charge = CHARGES.find((name) => name === operation["x-charge"]);
  const description = paragraphs(operation["description"]);
  const responses = Object.entries(objectOf(operation["responses"])).map(([status, response]) => ({ status: Number(status), response: resolve(response) }));
  const id = textOf(operation["operationId"]) ?? `${method} ${path}`;
  return {
    id,
    elementId: encodeURIComponent(id),
    method: method.toUpperCase(),
    path,
    isOwn: textsOf(operation["tags"]).includes("own"),
    summary: textOf(operation["summary"]) ?? "",
    // The document ends each description with the charge in words; the page says it in the reader's language.
    description: charge === undefined ? description : description.slice(0, -1),
    keyFields: listOf(operation["security"]).flatMap((scheme) => Object.keys(objectOf(scheme))).flatMap((name) => textOf(objectOf(schemes[name])["name"]) ?? []),
    charge,
    parameters: listOf(operation["parameters"]).map((parameter) => readParameter(resolve(parameter), resolve)),
    body: "requestBody" in operation ? readBody(resolve(operation["requestBody"]), resolve) : undefined,
    answers: responses.filter(({ status }) => status < 400).map(({ status, response }) => readAnswer(status, response, resolve)),
    errors: responses.filter(({ status }) => status >= 400).flatMap(({ status, response }) => readErrors(status, response, resolve)),
  };
}

function readParameter(parameter: JsonObject, resolve: Resolve): Parameter {
  const { example } = parameter;
  return {
    name: textOf(parameter["name"]) ?? "",
    place: parameter["in"] === "path" ? "path" : "query",
    required: parameter["required"] === true,
    description: textOf(parameter["description"]),
    shape: shapeOf(parameter["schema"], resolve),
    example: example === undefined ? "" : Array.isArray(example) ? example.join(",") : String(example),
  };
}

function readBody(holder: JsonObject, resolve: Resolve): Body | undefined {
  const [contentType, media] = Object.entries(objectOf(holder["content"]))[0] ?? [];
  if (contentType === undefined) return undefined;
  const { schema, example } = objectOf(media);
  return { contentType, shape: shapeOf(schema, resolve), fields: fieldRows(schema, resolve), example };
}

function readAnswer(status: number, response: JsonObject, resolve: Resolve): Answer {
  return { status, description: textOf(response["description"]) ?? "", headers: readHeaders(response, resolve), body: readBody(response, resolve) };
}

function readHeaders(response: JsonObject, resolve: Resolve): readonly HeaderField[] {
  return Object.entries(objectOf(response["headers"])).map(([name, field]) => {
    const { description, example } = resolve(field);
    return { name, description: textOf(description) ?? "", example: example === undefined ? undefined : String(example) };
  });
}

function readErrors(status: number, response: JsonObject, resolve: Resolve): readonly ErrorRow[] {
  const examples = objectOf(objectOf(objectOf(response["content"])["application/json"])["examples"]);
  return Object.entries(examples).map(([code, example]) => {
    const { summary, value } = resolve(example);
    return { status, code, message: textOf(summary) ?? "", example: value, isGeneral: false };
  });
}

function withGeneralErrors(operations: readonly Operation[]): readonly Operation[] {
  const isGeneral = (code: string): boolean => operations.every(({ errors }) => errors.some((error) => error.code === code));
  return operations.map((operation) => ({ ...operation, errors: operation.errors.map((error) => ({ ...error, isGeneral: isGeneral(error.code) })) }));
}

function paragraphs(text: unknown): readonly string[] {
  return (textOf(text) ?? "").split("\n\n").filter((paragraph) => paragraph !== "");
}
