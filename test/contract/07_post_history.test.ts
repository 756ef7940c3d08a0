import assert from "node:assert/strict";
import { test } from "node:test";
import type { BodyFailure } from "../../core/http/messages.ts";
import type { ErrorCode } from "../../core/mod.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { assertFailure, createWorld, type Reply, replyOf, requestOf, type World } from "../support/api_under_test.ts";

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
  test(`POST history: ${rule}: the answer has the same bytes as the answer of the history route: 200`, async () => {
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
  ["with its charset", ["application/json; charset=utf-8"], 200],
  ["with its charset in quotes", ['application/json; charset="utf-8"'], 200],
  ["another charset", ["application/json; charset=iso-8859-1"], 415],
  ["another type with the same beginning", ["application/jsonp"], 415],
  ["an empty field", [""], 415],
  ["none", [], 415],
  ["twice", ["application/json", "application/json"], 415],
  ["256 characters", [`application/json;${" ".repeat(239)}`], 200],
  ["257 characters", [`application/json;${" ".repeat(240)}`], 415],
] as const;
for (const [rule, types, status] of mediaTypes) {
  test(`POST history: Content-Type: ${rule}: ${status}`, async () => {
    const headers = types.flatMap((type) => ["Content-Type", type]);
    const reply = await post(shared, GOOD, headers);
    if (status === 415) assertFailure(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
    else assert.equal(reply.status, 200);
  });
}

/** A valid body of this many bytes, padded with an unused member. */
function bodyOf(bytes: number, filler: string): string {
  const start = `${GOOD.slice(0, -1)},"x":"${filler.repeat(1_000)}`;
  return `${start}${"x".repeat(bytes - Buffer.byteLength(start) - 2)}"}`;
}

const refused: readonly (readonly [rule: string, body: string, status: number, code: ErrorCode, message?: RegExp])[] = [
  ["8,193 bytes", bodyOf(8_193, "x"), 413, "BODY_TOO_LARGE"],
  ["8,193 bytes in fewer than 8,192 characters", bodyOf(8_193, "ریال"), 413, "BODY_TOO_LARGE"],
  ["8,193 bytes that are also not JSON", "x".repeat(8_193), 413, "BODY_TOO_LARGE"],
  ["nothing", "", 400, "INVALID_BODY"],
  ["a byte order mark", `\uFEFF${GOOD}`, 400, "INVALID_BODY"],
  ["an array", `[${GOOD}]`, 400, "INVALID_BODY"],
  ["null", "null", 400, "INVALID_BODY"],
  ["an array as deep as the size allows", "[".repeat(4_096) + "]".repeat(4_096), 400, "INVALID_BODY"],
  ["no fromDate", '{"toDate":"2024-03-05"}', 400, "MISSING_PARAMETER", /^fromDate /],
  ["no toDate", '{"fromDate":"2024-03-01"}', 400, "MISSING_PARAMETER", /^toDate /],
  ["both dates in a member named __proto__", `{"__proto__":${GOOD}}`, 400, "MISSING_PARAMETER", /^fromDate /],
  ...["null", "20240301", '["2024-03-01"]', '{"toString":"2024-03-01"}'].flatMap(
    (text) =>
      [
        [`fromDate ${text}`, `{"fromDate":${text},"toDate":"2024-03-05"}`, 400, "INVALID_BODY", /^fromDate /],
        [`toDate ${text}`, `{"fromDate":"2024-03-01","toDate":${text}}`, 400, "INVALID_BODY", /^toDate /],
      ] as const,
  ),
  ["to before from", '{"fromDate":"2024-03-02","toDate":"2024-03-01"}', 417, "INVALID_DATE_RANGE"],
  ["32 days apart", '{"fromDate":"2024-03-01","toDate":"2024-04-02"}', 417, "INVALID_DATE_RANGE"],
  ["a toDate both invalid and before fromDate", '{"fromDate":"2024-03-02","toDate":"2023-02-29"}', 400, "INVALID_DATE"],
];
for (const [rule, body, status, code, message = /./] of refused) {
  test(`POST history: refuses a body: ${rule}: ${status}`, async () => {
    assert.match(assertFailure(await post(shared, body), status, code), message);
    assert.equal(Reflect.get({}, "fromDate"), undefined);
  });
}

const accepted = [
  ["a body of 8,192 bytes is the largest", bodyOf(8_192, "x")],
  ["other members are ignored", `{"a":1,"__proto__":{"fromDate":5},${GOOD.slice(1, -1)},"b":[{}],"":null}`],
  ["the members may have any order", '{"toDate":"2024-03-05","fromDate":"2024-03-01"}'],
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

const NONE = "/api/v1/assets/NONE_RLS";
const orders = [
  ["unknown symbol checked before the media type", NONE, "text/plain", "x", 404, "ASSET_NOT_FOUND"],
  ["unknown symbol checked before the body", NONE, "application/json", "x", 404, "ASSET_NOT_FOUND"],
  ["the media type checked before the size", PATH, "text/plain", "x".repeat(9_000), 415, "UNSUPPORTED_MEDIA_TYPE"],
] as const;
for (const [rule, target, type, body, status, errorCode] of orders) {
  test(`POST history: checks in order: ${rule}: ${status}`, async () => {
    const reply = await shared.ask(target, { method: "POST", headers: ["Content-Type", type], body });
    assertFailure(reply, status, errorCode);
  });
}

/** An API that records the `limit` of each read of a request's body. */
async function bodyWatch(answer: Result<string, BodyFailure>) {
  const world = await createWorld();
  const limits: number[] = [];
  const text = async (limit: number): Promise<typeof answer> => {
    limits.push(limit);
    return answer;
  };
  const send = async (headers: readonly string[], target = PATH): Promise<Reply> =>
    replyOf(await world.api({ ...requestOf(target, { method: "POST", headers }), text }));
  return { world, limits, send };
}

test("POST history: a body that is incomplete or not UTF-8 is an error of the client: 400", async () => {
  for (const failure of ["NOT_UTF8", "INCOMPLETE"] as const) {
    const { world, send } = await bodyWatch(err(failure));
    assertFailure(await send(["X-API-Key", world.key, ...JSON_TYPE]), 400, "INVALID_BODY");
  }
});

test("POST history: the body is read once, up to 8,192 bytes, only for an authorized caller, and only if the answer depends on it", async () => {
  const { world, limits, send } = await bodyWatch(ok(GOOD));
  const restricted = await world.account({ status: "RESTRICTED" });
  const spent = await world.account({ units: 1 });
  assert.equal((await send(["X-API-Key", spent.key, ...JSON_TYPE])).status, 200);
  assert.deepEqual(limits, [8_192]);
  const own = ["X-API-Key", world.key];
  for (const [status, headers, target] of [
    [401, JSON_TYPE, PATH],
    [401, ["X-API-Key", "mz_live_no", ...JSON_TYPE], PATH],
    [401, [...own, "Authorization", "Bearer abc", ...JSON_TYPE], PATH],
    [403, ["X-API-Key", restricted.key, ...JSON_TYPE], PATH],
    [429, ["X-API-Key", spent.key, ...JSON_TYPE], PATH],
    [404, [...own, ...JSON_TYPE], NONE],
    [404, [...own, ...JSON_TYPE], "/api/v1/nowhere"],
    [405, [...own, ...JSON_TYPE], `${PATH}/history`],
    [415, [...own, "Content-Type", "text/plain"], PATH],
  ] as const) {
    assert.equal((await send(headers, target)).status, status);
    assert.equal(limits.length, 1, "not read");
  }
});

test("POST history: 16 bodies of a key may arrive at a time: one more gets 429 and takes no unit, but another key is served", async () => {
  const world = await createWorld({ chargeFailures: "always" });
  const waiting: ((body: Result<string, BodyFailure>) => void)[] = [];
  const send = (key: string, text: () => Promise<Result<string, BodyFailure>>) =>
    world.api({ ...requestOf(PATH, { method: "POST", key, headers: JSON_TYPE }), text });
  const begin = (count: number) =>
    Array.from({ length: count }, () => send(world.key, () => new Promise((resolve) => waiting.push(resolve))));
  const body = async () => ok(GOOD);
  const first = begin(16);
  const refused = await send(world.key, body);
  assert.deepEqual([refused.status, refused.report?.code, refused.report?.units], [429, "RATE_LIMITED", "given back"]);
  assert.equal(replyOf(refused).headers["Retry-After"], "1");
  assert.equal((await send((await world.account({})).key, body)).status, 200);
  for (const arrive of waiting.splice(0, 15)) arrive(ok(GOOD));
  await Promise.all(first.slice(0, 15));
  const next = begin(15);
  assert.equal((await send(world.key, body)).status, 429, "the last of the first 16 is still arriving");
  for (const arrive of waiting) arrive(ok(GOOD));
  await Promise.all([...first, ...next]);
  assert.equal((await send(world.key, body)).status, 200);
});
