import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAsset, defineRoute, ERRORS } from "../../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";
import { ROUTES } from "../../../core/routes/route_table.ts";
import { createWorld, type Json, listOf, objectOf } from "../../support/api_under_test.ts";

/** The document as clients receive it. */
function read(settings: Parameters<typeof createOpenApi>[0] = {}): Json {
  return JSON.parse(JSON.stringify(createOpenApi(settings))) as Json;
}

const CHANGE = defineRoute({
  method: "GET",
  path: "/api/v1/assets/{code}/own",
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change of a day",
  docs: {
    parameters: {
      code: { description: "Asset", schema: { $ref: "#/components/schemas/AssetCode" } },
      days: { description: "Days", schema: { type: "integer" }, required: true },
    },
    answer: { schema: { type: "number" }, example: -0.5 },
    failures: ["ASSET_NOT_FOUND"],
  },
  handle: () => ({ json: -0.5 }),
});

test("OpenAPI: has the nine routes, each with its path and query parameters", () => {
  const paths = read()["paths"]!;
  const operations = Object.values(paths).flatMap((item) => Object.keys(item));
  assert.equal(operations.length, ROUTES.length);
  for (const { method, path, query } of ROUTES) {
    const parameters = listOf(paths[path]![method.toLowerCase()]!["parameters"] ?? []);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ["path", name]);
    const places = parameters.map((parameter) => [parameter["in"], parameter["name"]]);
    assert.deepEqual(places, [...inPath, ...query.map((name) => ["query", name])]);
    for (const parameter of parameters) {
      for (const member of ["description", "schema", "example"])
        assert.ok(member in parameter, `${path} ${String(parameter["name"])}: ${member}`);
    }
  }
});

test("OpenAPI: every field of a body has a description, which names UTC for a time and the quote unit for a value", () => {
  const schemas = read()["components"]!["schemas"]!;
  const target = (schema: Json): Json => schemas[String(schema["$ref"]).replace("#/components/schemas/", "")] ?? {};
  const fields = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(schema["properties"] ?? {}).map(([field, value]) => ({
      at: `${name}.${field}`,
      field: { ...target(value), ...value } as Json,
    })),
  );
  assert.ok(fields.length > 50, `${fields.length} fields`);
  for (const { at, field } of fields) {
    assert.match(String(field["description"]), /^[A-Z]/, at);
    const text = JSON.stringify(field);
    if (/Timestamp|date-time/.test(text)) assert.match(text, /UTC/, at);
    if (/MarketValue|exclusiveMinimum/.test(text)) assert.match(text, /quote unit/, at);
  }
});

test("OpenAPI: has an example of every error, with its status, code and message", () => {
  const examples = read()["components"]!["examples"]!;
  assert.deepEqual(Object.keys(examples), Object.keys(ERRORS));
  for (const [code, { status, message }] of Object.entries(ERRORS)) {
    const value = objectOf(examples[code]!["value"]);
    assert.deepEqual([value["status"], value["code"], value["message"]], [status, code, message]);
  }
});

test("OpenAPI: lists both forms of the key on routes that need a key, and no key on the status route", () => {
  const { paths, components } = read();
  const forms = Object.values(components!["securitySchemes"]!).map((scheme) => scheme["name"]);
  assert.deepEqual(forms, ["X-API-Key", "Authorization"]);
  for (const { method, path, auth, charge } of ROUTES) {
    const operation = paths![path]![method.toLowerCase()]!;
    assert.equal(listOf(operation["security"]).length, auth === "key" ? 2 : 0, path);
    assert.deepEqual("401" in operation["responses"]!, auth === "key", path);
    assert.equal(operation["x-charge"], charge);
    assert.equal("X-RateLimit-Remaining" in operation["responses"]!["200"]!["headers"]!, auth === "key", path);
  }
});

test("OpenAPI: catalog and examples follow the settings", () => {
  const own = [defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" })];
  const document = read({ assets: own });
  assert.deepEqual(document["components"]!["schemas"]!["AssetCode"]!["enum"], ["ZZZ_USD"]);
  assert.doesNotMatch(JSON.stringify(document["paths"]), /USD_RLS/);
  assert.match(JSON.stringify(document["paths"]), /ZZZ_USD/);
});

test("OpenAPI: zones, limits, charging, name and servers follow the settings", () => {
  const document = read({
    ...{ marketTimeZone: "Europe/Oslo", quotaTimeZone: "Asia/Tokyo", maxCandles: 77, chargeFailures: "always" },
    ...{ application: "Prices & more", servers: ["/market", "https://prices.example"] },
  });
  assert.equal(document["info"]!["title"], "Prices & more");
  assert.match(String(document["info"]!["description"]), /Europe\/Oslo.*Asia\/Tokyo[\s\S]*77 candles/);
  assert.deepEqual(document["servers"], [{ url: "/market" }, { url: "https://prices.example" }]);
  assert.equal(document["paths"]!["/api/v1/assets/{assetName}"]!["get"]!["x-charge"], "always");
  assert.equal(document["paths"]!["/api/v1/access"]!["get"]!["x-charge"], "free");
});

test("OpenAPI: includes a custom route with its parameters, answer and failures", () => {
  const operation = read({ routes: [CHANGE] })["paths"]!["/api/v1/assets/{code}/own"]!["get"]!;
  assert.equal(operation["operationId"], "getApiV1AssetsCodeOwn");
  assert.deepEqual(
    listOf(operation["parameters"]).map(({ name, required }) => [name, required]),
    [
      ["code", true],
      ["days", true],
    ],
  );
  assert.deepEqual(operation["responses"]!["200"]!["content"], {
    "application/json": { schema: { type: "number" }, example: -0.5 },
  });
  assert.match(String(operation["responses"]!["404"]!["$ref"]), /ASSET_NOT_FOUND/);
});

test("OpenAPI: the document's own route needs no key; the document follows the API's settings, and describes this route, too: 200, then 304", async () => {
  const settings = { application: "Mine", routes: [CHANGE] };
  const route = openApiRoute(settings);
  const world = await createWorld({ ...settings, routes: [CHANGE, route] });
  const reply = await world.ask("/openapi.json", { key: null });
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, read({ ...settings, routes: [CHANGE, route] }));
  assert.ok("/openapi.json" in reply.json["paths"]!, "it describes itself");
  const headers = ["If-None-Match", reply.headers["ETag"]!];
  assert.equal((await world.ask("/openapi.json", { key: null, headers })).status, 304);
});
