import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { requestIds } from "../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import {
  type ApiOptions,
  createApi,
  createRequestRate,
  ERRORS,
  type ErrorCode,
  Unavailable,
  type UtcMillis,
} from "../../core/mod.ts";
import { err } from "../../core/result.ts";
import {
  type Ask,
  assertFailure,
  createFedWorld,
  createWorld,
  objectOf,
  replyOf,
  requestOf,
  type World,
} from "../support/api_under_test.ts";

const USD = "/api/v1/assets/USD_RLS";
const NOW = "2026-11-21T10:00:00.000Z";
const JSON_TYPE = ["Content-Type", "application/json"];
const SUPPORTED = "/api/v1/assets/supported";
const RANGE = "from=2026-11-21T00:00Z&to=2026-11-22T00:00Z";

const world = await createFedWorld();
const spent = await world.account({ units: 1 });
await world.ask(USD, { key: spent.key });
const restricted = await world.account({ status: "RESTRICTED" });
const expired = await world.account({ expiresAt: NOW });

const BOOM = new Error("boom: /var/lib/secret-path");
function failing(error: Error): Partial<ApiOptions> {
  const fail = (): Promise<never> => Promise.reject(error);
  return { observations: { latest: fail, coverage: fail, lastOfEach: fail, candles: fail, version: fail } };
}
const broken = await createWorld(failing(BOOM));
const rated = await createFedWorld({ keyRate: createRequestRate("1/h") });
await rated.ask(USD);
const busy = await createWorld(failing(new Unavailable("disk full")));

function post(body: string, headers: readonly string[] = JSON_TYPE): Ask {
  return { method: "POST", headers, body };
}

/** Each row of the contract's table of errors, and each of our own error codes that the core returns. */
const TABLE: readonly (readonly [
  rule: string,
  status: number,
  code: ErrorCode,
  target: string,
  ask?: Ask,
  where?: World,
])[] = [
  ["invalid codes", 400, "INVALID_CODES", "/api/v1/assets?codes=ABC"],
  ["an invalid category", 400, "INVALID_FILTER", "/api/v1/assets/supported?category=ABC"],
  ["a malformed date in the path", 400, "INVALID_DATE", `${USD}/21-11-2026`],
  ["a malformed date in the query", 400, "INVALID_DATE", `${USD}/history?from=21-11-2026&to=2026-11-21`],
  ["a missing from", 400, "MISSING_PARAMETER", `${USD}/history?to=2026-11-21`],
  ["a body without fromDate", 400, "MISSING_PARAMETER", USD, post('{"toDate":"2026-11-21"}')],
  ["a parameter twice", 400, "DUPLICATE_PARAMETER", `${USD}/history?from=2026-11-21&to=2026-11-21&from=2026-11-21`],
  ["an invalid interval", 400, "INVALID_INTERVAL", `${USD}/ohlc?interval=2h&${RANGE}`],
  ["a malformed timestamp", 400, "INVALID_TIMESTAMP", `${USD}/ohlc?interval=1h&from=2026-11-21&to=2026-11-22T00:00Z`],
  ["candles for an empty range", 400, "INVALID_OHLC_RANGE", `${USD}/ohlc?interval=1h&${RANGE.replace("22", "21")}`],
  ["a malformed body", 400, "INVALID_BODY", USD, post("{")],
  ["a malformed target", 400, "INVALID_REQUEST", "/api/v1//assets"],
  ["no key", 401, "API_KEY_MISSING", USD, { key: null }],
  ["an invalid key", 401, "API_KEY_INVALID", USD, { key: "nonsense" }],
  ["an expired key", 401, "API_KEY_INVALID", USD, { key: expired.key }],
  ["two keys", 401, "CONFLICTING_CREDENTIALS", USD, { headers: ["X-API-Key", "another"] }],
  ["a restricted account", 403, "ACCESS_RESTRICTED", USD, { key: restricted.key }],
  ["an unknown symbol", 404, "ASSET_NOT_FOUND", "/api/v1/assets/ABC_RLS"],
  ["no latest record", 404, "ASSET_NOT_FOUND", "/api/v1/assets/EUR_RLS"],
  ["no record on the date", 404, "ASSET_NOT_FOUND", `${USD}/2020-01-01`],
  ["no candles", 404, "OHLC_NOT_FOUND", `/api/v1/assets/EUR_RLS/ohlc?interval=1h&${RANGE}`],
  ["no such route", 404, "ROUTE_NOT_FOUND", "/api/v1/prices"],
  ["no such method", 405, "METHOD_NOT_ALLOWED", USD, { method: "PATCH" }],
  ["a body that is too large", 413, "BODY_TOO_LARGE", USD, post(" ".repeat(8_193))],
  ["a target that is too long", 414, "URI_TOO_LONG", `/${"a/".repeat(2_048)}`],
  ["another media type", 415, "UNSUPPORTED_MEDIA_TYPE", USD, post("{}", ["Content-Type", "text/plain"])],
  ["a range that runs backwards", 417, "INVALID_DATE_RANGE", `${USD}/history?from=2026-11-21&to=2026-11-20`],
  ["a range that is too long", 417, "INVALID_DATE_RANGE", `${USD}/history?from=2026-10-01&to=2026-11-21`],
  ["a key above its request rate", 429, "RATE_LIMITED", USD, {}, rated],
  ["the daily quota exhausted", 429, "QUOTA_EXCEEDED", USD, { key: spent.key }],
  ["an internal error", 500, "INTERNAL_ERROR", USD, {}, broken],
  ["a store that cannot answer at the moment", 503, "UNAVAILABLE", USD, {}, busy],
];
for (const [rule, status, code, target, ask, where = world] of TABLE) {
  test(`errors: ${rule} results in ${code}, with the error body's six fields: ${status}`, async () => {
    const reply = await where.ask(target, ask);
    const message = assertFailure(reply, status, code);
    const { requestId, ...body } = objectOf(reply.json);
    assert.deepEqual(body, { status, code, message, timestamp: NOW, path: target.split("?")[0]!.slice(0, 1_024) });
    assert.match(String(requestId), /^req_[0-9A-Za-z]{22}$/);
    assert.equal(reply.headers["X-Request-Id"], requestId);
    assert.equal(reply.headers["Content-Type"], "application/json; charset=utf-8");
    assert.equal(reply.headers["Cache-Control"], "no-store");
    assert.equal(reply.headers["ETag"], undefined);
    assert.match(message, /^\S.{9,299}$/, "a message is one line of text");
  });
}

test("errors: these tests cover every code except two, which only a server with sockets returns", () => {
  const tried = new Set<string>([...TABLE.map(([, , code]) => code), "REQUEST_TIMEOUT", "HEADERS_TOO_LARGE"]);
  assert.deepEqual(new Set(Object.keys(ERRORS)), tried);
});

const paths = [
  ["without its query", "/api/v1/prices?from=2026-01-01&api_key=secret", "/api/v1/prices"],
  ["as sent, including percent signs", "/api/v1/prices/%41%7e", "/api/v1/prices/%41%7e"],
  ["without the scheme and host of an absolute URL", "http://elsewhere.example:81/api/v1/prices?x=1", "/api/v1/prices"],
  ["even if the target is malformed", "/api/../secret?x=1", "/api/../secret"],
] as const;
for (const [rule, target, path] of paths) {
  test(`errors: the body has the request's path, ${rule}: 4xx`, async () => {
    const reply = await world.ask(target);
    assert.equal(Math.floor(reply.status / 100), 4);
    assert.equal(objectOf(reply.json)["path"], path);
  });
}

const noRoute = [
  ...["/", "", "/api/v1/", `${USD}/`, `${USD}/history/own`, "/api/v2/assets", "/api/v1/Assets", "/__proto__"],
  "http://elsewhere.example?codes=USD_RLS",
];
test("errors: a target without a route, for any method, even without a key: 404", async () => {
  for (const target of noRoute) {
    for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "BREW"]) {
      const message = assertFailure(await world.ask(target, { method, key: null }), 404, "ROUTE_NOT_FOUND");
      assert.match(message, /\/api\/v1\/status/, target);
    }
  }
});

const READ_ONLY = "GET, HEAD, OPTIONS";
const allowed: readonly (readonly [target: string, allow: string])[] = [
  ...["/api/v1/assets", SUPPORTED, "/api/v1/status", "/api/v1/access"].map((target) => [target, READ_ONLY] as const),
  ...["2026-11-21", "history", "ohlc"].map((part) => [`${USD}/${part}`, READ_ONLY] as const),
  ...[USD, "/api/v1/assets/ABC_RLS"].map((target) => [target, "GET, HEAD, POST, OPTIONS"] as const),
];
const METHODS = ["POST", "PUT", "DELETE", "TRACE", "CONNECT", "QUERY", "get", "GET ", "", "__proto__"];
for (const [target, allow] of allowed) {
  test(`errors: ${target} lists its methods in Allow, even without a key: 405`, async () => {
    for (const method of METHODS.filter((candidate) => !allow.split(", ").includes(candidate))) {
      const reply = await world.ask(`${target}?a=1`, { method, key: null });
      const message = assertFailure(reply, 405, "METHOD_NOT_ALLOWED");
      assert.equal(reply.headers["Allow"], allow, method);
      assert.ok(message.includes(allow), message);
    }
    for (const method of allow.split(", ")) assert.notEqual((await world.ask(target, { method })).status, 405, method);
  });
}

/** Targets that a proxy, a log or a URL parser could read in another way. */
const malformed: readonly (readonly [rule: string, target: string])[] = [
  ["two slashes at the start, which a URL parser takes for a host", "//evil.example/api/v1/status"],
  ["two slashes and a bracket, on which a URL parser throws", "//["],
  ["a backslash, which a URL parser takes for a slash", "/\\evil.example/api/v1/status"],
  ["two dots", "/api/v1/assets/../status"],
  ["two encoded dots", "/api/v1/assets/%2e%2e/status"],
  ["an encoded slash", "/api/v1%2fstatus"],
  ["an encoded zero byte", "/api/v1/assets/USD_RLS%00"],
  ["a fragment", "/api/v1/status#top"],
  ["a blank", "/api/v1/assets/USD RLS"],
  ["letters beyond ASCII", "/api/v1/assets/دلار"],
  ["a percent sign alone", "/api/v1/assets/%"],
  ["a byte that is invalid in UTF-8", "/api/v1/assets/%ff"],
  ["the asterisk form", "*"],
  ["no slash at the start", "api/v1/status"],
];
for (const [rule, target] of malformed) {
  test(`targets: ${rule} is refused with every method, and before the key is checked: 400`, async () => {
    for (const method of ["GET", "POST", "OPTIONS", "BREW"]) {
      assertFailure(await world.ask(target, { method, key: null }), 400, "INVALID_REQUEST");
    }
  });
}

test("targets: the absolute form, encoded letters, and bad percent signs in the query are accepted: 200", async () => {
  for (const target of [
    "http://elsewhere.example/api/v1/status",
    "HTTPS://elsewhere.example:8443/api/v1/status?a=1",
    "/%61pi/v1/statu%73",
    "/api/v1/status?a=%zz&b=%",
  ])
    assert.equal((await world.ask(target, { key: null })).status, 200, target);
});

test("targets: 4096 characters are accepted, 4097 are not, and the body repeats at most 1024 of the path: 404 and 414", async () => {
  const longest = `/${"a/".repeat(2_047)}a`;
  const read = await world.ask(longest, { key: null });
  assertFailure(read, 404, "ROUTE_NOT_FOUND");
  const refused = await world.ask(`${longest}a`, { key: null });
  assertFailure(refused, 414, "URI_TOO_LONG");
  const withQuery = await world.ask(`/api/v1/status?${"a".repeat(4_097)}`, { key: null });
  assertFailure(withQuery, 414, "URI_TOO_LONG");
  for (const reply of [read, refused]) assert.equal(objectOf(reply.json)["path"], longest.slice(0, 1_024));
  assert.equal(objectOf(withQuery.json)["path"], "/api/v1/status");
});

const LONG = "A".repeat(2_000);
const repeated: readonly (readonly [place: string, target: string, ask?: Ask])[] = [
  ["an asset", `/api/v1/assets/${LONG}`],
  ["a date", `${USD}/${LONG}`],
  ["codes", `/api/v1/assets?codes=${LONG}`],
  ["an interval", `${USD}/ohlc?interval=${LONG}&${RANGE}`],
  ["a body that is not JSON", USD, post(LONG)],
  ["a key", USD, { key: LONG }],
  ["an unknown path", `/${LONG}`, { key: null }],
];
for (const [place, target, ask] of repeated) {
  test(`errors: no message repeats more than 64 characters of ${place}: 4xx`, async () => {
    const reply = await world.ask(target, ask);
    assert.equal(Math.floor(reply.status / 100), 4);
    const message = String(objectOf(reply.json)["message"]);
    assert.doesNotMatch(message, /(.)\1{64}/);
    assert.ok(message.length < 400, message);
  });
}

const quoted: readonly (readonly [what: string, text: string, quote: string])[] = [
  ["64 characters are repeated whole", "é ".repeat(32), "é ".repeat(32)],
  ["the first 64 of 65 characters are repeated", `${"é ".repeat(32)}x`, `${"é ".repeat(32)}…`],
];
for (const [what, text, quote] of quoted) {
  test(`errors: in a message, ${what}: 404`, async () => {
    const reply = await world.ask(`/api/v1/assets/${encodeURIComponent(text)}`);
    assert.ok(assertFailure(reply, 404, "ASSET_NOT_FOUND").includes(`"${quote}"`), reply.text);
  });
}

test("errors: a message quotes the received text, whatever it is, within one JSON string: 404", async () => {
  for (const nasty of ['"', "</script>", "\r\nSet-Cookie: a=b", "\u2028", "😀".repeat(40), "{{7*7}}", "\u0001"]) {
    const reply = await world.ask(`/api/v1/assets/${encodeURIComponent(nasty).replace("%2F", "+")}`);
    assertFailure(reply, 404, "ASSET_NOT_FOUND");
    assert.doesNotMatch(reply.text, /[\u0000-\u001f]/);
    assert.doesNotMatch(Object.values(reply.headers).join(), /[\r\n]/);
  }
});

// An unexpected error in any port causes the same answer.
const { observations } = createMemoryStore();
type Fail = () => never;
const throwers: readonly (readonly [port: string, target: string, overrides: (fail: Fail) => Partial<ApiOptions>])[] = [
  ["observations.latest", USD, (latest) => ({ observations: { ...observations, latest } })],
  ["observations.coverage", SUPPORTED, (coverage) => ({ observations: { ...observations, coverage } })],
  ["observations.lastOfEach", `${USD}/2026-11-21`, (lastOfEach) => ({ observations: { ...observations, lastOfEach } })],
  ["accounts.find", "/api/v1/access", (find) => ({ accounts: { find } })],
  ["sha256", "/api/v1/access", (sha256) => ({ sha256 })],
  ["quota.take", "/api/v1/assets", (fail) => ({ quota: { take: fail, giveBack: fail, used: fail } })],
];
for (const [port, target, overrides] of throwers) {
  test(`errors: if ${port} throws, the error is reported once with the request's id, and not disclosed to the client: 500`, async () => {
    for (const thrown of [BOOM, "a string", undefined, null, { code: "EIO" }]) {
      const reports: (readonly [unknown, string])[] = [];
      const fail = (): never => {
        throw thrown;
      };
      const own = await createWorld({ ...overrides(fail), onError: (...report) => void reports.push(report) });
      const reply = await own.ask(target);
      assertFailure(reply, 500, "INTERNAL_ERROR");
      // Leaves out the request id, because its random letters may spell anything.
      const quote = reply.text.replace(String(reply.headers["X-Request-Id"]), "");
      assert.doesNotMatch(quote, /boom|secret-path|EIO|\.ts|a string/);
      assert.deepEqual(reports, [[thrown, reply.headers["X-Request-Id"]]]);
    }
  });
}

test("errors: nothing is answered from the cache if the store's version cannot be read: 500", async () => {
  const first = await createFedWorld();
  let down = false;
  const version: typeof observations.version = (codes) =>
    down ? Promise.reject(BOOM) : first.store.observations.version(codes);
  const own = await createWorld({ observations: { ...first.store.observations, version } });
  for (const target of [USD, "/api/v1/assets", SUPPORTED]) {
    down = false;
    for (let times = 0; times < 3; times++) assert.equal((await own.ask(target)).status, 200);
    down = true;
    assertFailure(await own.ask(target), 500, "INTERNAL_ERROR");
  }
});

function throwBoom(): never {
  throw BOOM;
}
const ownPorts: readonly (readonly [what: string, overrides: Partial<ApiOptions>])[] = [
  ["a clock that throws", { clock: throwBoom }],
  ["a clock that returns NaN", { clock: () => NaN as UtcMillis }],
  ["a clock beyond the year 9999", { clock: () => 8.7e15 as UtcMillis }],
  ["request ids that throw", { requestIds: throwBoom }],
  ["request ids that are not texts", { requestIds: () => undefined as unknown as string }],
  ["a digest that is not a text", { sha256: () => undefined as unknown as string }],
];
for (const [what, overrides] of ownPorts) {
  test(`errors: ${what}: answered with an error body, and reported: 500`, async () => {
    const own = await createFedWorld();
    const ids: string[] = [];
    const onError = (_: unknown, id: string): void => void ids.push(id);
    const api = createApi({ clock: own.now, requestIds, sha256: nodeSha256, ...own.store, ...overrides, onError });
    const reply = replyOf(await api(requestOf(USD, { key: own.key })));
    assertFailure(reply, 500, "INTERNAL_ERROR");
    const body = objectOf(reply.json);
    for (const name of ["timestamp", "path", "requestId"]) assert.equal(typeof body[name], "string", name);
    assert.deepEqual(ids, [body["requestId"]]);
  });
}

test("errors: expected failures are not reported", () => assert.deepEqual(world.errors, []));

test("errors: if reading the body throws, this is an internal error: 500", async () => {
  const own = await createFedWorld();
  const request = requestOf(USD, { method: "POST", key: own.key, headers: JSON_TYPE });
  assert.equal((await own.api({ ...request, text: () => Promise.reject(BOOM) })).status, 500);
  assert.deepEqual(own.errors, [BOOM]);
});

test("errors: if onError throws, the answer is the same: 500", async () => {
  const own = await createWorld({ ...failing(BOOM), onError: throwBoom });
  assertFailure(await own.ask(USD), 500, "INTERNAL_ERROR");
});

test("errors: the time limit applies to GET and HEAD, but not to POST, whose body depends on the client: 503 and 200", async () => {
  const own = await createFedWorld({ timeLimit: async (_, late) => late() });
  for (const method of ["GET", "HEAD"]) assert.equal((await own.ask(USD, { method })).status, 503);
  const body = '{"fromDate":"2026-11-21","toDate":"2026-11-21"}';
  assert.equal((await own.ask(USD, post(body))).status, 200);
});

test("errors: the API never rejects, whatever the request: 4xx", async () => {
  const targets = ["", "*", "/%", "\0", "?", "#", "//", USD, "/api/v1/assets?&&=&=", "\ud800", "/api/v1/assets/\udfff"];
  const lists = [[], ["X-API-Key"], ["", ""], ["x-api-key", "\0"], ["authorization", " "], ["if-none-match", '"']];
  for (const target of targets) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST", "", "\0"]) {
      for (const headers of lists) {
        const request = requestOf(target, { method, headers });
        const { status, body } = await world.api({ ...request, text: async () => err("NOT_UTF8") });
        assert.ok(status === 204 || (status >= 400 && status < 500), `${status}: ${body}`);
      }
    }
  }
});
