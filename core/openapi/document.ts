import { parameterNames, patternOf } from "../http/match_route.ts";
import { ASSETS, indexAssets } from "../market/assets.ts";
import type { Route } from "../routes/handler.ts";
import type { BodyDocs, ParameterDocs, RouteDocs } from "../routes/route_docs.ts";
import { ROUTES, type RouteName } from "../routes/route_table.ts";
import type { Settings } from "../routes/settings.ts";
import { failureExamples, failureRefs, failureResponses, failuresOf } from "./failures.ts";
import { headerComponents, headerRefs, QUOTA_FIELDS } from "./headers.ts";
import { componentSchemas } from "./json_schema.ts";
import { tableDocs } from "./table_docs.ts";

/** The settings of `createApi` that change the document, and the URLs of the service. */
export interface OpenApiSettings
  extends Pick<
    Settings,
    "assets" | "routes" | "application" | "maxCandles" | "marketTimeZone" | "quotaTimeZone" | "chargeFailures"
  > {
  /** The URLs without `/api/v1`, or the path under which an app mounts the API, such as `/market`. Default: `/`. */
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
  readonly docs: RouteDocs & { readonly summary: string };
  readonly tag: "prices" | "own";
}

const HEADER = { type: "apiKey", in: "header" };
const KEYS = [{ XApiKey: [] }, { Authorization: [] }];
/** The document describes CSV only in words: with a second content type, generated clients would return unions. */
const CSV = "With `Accept: text/csv` the same records come as CSV with a header line; errors stay JSON.";
const COSTS = {
  always: "Costs one unit, even if it fails.",
  success: "Costs one unit, which is given back on failure.",
  free: "Costs no unit.",
};

/** Makes the OpenAPI document of an API from its settings, route table, error codes and catalog. */
export function createOpenApi(settings: OpenApiSettings = {}): OpenApiDocument {
  const { application = "mazaneh", servers = ["/"] } = settings;
  const assets = [...indexAssets(settings.assets ?? ASSETS).values()];
  const documented = tableDocs(assets[0] ?? ASSETS[0]!);
  const prices = ROUTES.map((route): DocumentedRoute => {
    const docs = documented[`${route.method} ${route.path}` as RouteName];
    return { route, docs: { hasTag: route.charge !== "free", ...docs }, tag: "prices" };
  });
  const own = (settings.routes ?? []).flatMap((route): DocumentedRoute[] =>
    route.docs === false ? [] : [{ route, docs: { summary: route.summary ?? "", ...route.docs }, tag: "own" }],
  );
  const rows = [...prices, ...own];
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
        XApiKey: { ...HEADER, name: "X-API-Key", description: "The key itself" },
        Authorization: { ...HEADER, name: "Authorization", description: "`ApiKey`, a blank, and the key" },
      },
    },
  };
}

function overview(settings: OpenApiSettings): string {
  const { maxCandles = 10_000, marketTimeZone = "Asia/Tehran", quotaTimeZone = "UTC" } = settings;
  return [
    "Market-data prices. Send the key in one of two header fields, never in the URL.",
    `All times are in UTC. Days are days in ${marketTimeZone}, quota days are days in ${quotaTimeZone}. Values in rial are not in toman: ten rial are one toman.`,
    `Answers to requests with a key may be revalidated with their ETag; the fields RateLimit and X-RateLimit-* report the remaining units. An answer has at most ${maxCandles} candles.`,
  ].join("\n\n");
}

/** The operations by path and method. Paths that differ only in parameter names count as one path. */
function pathsOf(rows: readonly DocumentedRoute[], settings: OpenApiSettings): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const isSamePath = (other: DocumentedRoute) => patternOf(other.route.path) === patternOf(row.route.path);
    const { path } = rows.find(isSamePath)!.route;
    paths[path] = { ...paths[path], [row.route.method.toLowerCase()]: operation(row, path, settings) };
  }
  return paths;
}

function operation({ route, docs, tag }: DocumentedRoute, path: string, settings: OpenApiSettings): object {
  const { method, auth } = route;
  const charge = route.charge === "success" && settings.chargeFailures === "always" ? "always" : route.charge;
  const { summary, description, body, answer = { contentType: "*/*" }, hasTag = false } = docs;
  const parameters = parametersOf(route, docs, path);
  const fields = ["X-Request-Id", ...(hasTag ? ["ETag", "X-Notice"] : []), ...(auth === "key" ? QUOTA_FIELDS : [])];
  const texts = [description, hasTag && tag === "prices" ? CSV : undefined, COSTS[charge]];
  return {
    operationId: docs.operationId ?? idOf(route),
    tags: [tag],
    summary,
    description: texts.filter((text) => text !== undefined).join("\n\n"),
    security: auth === "key" ? KEYS : [],
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: { required: true, content: contentOf(body ?? {}) } }),
    responses: {
      200: { description: answer.description ?? summary, headers: headerRefs(fields), content: contentOf(answer) },
      ...(hasTag &&
        method === "GET" && {
          304: { description: "The entity tag in If-None-Match is still current", headers: headerRefs(fields) },
        }),
      ...failureRefs(failuresOf(route, docs)),
    },
    "x-charge": charge,
  };
}

function parametersOf(route: Route, { parameters = {} }: RouteDocs, path: string): readonly unknown[] {
  const shown = parameterNames(path);
  const ofPath = parameterNames(route.path).map((name, at) => {
    return parameterOf({ name: shown[at]!, in: "path", required: true }, parameters[name]);
  });
  const ofQuery = route.query.map((name) =>
    parameterOf({ name, in: "query", required: parameters[name]?.required ?? false }, parameters[name]),
  );
  return [...ofPath, ...ofQuery];
}

function parameterOf(place: object, docs: Partial<ParameterDocs> = {}): object {
  const { description, schema = { type: "string" }, example } = docs;
  const list = schema["type"] === "array" && { style: "form", explode: false };
  const texts = { ...(description !== undefined && { description }), ...(example !== undefined && { example }) };
  return { ...place, ...list, schema, ...texts };
}

function contentOf({ contentType = "application/json", schema = {}, example }: BodyDocs): object {
  return { [contentType]: { schema, ...(example !== undefined && { example }) } };
}

/** The name of an operation whose route has no name, such as `getApiV1AssetsCodeChange`. */
function idOf({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
}
