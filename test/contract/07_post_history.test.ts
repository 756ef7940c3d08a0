import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { requestIds } from "../../adapters/http/web_system.ts";
import { createApi } from "../../core/api.ts";
import type { ApiResponse, BodyFailure } from "../../core/http/messages.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { createWorld, fields, type Reply, textOf, type World } from "../support/api_under_test.ts";

const CODE = "USD_RLS";
const PATH = `/api/v1/assets/${CODE}`;
const GOOD = '{"fromDate":"2024-03-01","toDate":"2024-03-05"}';
const JSON_TYPE = ["Content-Type", "application/json"];

function post(world: World, body: string, headers: readonly string[] = JSON_TYPE): Promise<Reply> {
  return world.ask(PATH, { method: "POST", headers, body });
}

const shared = await createWorld();
await shared.feed(
  [CODE, 510_000, "2024-03-01T12:00:00Z"],
  [CODE, 512_000.5, "2024-03-03T12:00:00Z"],
  [CODE, 513_000, "2024-03-03T13:00:00Z"],
  [CODE, 514_000, "2024-03-06T12:00:00Z"],
);

const ranges = [
  ["a few days", "2024-03-01", "2024-03-05", 2],
  ["31 days apart", "2024-02-20", "2024-03-22", 3],
  ["days without a record", "2024-03-07", "2024-03-10", 0],
] as const;
for (const [rule, from, to, count] of ranges) {
  test(`POST history: the answer is that of the history route, byte for byte: ${rule}: 200`, async () => {
    const byQuery = await shared.ask(`${PATH}/history?from=${from}&to=${to}`);
    const byBody = await post(shared, JSON.stringify({ fromDate: from, toDate: to }));
    assert.equal(byBody.status, 200);
    assert.equal(JSON.parse(byBody.text).length, count);
    assert.equal(byBody.text, byQuery.text);
    for (const name of ["Content-Type", "Cache-Control", "ETag", "Vary", "X-Content-Type-Options"]) {
      assert.equal(byBody.headers[name], byQuery.headers[name], name);
    }
  });
}

const mediaTypes = [
  ["application/json", "application/json", 200],
  ["with its charset", "application/json; charset=utf-8", 200],
  ["with its charset in quotes", 'application/json; charset="utf-8"', 200],
  ["another charset", "application/json; charset=iso-8859-1", 415],
  ["text", "text/plain", 415],
  ["a name that begins alike", "application/jsonp", 415],
  ["an empty field", "", 415],
  ["256 characters", `application/json;${" ".repeat(239)}`, 200],
  ["257 characters", `application/json;${" ".repeat(240)}`, 415],
] as const;
for (const [rule, type, status] of mediaTypes) {
  test(`POST history: Content-Type: ${rule}: ${status}`, async () => {
    const reply = await post(shared, GOOD, ["Content-Type", type]);
    assert.equal(reply.status, status);
    if (status === 415) assert.equal(reply.json["code"], "UNSUPPORTED_MEDIA_TYPE");
  });
}

test("POST history: no Content-Type: 415", async () => {
  assert.equal((await post(shared, GOOD, [])).status, 415);
});

test("POST history: Content-Type twice: 415", async () => {
  assert.equal((await post(shared, GOOD, [...JSON_TYPE, ...JSON_TYPE])).status, 415);
});

/** A good body of so many bytes, filled up with a member that nobody reads. */
function bodyOf(bytes: number, filler: string): string {
  const empty = `${GOOD.slice(0, -1)},"x":""}`;
  const room = bytes - Buffer.byteLength(empty);
  const width = Buffer.byteLength(filler);
  const text = filler.repeat(Math.floor(room / width)) + "x".repeat(room % width);
  const body = `${GOOD.slice(0, -1)},"x":"${text}"}`;
  assert.equal(Buffer.byteLength(body), bytes);
  return body;
}

const sizes = [
  ["8,192 bytes are the most", bodyOf(8_192, "x"), 200],
  ["8,193 bytes are too many", bodyOf(8_193, "x"), 413],
  ["8,193 bytes in fewer than 8,192 characters are too many", bodyOf(8_193, "ریال"), 413],
  ["8,193 bytes that are not JSON either", "x".repeat(8_193), 413],
] as const;
for (const [rule, body, status] of sizes) {
  test(`POST history: size: ${rule}: ${status}`, async () => {
    const reply = await post(shared, body);
    assert.equal(reply.status, status);
    if (status === 413) assert.equal(reply.json["code"], "BODY_TOO_LARGE");
  });
}

const bodies = [
  ["nothing", ""],
  ["an open brace", "{"],
  ["a byte order mark", `\uFEFF${GOOD}`],
  ["an array", `[${GOOD}]`],
  ["null", "null"],
  ["an array as deep as the size allows", "[".repeat(4_096) + "]".repeat(4_096)],
  ["objects in objects, cut short", '{"a":'.repeat(1_600)],
] as const;
for (const [rule, body] of bodies) {
  test(`POST history: the body is one JSON object: ${rule}: 400`, async () => {
    const reply = await post(shared, body);
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "INVALID_BODY");
  });
}

const missing = [
  ["fromDate", '{"toDate":"2024-03-05"}', "fromDate"],
  ["toDate", '{"fromDate":"2024-03-01"}', "toDate"],
  ["both", "{}", "fromDate"],
  ["both, in a member named __proto__,", `{"__proto__":${GOOD}}`, "fromDate"],
  ["toDate, but for one in __proto__,", `{"fromDate":"2024-03-01","__proto__":{"toDate":"2024-03-05"}}`, "toDate"],
] as const;
for (const [rule, body, named] of missing) {
  test(`POST history: ${rule} missing: 400, and the message names ${named}`, async () => {
    const reply = await post(shared, body);
    assert.equal(reply.status, 400);
    assert.equal(reply.json["code"], "MISSING_PARAMETER");
    assert.match(String(reply.json["message"]), new RegExp(`^${named} `));
    assert.equal(Reflect.get({}, "fromDate"), undefined);
  });
}

for (const text of ["null", "20240301", '["2024-03-01"]', '{"toString":"2024-03-01"}']) {
  test(`POST history: a date that is ${text} and not a string: 400, in fromDate as in toDate`, async () => {
    for (const [name, body] of [
      ["fromDate", `{"fromDate":${text},"toDate":"2024-03-05"}`],
      ["toDate", `{"fromDate":"2024-03-01","toDate":${text}}`],
    ] as const) {
      const reply = await post(shared, body);
      assert.equal(reply.status, 400, name);
      assert.equal(reply.json["code"], "INVALID_BODY", name);
      assert.match(String(reply.json["message"]), new RegExp(`^${name} `));
    }
  });
}

const outOfRange = [
  ["to before from", "2024-03-02", "2024-03-01", 417],
  ["32 days apart", "2024-03-01", "2024-04-02", 417],
] as const;
for (const [rule, fromDate, toDate, status] of outOfRange) {
  test(`POST history: range: ${rule}: ${status}`, async () => {
    const reply = await post(shared, JSON.stringify({ fromDate, toDate }));
    assert.equal(reply.status, status);
    if (status === 417) assert.equal(reply.json["code"], "INVALID_DATE_RANGE");
  });
}

const accepted = [
  ["members of other names are ignored", `{"a":1,${GOOD.slice(1, -1)},"b":[{}],"":null}`],
  ["a member named __proto__ is ignored", `{"__proto__":{"fromDate":5},${GOOD.slice(1)}`],
  ["the members come in any order", '{"toDate":"2024-03-05","fromDate":"2024-03-01"}'],
  ["characters written as escapes", '{"from\\u0044ate":"2024\\u002d03-01","toDate":"2024-03-0\\u0035"}'],
  [
    "another member nested as deep as the size allows",
    `${GOOD.slice(0, -1)},"x":${"[".repeat(4_000)}${"]".repeat(4_000)}}`,
  ],
] as const;
for (const [rule, body] of accepted) {
  test(`POST history: ${rule}: 200`, async () => {
    const reply = await post(shared, body);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.text, (await post(shared, GOOD)).text);
  });
}

const orders = [
  [
    "unknown symbol before the media type",
    "/api/v1/assets/NONE_RLS",
    ["Content-Type", "text/plain"],
    "x",
    404,
    "ASSET_NOT_FOUND",
  ],
  ["unknown symbol before the body", "/api/v1/assets/NONE_RLS", JSON_TYPE, "x", 404, "ASSET_NOT_FOUND"],
  [
    "the media type before the size",
    PATH,
    ["Content-Type", "text/plain"],
    "x".repeat(9_000),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  ["dates before the range", PATH, JSON_TYPE, '{"fromDate":"2024-03-02","toDate":"2023-02-29"}', 400, "INVALID_DATE"],
  [
    "range before data",
    "/api/v1/assets/EUR_RLS",
    JSON_TYPE,
    '{"fromDate":"2024-03-02","toDate":"2024-03-01"}',
    417,
    "INVALID_DATE_RANGE",
  ],
] as const;
for (const [rule, target, headers, body, status, errorCode] of orders) {
  test(`POST history: checks in order: ${rule}: ${status}`, async () => {
    const reply = await shared.ask(target, { method: "POST", headers, body });
    assert.equal(reply.status, status);
    assert.equal(reply.json["code"], errorCode);
  });
}

/** An API that tells with which limits a request's body was read. */
async function bodyWatch(answer: Result<string, BodyFailure>): Promise<{
  readonly world: World;
  readonly limits: readonly number[];
  send(headers: readonly string[], target?: string): Promise<ApiResponse>;
}> {
  const world = await createWorld();
  const limits: number[] = [];
  const api = createApi({ clock: world.now, requestIds, sha256: nodeSha256, ...world.store });
  return {
    world,
    limits,
    send: async (headers, target = PATH) =>
      api({
        method: "POST",
        target,
        headers: fields(headers),
        scheme: "http",
        text: (limit) => {
          limits.push(limit);
          return Promise.resolve(answer);
        },
      }),
  };
}

test("POST history: the body is read once, with the limit of 8,192 bytes: 200", async () => {
  const { world, limits, send } = await bodyWatch(ok(GOOD));
  assert.equal((await send(["X-API-Key", world.key, ...JSON_TYPE])).status, 200);
  assert.deepEqual(limits, [8_192]);
});

for (const failure of ["NOT_UTF8", "INCOMPLETE"] as const) {
  test(`POST history: a body that cannot be read (${failure}) is the client's failure: 400`, async () => {
    const { world, send } = await bodyWatch(err(failure));
    const { status, body } = await send(["X-API-Key", world.key, ...JSON_TYPE]);
    assert.deepEqual([status, JSON.parse(textOf(body)).code], [400, "INVALID_BODY"]);
  });
}

test("POST history: the body is not read before the caller is known and may be served: 401, 403, 429", async () => {
  const { world, limits, send } = await bodyWatch(ok(GOOD));
  const restricted = await world.account({ status: "RESTRICTED" });
  const expired = await world.account({ expiresAt: "2026-11-21T09:59:59Z" });
  const spent = await world.account({ units: 1 });
  assert.equal((await send(["X-API-Key", spent.key, ...JSON_TYPE])).status, 200);
  assert.equal(limits.length, 1);
  const cases = [
    [401, []],
    [401, ["X-API-Key", "mz_live_no"]],
    [401, ["X-API-Key", expired.key]],
    [401, ["X-API-Key", world.key, "Authorization", "Bearer abc"]],
    [401, ["X-API-Key", world.key, "X-API-Key", restricted.key]],
    [403, ["X-API-Key", restricted.key]],
    [429, ["X-API-Key", spent.key]],
  ] as const;
  for (const [status, headers] of cases) {
    assert.equal((await send([...headers, ...JSON_TYPE])).status, status);
    assert.equal(limits.length, 1, "not read");
  }
});

test("POST history: the body is not read for an answer that does not depend on it: 404, 405, 415", async () => {
  const { world, limits, send } = await bodyWatch(ok(GOOD));
  const key = ["X-API-Key", world.key];
  assert.equal((await send([...key, ...JSON_TYPE], "/api/v1/assets/NONE_RLS")).status, 404);
  assert.equal((await send([...key, ...JSON_TYPE], "/api/v1/nowhere")).status, 404);
  assert.equal((await send([...key, ...JSON_TYPE], `${PATH}/history`)).status, 405);
  assert.equal((await send([...key, "Content-Type", "text/plain"])).status, 415);
  assert.deepEqual(limits, []);
});

test("POST history: the 17th body of a key that is still arriving: 429 without a unit, and another key is served", async () => {
  const world = await createWorld();
  const waiting: ((body: Result<string, BodyFailure>) => void)[] = [];
  const send = (key: string, text: () => Promise<Result<string, BodyFailure>>) =>
    world.api({
      method: "POST",
      target: PATH,
      headers: fields(["X-API-Key", key, ...JSON_TYPE]),
      scheme: "http",
      text,
    });
  const arriving = Array.from({ length: 16 }, () =>
    send(world.key, () => new Promise((resolve) => waiting.push(resolve))),
  );
  const body = async () => ok(GOOD);
  const refused = await send(world.key, body);
  assert.deepEqual([refused.status, refused.report?.code, refused.report?.units], [429, "RATE_LIMITED", "given back"]);
  assert.equal((await send((await world.account({})).key, body)).status, 200);
  for (const arrive of waiting) arrive(ok(GOOD));
  await Promise.all(arriving);
  assert.equal((await send(world.key, body)).status, 200);
});
