import { templateOf } from "../http/match_route.ts";
import { ASSETS, indexAssets } from "../market/assets.ts";
import type { Route } from "../routes/handler.ts";
import type { BodyDocs, ParameterDocs, RouteDocs } from "../routes/route_docs.ts";
import { ROUTES } from "../routes/route_table.ts";
import type { Settings } from "../routes/settings.ts";
import { failureExamples, failureRefs, failureResponses, failuresOf } from "./failures.ts";
import { headerComponents, headerRefs, QUOTA_FIELDS } from "./headers.ts";
import { componentSchemas } from "./json_schema.ts";
import { tableDocs } from "./table_docs.ts";

/** What the document is made from: the settings of `createApi`, and where clients reach it. */
export interface OpenApiSettings
  extends Pick<
    Settings,
    "assets" | "routes" | "application" | "maxCandles" | "marketTimeZone" | "quotaTimeZone" | "chargeFailures"
  > {
  /** URLs before `/api/v1`: of the service, or the path under which an app mounts it, e.g. `/market`. Default: `/`. */
  readonly servers?: readonly string[];
}

/** An OpenAPI 3.1 document: plain data for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DocumentedRoute {
  readonly route: Route;
  readonly docs: RouteDocs;
}

const KEYS = [{ XApiKey: [] }, { Authorization: [] }];
/** Described in words: a second content type would make a union of every answer in the clients that are generated from the document. */
const CSV = "With `Accept: text/csv` the same records come as CSV with a header line; errors stay JSON.";
const COSTS = {
  always: "Costs one unit, also when it fails.",
  success: "Costs one unit, which a failure gives back.",
  free: "Costs no unit.",
};

/** Makes the OpenAPI document of an API, from the same settings, route table, error table and catalog. */
export function createOpenApi(settings: OpenApiSettings = {}): OpenApiDocument {
  const { application = "mazaneh", servers = ["/"] } = settings;
  const own = (settings.routes ?? []).flatMap((route) =>
    route.docs === false ? [] : { route, docs: route.docs ?? {} },
  );
  const assets = [...indexAssets(settings.assets ?? ASSETS).values()];
  const documented: Readonly<Record<string, RouteDocs>> = tableDocs(assets[0] ?? ASSETS[0]!);
  const rows = [...ROUTES.map((route) => ({ route, docs: documented[`${route.method} ${route.path}`]! })), ...own];
  return {
    openapi: "3.1.0",
    info: { title: application, version: "v1", description: overview(settings) },
    servers: servers.map((url) => ({ url })),
    tags: [
      { name: "prices", description: "Routes of version 1" },
      ...(own.length > 0 ? [{ name: "own", description: "Further routes of this service" }] : []),
    ],
    paths: pathsOf(rows, settings),
    components: {
      schemas: componentSchemas(assets),
      responses: failureResponses(rows.map(({ route, docs }) => failuresOf(route, docs))),
      headers: headerComponents(),
      examples: failureExamples(),
      securitySchemes: {
        XApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The key itself" },
        Authorization: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`ApiKey`, a blank, and the key",
        },
      },
    },
  };
}

function overview({
  maxCandles = 10_000,
  marketTimeZone = "Asia/Tehran",
  quotaTimeZone = "UTC",
}: OpenApiSettings): string {
  return [
    "Market-data prices. Send the key in one of two header fields, never in the URL.",
    `All times are in UTC. Days are those of ${marketTimeZone}; a quota day is one of ${quotaTimeZone}. Rial values are rial: ten are a toman.`,
    `Answers to a key may be revalidated with their ETag; the fields RateLimit and X-RateLimit-* tell the units that are left. An answer has at most ${maxCandles} candles.`,
  ].join("\n\n");
}

/** The operations by path and method. Paths that differ only in the names of their parameters are one, with the names of the first. */
function pathsOf(rows: readonly DocumentedRoute[], settings: OpenApiSettings): OpenApiDocument["paths"] {
  const paths = new Map<string, { readonly path: string; readonly operations: Record<string, unknown> }>();
  for (const { route, docs } of rows) {
    const key = route.path.replace(/\{[^/{]*\}/g, "{}");
    const item = paths.get(key) ?? { path: route.path, operations: {} };
    const charge = route.charge === "success" && settings.chargeFailures === "always" ? "always" : route.charge;
    item.operations[route.method.toLowerCase()] = operation({ ...route, charge }, docs, item.path);
    paths.set(key, item);
  }
  return Object.fromEntries([...paths.values()].map(({ path, operations }) => [path, operations]));
}

function operation(route: Route, docs: RouteDocs, path: string): Readonly<Record<string, unknown>> {
  const { method, auth, charge, summary } = route;
  const { description, body, answer = { contentType: "*/*" }, hasTag = false } = docs;
  const parameters = parametersOf(route, docs, path);
  const fields = ["X-Request-Id", ...(hasTag ? ["ETag", "X-Notice"] : []), ...(auth === "key" ? QUOTA_FIELDS : [])];
  return {
    operationId: docs.operationId ?? idOf(route),
    tags: [isOwn(route) ? "own" : "prices"],
    summary,
    description: [description, hasTag && !isOwn(route) ? CSV : undefined, COSTS[charge]]
      .filter((text) => text !== undefined)
      .join("\n\n"),
    security: auth === "key" ? KEYS : [],
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: { required: true, content: contentOf(body ?? {}) } }),
    responses: {
      200: { description: answer.description ?? summary, headers: headerRefs(fields), content: contentOf(answer) },
      ...(hasTag &&
        method === "GET" && {
          304: { description: "The state that If-None-Match names is still the latest", headers: headerRefs(fields) },
        }),
      ...failureRefs(failuresOf(route, docs)),
    },
    "x-charge": charge,
  };
}

function isOwn({ method, path }: Route): boolean {
  return !ROUTES.some((route) => route.method === method && route.path === path);
}

function parametersOf(route: Route, { parameters = {} }: RouteDocs, path: string): readonly unknown[] {
  const names = templateOf(route.path).flatMap(({ parameter }) => parameter ?? []);
  const shown = templateOf(path).flatMap(({ parameter }) => parameter ?? []);
  return [
    ...names.map((name, at) => parameterOf({ name: shown[at]!, in: "path", required: true }, parameters[name])),
    ...route.query.map((name) =>
      parameterOf({ name, in: "query", required: parameters[name]?.required ?? false }, parameters[name]),
    ),
  ];
}

function parameterOf(
  place: Readonly<Record<string, unknown>>,
  docs: ParameterDocs | undefined,
): Readonly<Record<string, unknown>> {
  const { description, schema = { type: "string" }, example } = docs ?? {};
  const list = schema["type"] === "array" ? { style: "form", explode: false } : {};
  return {
    ...place,
    ...(description !== undefined && { description }),
    ...list,
    schema,
    ...(example !== undefined && { example }),
  };
}

function contentOf({
  contentType = "application/json",
  schema = {},
  example,
}: BodyDocs): Readonly<Record<string, unknown>> {
  return { [contentType]: { schema, ...(example !== undefined && { example }) } };
}

/** A name for a route without one, e.g. `getApiV1AssetsCodeChange`. */
function idOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
}
