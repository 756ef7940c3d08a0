// The listener in an app: behind middleware, under a path, and with requests that the app has changed or constructed.
import assert from "node:assert/strict";
import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { fetchHandler } from "../../../adapters/http/fetch_handler.ts";
import { nodeListener } from "../../../adapters/http/node/request_listener.ts";
import type { ApiFunction, ApiRequest } from "../../../core/mod.ts";
import { createWorld, objectOf } from "../../support/api_under_test.ts";
import { httpSuite } from "../../support/http_suite.ts";
import { plain, stubApi } from "../../support/node_stub.ts";
import { sendRaw } from "../../support/raw_http.ts";
import { startListener } from "../../support/serve_listener.ts";

const USD = "/api/v1/assets/USD_RLS";
const world = await createWorld();
await world.feed(["USD_RLS", 1_905_000, "2026-11-21T09:00:00Z"]);

/** Middleware that reads all fields and wraps `writeHead`. Like on-headers 1.0.2, it treats a flat list as pairs. */
function behindMiddleware(listener: RequestListener): RequestListener {
  return (req, res) => {
    void req.headers;
    const { writeHead } = res;
    res.writeHead = ((status: number, fields: OutgoingHttpHeaders | readonly string[] = {}) => {
      res.statusCode = status;
      const pairs = Array.isArray(fields) ? fields.map((pair: string) => [pair[0]!, pair[1]!]) : Object.entries(fields);
      for (const [name, value] of pairs) res.setHeader(name!, value!);
      return writeHead.call(res, status);
    }) as typeof writeHead;
    listener(req, res);
  };
}

httpSuite("node listener behind middleware", (api) => startListener(behindMiddleware(nodeListener(api))), [
  "br",
  "gzip",
]);

/** Returns the request that the API sees when `app` calls the listener, and the answer. */
async function seenBy(app: (req: IncomingMessage) => void, headers: readonly string[], names: readonly string[]) {
  let seen: unknown;
  const listener = nodeListener((request) => {
    seen = names.map((name) => request.headers.get(name));
    return plain("");
  });
  const { origin, close } = await startListener((req, res) => {
    app(req);
    listener(req, res);
  });
  await sendRaw(origin, { headers });
  await close();
  return seen;
}

const SENT = ["a, b", "Basic a, ApiKey b", undefined];
type App = (req: IncomingMessage) => void;
const own: App = (req) => void Object.defineProperty(req, "headers", { value: { "x-api-key": "c" } });
const changes: readonly (readonly [what: string, app: App, seen: unknown])[] = [
  ["changes nothing", () => undefined, SENT],
  ["only reads the fields", (req) => void req.headers, SENT],
  ["sets a repeated field to its first value", (req) => (req.headers["x-api-key"] = "a"), SENT.with(0, "a")],
  ["changes a field", (req) => (req.headers["x-api-key"] = "c"), SENT.with(0, "c")],
  ["adds a field as a list", (req) => (req.headers["x-own"] = ["c", "d"]), SENT.with(2, "c, d")],
  ["removes a field", (req) => delete req.headers.authorization, SENT.with(1, undefined)],
  ["replaces all fields", (req) => (req.headers = { "x-own": "c" }), [undefined, undefined, "c"]],
  ["defines its own `headers` property", own, ["c", undefined, undefined]],
];
for (const [what, app, expected] of changes) {
  test(`node listener: if an app ${what}, the API gets the app's fields; a credential that was sent twice keeps both values unless the app has changed it`, async () => {
    const sent = ["X-API-Key: a", "X-Api-Key: b", "Authorization: Basic a", "Authorization: ApiKey b"];
    assert.deepEqual(await seenBy(app, sent, ["x-api-key", "authorization", "x-own"]), expected);
  });
}

/** A mock response like in serverless-http and node-mocks-http. It has no real socket, and can only be read as text. */
function imitatedAnswer() {
  const parts: Buffer[] = [];
  const res = new ServerResponse(Object.assign(new IncomingMessage(new Socket()), { method: "GET" }));
  const ended = new Promise<void>((resolve) => {
    res.end = ((body = "") => {
      assert.equal(typeof body, "string");
      parts.push(Buffer.from(body as string));
      resolve();
      return res;
    }) as typeof res.end;
  });
  return { res, ended, text: () => Buffer.concat(parts).toString() };
}

for (const [what, more] of [
  ["an empty list of fields", { rawHeaders: [], socket: {} }],
  ["no list of fields and no socket", {}],
] as const) {
  test(`node listener: the fields of a request with ${what} are read from its headers property`, async () => {
    const post = { method: "POST", body: { fromDate: "2026-11-01", toDate: "2026-11-30" } };
    const headers = { "x-api-key": world.key, "content-type": "application/json", traceparent: TRACE };
    const exchanges: unknown[] = [];
    const listener = nodeListener(world.api, {
      onExchange: ({ report, status, traceId }) => exchanges.push([report?.accountId, status, traceId]),
    });
    for (const request of [{ method: "GET" }, post]) {
      const answer = imitatedAnswer();
      listener({ url: USD, headers, ...request, ...more } as unknown as IncomingMessage, answer.res);
      await answer.ended;
      assert.equal(answer.res.statusCode, 200);
      assert.equal(answer.res.getHeader("content-type"), "application/json; charset=utf-8");
      assert.match(answer.text(), /"labelFa":"دلار آمریکا \/ ریال ایران"/);
      answer.res.emit("close");
    }
    assert.deepEqual(exchanges, Array(2).fill(["account-1", 200, TRACE.slice(3, 35)]));
  });
}
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("node listener: never throws, whatever the request; onError receives the reason", async () => {
  const errors: unknown[] = [];
  const listener = nodeListener(world.api, { onError: (error) => errors.push(error), onExchange: () => undefined });
  for (const request of [{}, { method: "POST", rawHeaders: ["Content-Length", "2"] }]) {
    listener(request as IncomingMessage, {} as ServerResponse<IncomingMessage> & { req: IncomingMessage });
    await new Promise(setImmediate);
  }
  assert.ok(errors.length === 2 && errors.every((error) => error instanceof TypeError), String(errors));
});

test("node listener: a request that the app has already answered costs no unit, and is reported to onError", async () => {
  const errors: unknown[] = [];
  const listener = nodeListener(() => assert.fail("the API was asked"), { onError: (error) => errors.push(error) });
  const { origin, close } = await startListener((req, res) => {
    res.end("cached");
    listener(req, res);
  });
  const { body } = await sendRaw(origin, {}).finally(close);
  assert.deepEqual([body.toString(), errors.length], ["cached", 1]);
  assert.doesNotMatch(String(errors[0]), /the API was asked/);
});

/** Sends a GET to a listener below a path. Returns the status and the members of the body. */
async function underPath(target: string, options: { readonly basePath?: string }, originalUrl?: string) {
  const listener = nodeListener(world.api, options);
  const app: RequestListener = (req, res) => listener(Object.assign(req, originalUrl && { originalUrl }), res);
  const { origin, close } = await startListener(app);
  const { status, body } = await sendRaw(origin, { target, headers: [`X-API-Key: ${world.key}`] }).finally(close);
  return { status, ...objectOf(JSON.parse(body.toString())) } as { status: number; path?: string; message?: string };
}

const BASE = { basePath: "/prices" };
const elsewhere = ["/prices", "/prices?x", `/prices2${USD}`, `/Prices${USD}`, `/a/prices${USD}`, USD, "/"];
for (const [target, status] of [
  [`/prices${USD}`, 200],
  [`http://h.example/prices${USD}?x=1`, 200],
  [`/prices${USD}/2026-02-30`, 400],
  ...elsewhere.map((target) => [target, 404] as const),
] as const) {
  test(`base path: under /prices, ${target} gets ${status}, and errors contain the path as sent`, async () => {
    const answer = await underPath(target, BASE);
    const url = new URL(target, "http://h.example");
    const handle = fetchHandler(world.api, BASE);
    const byFetch = await handle(new Request(url, { headers: { "X-API-Key": world.key } }));
    assert.deepEqual([answer.status, byFetch.status], [status, status]);
    if (status === 200) return;
    const { path } = objectOf(await byFetch.json());
    assert.deepEqual([answer.path, path], [url.pathname, url.pathname]);
    if (status === 404) assert.match(answer.message!, /begin with \/prices\/$|no such route/);
  });
}

test("base path: if the app has removed the mount path from the URL, no option is needed, and errors contain the whole path", async () => {
  for (const options of [{}, BASE]) {
    assert.equal((await underPath(USD, options, `/prices${USD}`)).status, 200);
    const slash = await underPath(`${USD}/`, options, `/prices${USD}/`);
    assert.deepEqual([slash.status, slash.path], [404, `/prices${USD}/`]);
    assert.match(slash.message!, /but there is "\/prices\/api\/v1\/assets\/USD_RLS", without the trailing slash/);
  }
});

test("base path: an invalid path, or an API that is not from createApi, throws at once", () => {
  for (const basePath of ["prices", "/", "/prices/", "/a?b", "//a", "/نرخ", "/a b", "/a/../b", "/."])
    assert.throws(() => nodeListener(world.api, { basePath }), RangeError, basePath);
  const bare: ApiFunction = (request: ApiRequest) => world.api(request);
  assert.throws(() => fetchHandler(bare, BASE), TypeError);
  assert.doesNotThrow(() => fetchHandler(stubApi(bare), { basePath: "" }));
});
