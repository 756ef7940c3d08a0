// Valid and invalid requests generated from the OpenAPI document: each answer must match the document.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ASSETS, defineAsset, defineRoute, type Settings } from "../../core/mod.ts";
import { createOpenApi, openApiRoute } from "../../core/openapi/mod.ts";
import { type Ask, createWorld, type World } from "../support/api_under_test.ts";
import { runs } from "../support/suite_size.ts";

/** The number of requests in both tests together. */
const REQUESTS = runs(1_200, 2_400);
const MOST_ROUNDS = 4;
const DAYS = ["2026-11-19", "2026-11-20", "2026-11-21"];
const OWN = defineRoute({
  method: "GET",
  path: "/api/v1/assets/{code}/own",
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change of some days",
  docs: {
    parameters: {
      code: { description: "Asset", schema: { $ref: "#/components/schemas/AssetCode" } },
      days: { description: "Days", schema: { type: "integer", minimum: 1, maximum: 31 }, required: true },
    },
    answer: { schema: { type: "object", properties: { days: { type: "integer" } }, required: ["days"] } },
    failures: ["ASSET_NOT_FOUND", "MISSING_PARAMETER", "INVALID_DATE_RANGE"],
  },
  handle({ params, query }) {
    const days = Number(query.days ?? "");
    if (query.days === undefined) return { failure: "MISSING_PARAMETER" };
    if (!Number.isInteger(days) || days < 1 || days > 31) return { failure: "INVALID_DATE_RANGE" };
    return params.code.endsWith("_RLS") ? { json: { days } } : { failure: "ASSET_NOT_FOUND" };
  },
});
const KRONE = defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" });
const USUAL: Settings = {};
const EMBEDDED: Settings = {
  assets: [KRONE, ...ASSETS.slice(0, 20)],
  routes: [OWN, openApiRoute()],
  maxCandles: 300,
  chargeFailures: "always",
  marketTimeZone: "UTC",
};

type Tree = { readonly [name: string]: Tree };
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Tree }[];
  readonly hasBody: boolean;
}
interface Sent extends Ask {
  readonly operation: string;
  readonly target: string;
}

function operationsOf(document: Tree): readonly Operation[] {
  return Object.entries(document["paths"]!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: String(operation["operationId"]),
      method: method.toUpperCase(),
      path,
      parameters: (operation["parameters"] ?? []) as unknown as Operation["parameters"],
      hasBody: "requestBody" in operation,
    })),
  );
}

const anyDay = fc
  .integer({ min: 0, max: 364 })
  .map((number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10));
const day = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...DAYS) }, anyDay);

/** Texts of values that a schema allows. */
function allowed(document: Tree, schema: Tree): fc.Arbitrary<string> {
  const reference = schema["$ref"] as unknown as string | undefined;
  if (reference !== undefined)
    return allowed(document, document["components"]!["schemas"]![reference.split("/").at(-1)!]!);
  const known = schema["enum"] as unknown as readonly string[] | undefined;
  if (known) return fc.oneof({ weight: 2, arbitrary: fc.constant(known[0]!) }, fc.constantFrom(...known));
  if (String(schema["type"]) === "array")
    return fc.array(allowed(document, schema["items"]!), { minLength: 1, maxLength: 4 }).map((list) => list.join(","));
  if (String(schema["type"]) === "integer")
    return fc.integer({ min: Number(schema["minimum"] ?? 0), max: Number(schema["maximum"] ?? 99) }).map(String);
  if (String(schema["format"]) === "date") return day;
  if (String(schema["format"]) === "date-time")
    return fc
      .tuple(day, fc.constantFrom("T00:00:00Z", "T12:30Z", "T23:59:59.999Z", "T08:00:00+00:00"))
      .map((parts) => parts.join(""));
  return fc.string({ minLength: 1 });
}

const wrong = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    ...["", "usd_rls", "USD_RLX", "2026-02-30", "1405-08-30", "2026-11-21T00:00:00+03:30", "2h"],
    ...["..", "%00", "a/b", "__proto__", "null", "1e309"],
  ),
  fc.constant("x".repeat(5_000)),
);

/** Seldom an exception. */
function mostly<T, U>(usual: fc.Arbitrary<T>, exception: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 6, arbitrary: usual }, exception);
}

function requestOf(document: Tree, world: World, keys: readonly (string | null)[]): fc.Arbitrary<Sent> {
  const arbitraries = operationsOf(document).map(({ name, method, path, parameters, hasBody }) => {
    const values = fc.tuple(
      ...parameters.map(({ schema }) => mostly(allowed(document, schema), fc.oneof(wrong, fc.constant(undefined)))),
    );
    const dates = fc.record({ fromDate: day, toDate: day }, { requiredKeys: [] });
    return fc
      .record({
        values,
        text: mostly(
          dates.map((value) => JSON.stringify(value)),
          fc.oneof(fc.json(), wrong),
        ),
        key: mostly(fc.constant(world.key), fc.constantFrom(...keys)),
        form: fc.constantFrom("X-API-Key", "Authorization"),
        type: mostly(
          fc.constant("application/json"),
          fc.constantFrom("text/plain", "application/json; charset=latin1"),
        ),
        verb: mostly(fc.constant(method), fc.constantFrom("HEAD", "OPTIONS", "DELETE", "POST")),
        held: fc.constantFrom([], [], [], ["If-None-Match", "*"], ["If-None-Match", '"a"']),
        more: fc.constantFrom("", "", "", "&other=1", "&from=2026-11-20", "&codes=USD_RLS", "&x".repeat(40)),
      })
      .map(({ values: given, text, key, form, type, verb, held, more }): Sent => {
        let filled = path;
        const query: string[] = [];
        for (const [at, { name: parameter, in: place }] of parameters.entries()) {
          const value = given[at];
          if (place === "path") filled = filled.replace(`{${parameter}}`, () => encodeURIComponent(value ?? ""));
          else if (value !== undefined) query.push(`${parameter}=${encodeURIComponent(value)}`);
        }
        const headers = [
          ...held,
          ...(hasBody ? ["Content-Type", type] : []),
          ...(key !== null && form === "Authorization" ? ["Authorization", `ApiKey ${key}`] : []),
        ];
        const target = filled + (query.length === 0 && more === "" ? "" : `?${query.join("&")}${more}`);
        return {
          operation: name,
          target,
          method: verb,
          headers,
          key: form === "Authorization" ? null : key,
          ...(hasBody && { body: text }),
        };
      });
  });
  return fc.oneof(...arbitraries);
}

for (const [name, settings] of [
  ["the usual settings", USUAL],
  ["own assets and routes", EMBEDDED],
] as const) {
  test(`OpenAPI: ${REQUESTS / 2} requests generated from the document of ${name}: each answer is documented, and none is 5xx`, async () => {
    const world = await createWorld(settings);
    const codes = (settings.assets ?? ASSETS).map(({ code }) => code).slice(0, 15);
    for (const date of DAYS) await world.feed(...codes.map((code, at) => [code, at + 1, `${date}T06:00:00Z`] as const));
    const [small, restricted] = [await world.account({ units: 2 }), await world.account({ status: "RESTRICTED" })];
    const document = JSON.parse(JSON.stringify(createOpenApi(settings))) as Tree; // plain data, walked above
    const seen = new Map<string, Set<number>>();
    const operations = operationsOf(document).map(({ name: operation }) => operation);
    const unanswered = (): string | undefined => operations.find((operation) => !seen.get(operation)?.has(200));
    const make = (): Promise<void> =>
      fc.assert(
        fc.asyncProperty(
          requestOf(document, world, [null, "nonsense", small.key, restricted.key]),
          async ({ operation, target, ...ask }) => {
            // `ask` checks the answer against the document.
            const { status, text } = await world.ask(target, ask);
            assert.ok(status < 500, text);
            seen.set(operation, (seen.get(operation) ?? new Set()).add(status));
          },
        ),
        { numRuns: REQUESTS / 2 },
      );
    // In one round, all requests of an operation may be invalid by chance.
    for (let round = 0; round === 0 || (round < MOST_ROUNDS && unanswered() !== undefined); round++) await make();
    assert.deepEqual(world.errors, []);
    // Proves that the requests are useful: each operation has succeeded, and each kind of failure has occurred.
    assert.equal(unanswered(), undefined, "an operation without any 200");
    const statuses = new Set([...seen.values()].flatMap((own) => [...own]));
    for (const status of [200, 304, 400, 401, 403, 404, 405, 414, 415, 417, 429])
      assert.ok(statuses.has(status), `${status} never came`);
  });
}
