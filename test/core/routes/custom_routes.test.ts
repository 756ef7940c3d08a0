import assert from "node:assert/strict";
import { test } from "node:test";
import { type CustomAnswer, type CustomRouteDefinition, defineRoute, Unavailable } from "../../../core/mod.ts";
import { createOpenApi } from "../../../core/openapi/mod.ts";
import { assertFailure, createWorld, objectOf, requestOf, type World } from "../../support/api_under_test.ts";

const CHANGE = "/api/v1/assets/{code}/own";
const OPEN = { auth: "none", charge: "free" } as const;
const RIGHT: CustomRouteDefinition = {
  method: "GET",
  path: CHANGE,
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change",
  handle: () => ({ json: 1 }),
  docs: { hasTag: true, failures: ["ASSET_NOT_FOUND", "INVALID_DATE_RANGE"] },
};
const change = "/api/v1/assets/USD_RLS/own";

/** A world with a route that is handled by `handle`. */
function worldWith(handle: CustomRouteDefinition["handle"], more: Partial<CustomRouteDefinition> = {}): Promise<World> {
  return createWorld({ routes: [defineRoute({ ...RIGHT, ...more, handle })] });
}

async function remaining(world: World): Promise<number> {
  return Number((await world.ask("/api/v1/access")).headers["X-RateLimit-Remaining"]);
}

test("custom routes: the handler receives parameters, query, caller and time by name: 200", async () => {
  const world = await worldWith(({ params, query, caller, now }) => ({
    json: { params, query, account: caller?.account.id, now },
  }));
  const reply = await world.ask("/api/v1/assets/%D8%B1/own?days=7&other=1");
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, { params: { code: "ر" }, query: { days: "7" }, account: "account-1", now: world.now() });
  assert.equal(reply.headers["Content-Type"], "application/json; charset=utf-8");
  assert.equal(reply.headers["Cache-Control"], "no-store");
});

test("custom routes: keys, methods and parameters work as for the nine routes; the report names the route's template", async () => {
  const world = await worldWith(() => ({ json: 1 }));
  assertFailure(await world.ask(change, { key: null }), 401, "API_KEY_MISSING");
  const { key } = await world.account({ status: "RESTRICTED" });
  assertFailure(await world.ask(change, { key }), 403, "ACCESS_RESTRICTED");
  assertFailure(await world.ask(change, { method: "DELETE" }), 405, "METHOD_NOT_ALLOWED");
  assertFailure(await world.ask(`${change}?days=1&days=2`), 400, "DUPLICATE_PARAMETER");
  assert.equal((await world.ask(change, { method: "HEAD" })).status, 200);
  const { report } = await world.api(requestOf(change, { key: world.key }));
  assert.deepEqual([report?.route, report?.units], [CHANGE, "taken"]);
});

for (const [charge, answered, failed] of [
  ["always", 1, 1],
  ["success", 1, 0],
  ["free", 0, 0],
] as const) {
  test(`custom routes: with charge ${charge}, an answer costs ${answered} and a failure ${failed}`, async () => {
    for (const [answer, status, units] of [
      [{ json: null }, 200, answered],
      [{ failure: "ASSET_NOT_FOUND" }, 404, failed],
    ] as const) {
      const world = await worldWith(() => answer, { charge });
      const before = await remaining(world);
      assert.equal((await world.ask(change)).status, status);
      assert.equal(before - (await remaining(world)), units);
    }
  });
}

test("custom routes: a failure has the status of its error code, and the handler's message or, without one, the default of the code", async () => {
  const world = await worldWith(({ query }) => ({
    failure: "INVALID_DATE_RANGE",
    ...(query["days"] !== undefined && { message: `not "${query["days"]}"` }),
  }));
  assert.equal(assertFailure(await world.ask(`${change}?days=40`), 417, "INVALID_DATE_RANGE"), 'not "40"');
  assert.match(assertFailure(await world.ask(change), 417, "INVALID_DATE_RANGE"), /31 days/);
});

test("custom routes: a handler may return bytes of another type, which clients can revalidate by their tag: 200, 304", async () => {
  const world = await worldWith(
    () => ({ body: new TextEncoder().encode("# قیمت"), contentType: "text/markdown; charset=utf-8", tag: "v1.2" }),
    OPEN,
  );
  const reply = await world.ask(change, { key: null });
  assert.deepEqual(
    [reply.status, reply.text, reply.headers["Content-Type"]],
    [200, "# قیمت", "text/markdown; charset=utf-8"],
  );
  const again = await world.ask(change, { key: null, headers: ["If-None-Match", reply.headers["ETag"]!] });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("custom routes: may set fields that are not the API's own, with or without a tag and CORS fields: 200", async () => {
  const wanted = {
    "Content-Disposition": 'attachment; filename="a.csv"',
    "Content-Language": "fa",
    "Content-Security-Policy": "default-src 'none'",
    "Referrer-Policy": "no-referrer",
  };
  for (const tag of [{}, { tag: "v1" }]) {
    const world = await worldWith(() => ({ json: 1, ...tag, fields: wanted }));
    const { headers } = await world.ask(change, { headers: ["Origin", "https://a.example"] });
    assert.deepEqual({ ...headers, ...wanted }, headers);
    assert.deepEqual([headers["X-Content-Type-Options"], headers["Access-Control-Allow-Origin"]], ["nosniff", "*"]);
    assert.match(headers["X-RateLimit-Remaining"] ?? "", /^\d+$/);
  }
});

test("custom routes: Cache-Control states how long a public body may be kept: 200, 304", async () => {
  for (const [caching, field] of [
    [{ isImmutable: true }, "public, max-age=31536000, immutable"],
    [{ maxAgeSeconds: 60 }, "public, max-age=60"],
  ] as const) {
    const world = await worldWith(() => ({ json: 1, tag: "v1", ...caching }), OPEN);
    const reply = await world.ask(change, { key: null });
    const again = await world.ask(change, { key: null, headers: ["If-None-Match", reply.headers["ETag"]!] });
    assert.deepEqual([reply.status, again.status], [200, 304]);
    for (const { headers } of [reply, again]) assert.equal(headers["Cache-Control"], field);
  }
});

test("custom routes: a redirect has no body and must not be cached: 307; an invalid link, or a redirect below /api/, is an error: 500", async () => {
  const leads = (path: string, redirect: unknown): Promise<World> =>
    worldWith(() => ({ redirect }) as CustomAnswer, { ...OPEN, path, query: [], docs: false });
  const reply = await (await leads("/docs", "/market/docs?a=b#c")).ask("/docs", { key: null });
  assert.deepEqual(
    [reply.status, reply.text, reply.headers["Location"], reply.headers["Cache-Control"]],
    [307, "", "/market/docs?a=b#c", "no-store"],
  );
  for (const [path, redirect] of [
    ["/api/v1/old", "/api/v1/status"],
    ["/docs", "/a\r\nX-A: b"],
    ["/docs", "/a b"],
    ["/docs", "/ق"],
    ["/docs", ""],
    ["/docs", 5],
  ] as const) {
    assertFailure(await (await leads(path, redirect)).ask(path, { key: null }), 500, "INTERNAL_ERROR");
  }
});

test("custom routes: docs: false leaves a route out of the OpenAPI document", () => {
  const [hidden, shown] = [defineRoute({ ...RIGHT, docs: false }), defineRoute(RIGHT)];
  assert.deepEqual(createOpenApi({ routes: [hidden] }), createOpenApi());
  assert.ok(CHANGE in createOpenApi({ routes: [shown] }).paths, CHANGE);
});

test("custom routes: a POST reads its body up to the handler's limit", async () => {
  const world = await worldWith(
    async ({ request }) => {
      const text = await request.text(10);
      return text.ok ? { json: text.value } : { failure: "BODY_TOO_LARGE" };
    },
    { method: "POST" },
  );
  assert.equal((await world.ask(change, { method: "POST", body: "ten" })).text, '"ten"');
  assertFailure(await world.ask(change, { method: "POST", body: "more than ten" }), 413, "BODY_TOO_LARGE");
  assert.equal((await world.ask(change)).headers["Allow"], "POST, OPTIONS");
});

const circle: Record<string, unknown> = {};
circle["itself"] = circle;
// The types do not allow these answers, but a handler in plain JavaScript can return them.
const broken: readonly (readonly [what: string, answer: unknown])[] = [
  ["nothing", undefined],
  ["a function", { json: () => 1 }],
  ["a circle", { json: circle }],
  ["an inherited name", { failure: "toString" }],
  ["an invalid body", { body: 5, contentType: "text/plain" }],
  ["a type with a line break", { body: "", contentType: "text/plain\r\nX-A: b" }],
  ["a tag with a quote", { json: 1, tag: '"a"' }],
  ["a field of the API's own", { json: 1, fields: { "Cache-Control": "public" } }],
  ["a field with a line break", { json: 1, fields: { "Content-Language": "fa\r\nSet-Cookie: a=b" } }],
  ["a field beyond ASCII", { json: 1, fields: { "Content-Disposition": "attachment; filename=نرخ.csv" } }],
  ["an immutable body with a key", { json: 1, tag: "v1", isImmutable: true }],
  ["a shared body with a key", { json: 1, tag: "v1", maxAgeSeconds: 60 }],
  ["an invalid age", { json: 1, tag: "v1", maxAgeSeconds: 0.5 }],
];
for (const [what, answer] of broken) {
  test(`custom routes: a handler that answers ${what}: 500, the error is reported, and the unit is given back`, async () => {
    const world = await worldWith(() => answer as CustomAnswer);
    const before = await remaining(world);
    const reply = await world.ask(change);
    assertFailure(reply, 500, "INTERNAL_ERROR");
    assert.equal(world.errors.length, 1);
    assert.equal(await remaining(world), before);
  });
}

test("custom routes: a handler that throws or rejects: 500; with Unavailable: 503", async () => {
  const thrown = new Error("secret");
  const fail = (): never => {
    throw thrown;
  };
  for (const handle of [fail, async () => fail()]) {
    const world = await worldWith(handle);
    const reply = await world.ask(change);
    assertFailure(reply, 500, "INTERNAL_ERROR");
    assert.equal(reply.text.includes("secret"), false);
    assert.deepEqual(world.errors, [thrown]);
  }
  const down = await worldWith(() => Promise.reject(new Unavailable("later", 7)));
  assertFailure(await down.ask(change), 503, "UNAVAILABLE");
});

test("custom routes: do not change the nine routes, and are not listed by the status route", async () => {
  const [plain, own] = [await createWorld(), await worldWith(() => ({ json: 1 }))];
  for (const target of ["/api/v1/status", "/api/v1/access", "/api/v1/assets/USD_RLS/ow"]) {
    const [a, b] = [await plain.ask(target), await own.ask(target)];
    const bare = (text: string): string => text.replace(/req_\w+/g, "");
    assert.deepEqual([b.status, bare(b.text)], [a.status, bare(a.text)]);
  }
});

const shapes: readonly (readonly [what: string, definition: object])[] = [
  ["an unknown method", { method: "PUT" }],
  ["a path without a slash", { path: "change" }],
  ["two slashes", { path: "/a//b" }],
  ["a trailing slash", { path: "/a/" }],
  ["dot segments", { path: "/a/../b" }],
  ["half a parameter", { path: "/a/x{code}" }],
  ["a parameter without a name", { path: "/a/{}" }],
  ["an encoded path", { path: "/a%20b" }],
  ["the same name twice", { path: "/{code}/{code}" }],
  ["a query name that is also a path parameter", { query: ["code"] }],
  ["a query name with a symbol", { query: ["a&b"] }],
  ["an unknown auth", { auth: "bearer" }],
  ["an unknown charge", { charge: "twice" }],
  ["a charge without a key", { auth: "none", charge: "always" }],
  ["no handler", { handle: undefined }],
  ["no summary", { summary: undefined }],
];
for (const [what, wrong] of shapes) {
  test(`custom routes: defineRoute refuses ${what}`, () => {
    const refusal = { name: "RangeError", message: /^Cannot define the route "\S+ .*" because / };
    assert.throws(() => defineRoute({ ...RIGHT, ...wrong } as CustomRouteDefinition), refusal);
  });
}

const places: readonly (readonly [method: "GET" | "POST", path: string, clashesWith: string | undefined])[] = [
  ["GET", "/api/v1/status", "GET /api/v1/status"],
  ["GET", "/api/v1/assets/{x}", "GET /api/v1/assets/{assetName}"],
  ["POST", "/api/v1/assets/{x}", "POST /api/v1/assets/{assetName}"],
  ["GET", "/api/v1/assets/{x}/own", undefined],
  ["GET", "/api/v1/assets/NOPE/{x}", undefined],
  ["GET", "/api/v1/{x}", undefined],
  ["POST", "/api/v1/status", undefined],
  ["GET", "/.well-known/llms.txt", undefined],
];
for (const [method, path, clashesWith] of places) {
  test(`custom routes: ${method} ${path} is ${clashesWith === undefined ? "added" : `refused, as it clashes with ${clashesWith}`}`, async () => {
    const route = defineRoute({ ...RIGHT, method, path, query: [], handle: () => ({ json: "own" }) });
    const made = createWorld({ routes: [route] });
    if (clashesWith !== undefined) return assert.rejects(made, (error: Error) => error.message.includes(clashesWith));
    const reply = await (await made).ask(path.replace("{x}", "value"), { method });
    assert.deepEqual([reply.status, reply.text], [200, '"own"']);
    assert.equal(objectOf((await (await made).ask("/api/v1/status")).json)["status"], "OK");
  });
}

test("custom routes: the same route twice is refused", async () => {
  const [one, two] = ["/a/{x}", "/a/{y}"].map((path) => defineRoute({ ...RIGHT, path, query: [] }));
  await assert.rejects(createWorld({ routes: [one!, two!] }), {
    name: "RangeError",
    message: /"GET \/a\/\{y\}" .* "GET \/a\/\{x\}"/,
  });
});
