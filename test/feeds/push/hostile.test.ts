// What a stranger, or a collector gone wrong, can send to the real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ingestRoute } from "../../../adapters/feeds/push/mod.ts";
import { createNodeServer, nodeSystem } from "../../../adapters/http/node/mod.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { createApi, createKey } from "../../../core/mod.ts";
import { connectRaw, type RawRequest, rawRequest, sendRaw } from "../../support/raw_http.ts";
import { until } from "../../support/wait_until.ts";

const MEGABYTE = 1 << 20;
const RECORD = { code: "USD_RLS", value: 1_900_000, businessTime: "2026-08-21T16:30:00Z" };
const store = createMemoryStore();
const errors: unknown[] = [];
const api = createApi({
  ...nodeSystem,
  ...store,
  routes: [ingestRoute(store)],
  onError: (error) => errors.push(error),
});
const server = createNodeServer(api, { limits: { headersMs: 1_500, requestMs: 1_500 } });
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
const origin = `http://127.0.0.1:${port}`;
test.after(() => server.close());
const newKey = (): Promise<string> => createKey(store.accounts, nodeSystem, "collector", { may: "write" });
const usual = await newKey();

async function pushed(type: string, request: RawRequest): Promise<string> {
  const headers = [`Content-Type: ${type}`, `X-API-Key: ${usual}`, ...(request.headers ?? [])];
  const { status, body } = await sendRaw(origin, { method: "POST", target: "/ingest", ...request, headers });
  const json = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
  return status === 200
    ? `200 ${String(json["stored"])} ${String(json["refused"])}`
    : `${status} ${String(json["code"])}`;
}

const [JSON_TYPE, CSV, LINES] = ["application/json", "text/csv", "application/x-ndjson"];
const GZIP = ["Content-Encoding: gzip"];
const NO_NUMBERS = ["1e400", "-1e400", "0", "1e-400", '"NaN"', '"0x10"', "true", "null", '{"a":1}', "[1]"];
const WRONG_TYPES = Object.keys(RECORD).flatMap((name) =>
  [-1, null, {}, [], true, ""].map((value) => ({ ...RECORD, [name]: value })),
);
const text = (value: unknown): string => JSON.stringify(value);
const cases: readonly (readonly [rule: string, type: string, request: RawRequest, answer: string])[] = [
  ["a record", JSON_TYPE, { body: text([RECORD]) }, "200 1 0"],
  ["no JSON", JSON_TYPE, { body: "[{]" }, "400 INVALID_BODY"],
  ["an empty body", JSON_TYPE, { body: "" }, "400 INVALID_BODY"],
  ["no body", CSV, {}, "400 INVALID_BODY"],
  [
    "a list as deep as a body can be",
    JSON_TYPE,
    { body: "[".repeat(MEGABYTE / 2) + "]".repeat(MEGABYTE / 2) },
    "200 0 1",
  ],
  ["a list that never closes", JSON_TYPE, { body: "[".repeat(MEGABYTE) }, "400 INVALID_BODY"],
  [
    "a record as deep",
    LINES,
    { body: `{"code":${"[".repeat(MEGABYTE / 2 - 20)}${"]".repeat(MEGABYTE / 2 - 20)}}` },
    "200 0 1",
  ],
  [
    "numbers that are none",
    JSON_TYPE,
    { body: `[${NO_NUMBERS.map((value) => text(RECORD).replace("1900000", value)).join()}]` },
    "200 0 10",
  ],
  ["members of every other type", JSON_TYPE, { body: text(WRONG_TYPES) }, "200 0 18"],
  [
    "names of Object's own",
    JSON_TYPE,
    {
      body: `[{"__proto__":${text(RECORD)}},{"constructor":1,"hasOwnProperty":2,"toString":3,"code":"__proto__","value":1,"businessTime":"x"}]`,
    },
    "200 0 2",
  ],
  [
    "names of Object's own as columns",
    CSV,
    { body: "code,value,businessTime,__proto__,toString\nUSD_RLS,1900000,2026-08-21T16:31:00Z,1,2\n" },
    "200 1 0",
  ],
  ["a header without a column that is needed", CSV, { body: "code,price,businessTime\n" }, "400 INVALID_BODY"],
  [
    "a header with a quote that never ends",
    CSV,
    { body: 'code,value,businessTime,"x\nUSD_RLS,1,2\n' },
    "400 INVALID_BODY",
  ],
  ["quotes that never end", CSV, { body: `code,value,businessTime\n${'"\n'.repeat(9_000)}` }, "200 0 4500"],
  ["the same record 10,000 times", LINES, { body: `${text(RECORD)}\n`.repeat(10_000) }, "200 10000 0"],
  ["10,001 short records", LINES, { body: "{}\n".repeat(10_001) }, "413 BODY_TOO_LARGE"],
  [
    "10,001 short records in a list",
    JSON_TYPE,
    { body: text(Array.from({ length: 10_001 }, () => 1)) },
    "413 BODY_TOO_LARGE",
  ],
  ["1,000 lines that are no records", LINES, { body: "1\n".repeat(1_000) }, "200 0 1000"],
  ["1,001 lines that are no records", LINES, { body: "1\n".repeat(1_001) }, "413 BODY_TOO_LARGE"],
  ["a megabyte", JSON_TYPE, { body: "[]".padEnd(MEGABYTE) }, "200 0 0"],
  ["a byte more", JSON_TYPE, { body: "[]".padEnd(MEGABYTE + 1) }, "413 BODY_TOO_LARGE"],
  ["a length of a terabyte", JSON_TYPE, { headers: ["Content-Length: 1000000000000"] }, "413 BODY_TOO_LARGE"],
  ["a gzip bomb", JSON_TYPE, { headers: GZIP, body: gzipSync(Buffer.alloc(256 << 20, 32)) }, "413 BODY_TOO_LARGE"],
  ["a coding twice", JSON_TYPE, { headers: [...GZIP, ...GZIP], body: "[]" }, "415 UNSUPPORTED_MEDIA_TYPE"],
  ["another coding", JSON_TYPE, { headers: ["Content-Encoding: br"], body: "[]" }, "415 UNSUPPORTED_MEDIA_TYPE"],
  ["another charset", `${CSV}; charset=windows-1256`, { body: "" }, "415 UNSUPPORTED_MEDIA_TYPE"],
  ["another type", "multipart/form-data; boundary=x", { body: "" }, "415 UNSUPPORTED_MEDIA_TYPE"],
  ["two types", `${JSON_TYPE}\r\nContent-Type: ${CSV}`, { body: "[]" }, "415 UNSUPPORTED_MEDIA_TYPE"],
  ["a GET", JSON_TYPE, { method: "GET" }, "405 METHOD_NOT_ALLOWED"],
];
for (const [rule, type, request, answer] of cases) {
  test(`ingest: ${rule}: ${answer}`, async () => {
    assert.equal(await pushed(type, request), answer);
  });
}

test("ingest: a body that comes slowly or stops is 408, one whose client leaves is nobody's, and of four at a time the fifth is 429", async () => {
  const key = await newKey();
  const head = rawRequest({
    method: "POST",
    target: "/ingest",
    headers: [`X-API-Key: ${key}`, `Content-Type: ${JSON_TYPE}`, "Content-Length: 500"],
  });
  const slow = Array.from({ length: 4 }, () => connectRaw(origin));
  for (const one of slow) one.send(Buffer.concat([head, Buffer.from("[")]));
  await until("four are read", () => server.load().inFlight === 4);
  const refused = await sendRaw(origin, {
    method: "POST",
    target: "/ingest",
    headers: [`X-API-Key: ${key}`, `Content-Type: ${JSON_TYPE}`],
    body: "[]",
  });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
  assert.equal(await pushed(JSON_TYPE, { body: "[]" }), "200 0 0", "another key is served");
  slow[0]!.destroy();
  for (const one of slow.slice(1)) assert.equal((await one.reply()).status, 408);
  await until("none is read", () => server.load().inFlight === 0);
  assert.equal(
    (
      await sendRaw(origin, {
        method: "POST",
        target: "/ingest",
        headers: [`X-API-Key: ${key}`, `Content-Type: ${JSON_TYPE}`],
        body: "[]",
      })
    ).status,
    200,
  );
});

test("ingest: without a key 401, and nothing of all this was an error of ours", async () => {
  assert.equal(
    (await sendRaw(origin, { method: "POST", target: "/ingest", headers: [`Content-Type: ${JSON_TYPE}`], body: "[]" }))
      .status,
    401,
  );
  assert.deepEqual(errors, []);
});
