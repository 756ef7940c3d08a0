// What the reference page makes of the OpenAPI document of a server, and that its first requests are answered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readReference } from "../../../adapters/page/browser/reference/operations.ts";
import type { Operation } from "../../../adapters/page/browser/reference/operations.ts";
import { firstEntries, plannedRequest } from "../../../adapters/page/browser/reference/request.ts";
import { ASSETS, defineAsset, defineRoute } from "../../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";
import { ROUTES } from "../../../core/routes/table.ts";
import { createWorld } from "../../support/world.ts";

const CHANGE = defineRoute({
  method: "GET", path: "/api/v1/assets/{code}/own", auth: "key", charge: "success", query: ["days", "since"], summary: "Change of a day",
  docs: {
    operationId: "getOwn",
    parameters: {
      code: { description: "Asset", schema: { $ref: "#/components/schemas/AssetCode" }, example: "USD_RLS" },
      days: { description: "Days", schema: { type: "integer", minimum: 1, maximum: 31 }, example: 7, required: true },
      since: { description: "Day", schema: { type: "string", format: "date" } },
    },
    answer: { schema: { type: "object", properties: { change: { type: ["number", "null"], description: "Percent" } } }, example: { change: -0.5 } },
  },
  handle: () => ({ json: { change: -0.5 } }),
});

function read(settings: Parameters<typeof createOpenApi>[0] = {}): readonly Operation[] {
  return readReference(JSON.parse(JSON.stringify(createOpenApi(settings)))).operations;
}

function named(id: string, operations = read()): Operation {
  const found = operations.find((operation) => operation.id === id);
  assert.ok(found, id);
  return found;
}

test("reference: all nine routes, with key, charge and parameters as in the route table", () => {
  const operations = read();
  assert.equal(operations.length, ROUTES.length);
  for (const { method, path, auth, charge, summary, query } of ROUTES) {
    const operation = operations.find((one) => one.method === method && one.path.replace(/\{\w+\}/g, "{}") === path.replace(/\{\w+\}/g, "{}"));
    assert.ok(operation, path);
    assert.deepEqual([operation.summary, operation.charge, operation.isOwn], [summary, charge, false]);
    assert.deepEqual(operation.keyFields, auth === "key" ? ["X-API-Key", "Authorization"] : []);
    assert.deepEqual(operation.parameters.filter(({ place }) => place === "query").map(({ name }) => name), query);
    for (const parameter of operation.parameters) assert.ok(parameter.description && parameter.example, `${path} ${parameter.name}`);
    assert.doesNotMatch(operation.description.join(" "), /Costs/, "the page says the charge itself");
  }
});

test("reference: an own route and an own asset appear by themselves", () => {
  const own = [...ASSETS, defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" })];
  const operations = read({ assets: own, routes: [CHANGE, openApiRoute()] });
  const change = named("getOwn", operations);
  assert.deepEqual([change.isOwn, change.path, change.charge], [true, "/api/v1/assets/{code}/own", "success"]);
  assert.deepEqual(change.parameters.map(({ name, required, example }) => [name, required, example]), [["code", true, "USD_RLS"], ["days", true, "7"], ["since", false, ""]]);
  assert.equal(change.parameters[0]?.shape.values.includes("ZZZ_USD"), true);
  assert.equal(change.parameters[1]?.shape.limits, "≥ 1, ≤ 31");
  assert.deepEqual(change.answers[0]?.body?.fields.map(({ name, type, description }) => [name, type, description]), [["change", "number or null", "Percent"]]);
  assert.deepEqual(named("getOpenApi", operations).keyFields, []);
});

test("reference: the first request of each route is answered with 200, whatever day it is", async () => {
  const now = "2027-03-02T01:00:00Z";
  const world = await createWorld({ routes: [CHANGE] }, now);
  const days = Array.from({ length: 12 }, (_, back) => new Date(Date.parse(now) - back * 86_400_000).toISOString().replace("T01:", "T00:"));
  await world.feed(...days.map((day) => ["USD_RLS", 1_905_000, day] as const));
  for (const operation of read({ routes: [CHANGE] })) {
    const { method, url, body } = plannedRequest(operation, firstEntries(operation, new Date(now)), "");
    const reply = await world.ask(url, { method, ...(body && { body: body.text, headers: ["Content-Type", body.contentType] }) });
    assert.equal(reply.status, 200, `${method} ${url}: ${reply.text}`);
  }
});
