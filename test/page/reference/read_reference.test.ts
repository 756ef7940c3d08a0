// Tests the reader of the OpenAPI document. The initial request of each form must succeed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PERSIAN } from "../../../adapters/page/built_files.ts";
import { readReference, type Schema, typeText } from "../../../adapters/page/reference/read_reference.ts";
import { referenceHtml } from "../../../adapters/page/reference/reference_html.ts";
import { currentValues, plannedRequest } from "../../../adapters/page/reference/request.ts";
import { ERRORS } from "../../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";
import { ROUTES } from "../../../core/routes/route_table.ts";
import { createWorld } from "../../support/api_under_test.ts";

const reference = readReference(createOpenApi({ routes: [openApiRoute()] }));
const { operations, headers, shapes, errors } = reference;

test("reference: has all nine routes, with key, cost and parameters as in the route table", () => {
  assert.equal(operations.length, ROUTES.length + 1);
  for (const { method, path, auth, charge, query } of ROUTES) {
    const operation = operations.find(
      (one) => one.method === method && one.path.replace(/\{\w+\}/g, "{}") === path.replace(/\{\w+\}/g, "{}"),
    );
    assert.ok(operation, path);
    assert.deepEqual([operation.summary !== "", operation.needsKey], [true, auth === "key"]);
    assert.match(
      operation.description.at(-1)!,
      { always: /even if it fails/, success: /given back/, free: /no unit/ }[charge],
    );
    const names = operation.parameters.filter(({ place }) => place === "query").map(({ name }) => name);
    assert.deepEqual(names, query);
    for (const parameter of operation.parameters)
      assert.ok(parameter.description && parameter.example, `${path} ${parameter.name}`);
  }
});

test("reference: the first request of each form is answered with 200, whatever day it is", async () => {
  const now = "2027-03-02T01:00:00Z";
  const world = await createWorld({}, now);
  const days = Array.from({ length: 12 }, (_, back) =>
    new Date(Date.parse(now) - back * 86_400_000).toISOString().replace("T01:", "T00:"),
  );
  await world.feed(...days.map((day) => ["USD_RLS", 1_905_000, day] as const));
  for (const operation of readReference(createOpenApi()).operations) {
    const { method, url, body } = plannedRequest(operation, currentValues(operation, Date.parse(now)), "");
    const sent = body && { body: body.text, headers: ["Content-Type", body.contentType] };
    const reply = await world.ask(url, { method, ...sent });
    assert.equal(reply.status, 200, `${method} ${url}: ${reply.text}`);
  }
});

test("reference in Persian: translates every text of the nine routes, keeps the names in each text, and has no unused translation", () => {
  const fields = shapes.flatMap(({ schema }): readonly Schema[] => [
    ...Object.values(schema.properties ?? {}),
    ...(schema.properties ? [] : [schema]),
  ]);
  const bodies = operations.flatMap(({ body, answers }) => [
    ...Object.values(body?.schema.properties ?? {}),
    ...answers.map(({ schema }) => schema),
  ]);
  const shown = new Set(
    [
      ...operations.flatMap(({ summary, description, parameters }) => [
        summary,
        ...description,
        ...parameters.map((parameter) => parameter.description),
      ]),
      ...headers.map(({ description }) => description),
      ...[...fields, ...bodies].map((schema) => schema.description ?? ""),
    ].filter((text) => text !== ""),
  );
  assert.ok(shown.size > 80, `${shown.size} texts`);
  for (const text of shown) {
    assert.match(PERSIAN[text] ?? "", /[\u0600-\u06ff]/, text);
    for (const [name] of text.matchAll(/`[^`]+`|\b[a-z]+[A-Z]\w*\b|X-API-Key|Retry-After/g))
      assert.ok(PERSIAN[text]?.includes(name), `${text}: ${name}`);
  }
  const facts = { reference, assets: [], baseUrl: "", key: "", guide: "" };
  const [english, persian] = (["en", "fa"] as const).map((language) => referenceHtml({ ...facts, language }).source);
  assert.doesNotMatch(persian!, /<span lang="en"/, "no English text is left");
  const pieces = new Set(english!.split(/<[^>]*>|(?<=key\.) | · |:/).map((text) => text.trim()));
  assert.deepEqual(
    Object.keys(PERSIAN).filter((text) => !shown.has(text) && !pieces.has(text)),
    [],
  );
});

test("reference: every error says in both languages what to do", () => {
  assert.ok(errors.length > 20, `${errors.length} errors`);
  for (const error of errors) {
    assert.match(error.fa, /[\u0600-\u06ff]/, error.code);
    assert.ok(error.en.startsWith(`${ERRORS[error.code as keyof typeof ERRORS].message}. `), error.code);
  }
});

test("reference: types are described in words", () => {
  const cases = [
    [{ $ref: "#/components/schemas/Candle" }, "Candle"],
    [{ type: "array", items: { type: "string" } }, "list of string"],
    [{ enum: ["a", null] }, '"a" or null'],
    [{ anyOf: [{ type: "number" }, { type: "null" }] }, "number or null"],
    [{ const: "v1" }, '"v1"'],
    [{ type: ["number", "null"] }, "number or null"],
    [{ format: "date" }, "string (date)"],
    [{}, "anything"],
  ] as const;
  for (const [schema, text] of cases) assert.equal(typeText(schema), text);
});
