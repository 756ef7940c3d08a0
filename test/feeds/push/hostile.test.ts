// Requests that strangers or faulty collectors can send to a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ingestRoute } from "../../../adapters/feeds/push/mod.ts";
import { readBody } from "../../../adapters/feeds/push/read_body.ts";
import { createNodeServer, nodeSystem } from "../../../adapters/http/node/mod.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { createApi, createKey } from "../../../core/mod.ts";
import { connectRaw, type RawRequest, rawRequest, sendRaw } from "../../support/raw_http.ts";
import { until } from "../../support/wait_until.ts";

const MEGABYTE = 1 << 20;
const RECORD = { code: "USD_RLS", value: 1_900_000, businessTime: "2026-08-21T16:30:00Z" };
const store = createMemoryStore();
const errors: unknown[] = [];
const onError = (error: unknown): void => void errors.push(error);
const api = createApi({ ...nodeSystem, ...store, routes: [ingestRoute(store)], onError });
const server = createNodeServer(api, { limits: { headersMs: 1_500, requestMs: 1_500 } });
const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
const origin = `http://127.0.0.1:${port}`;
test.after(() => server.close());
const newKey = (): Promise<string> => createKey(store.accounts, nodeSystem, "collector", { may: "write" });
const usual = await newKey();

/** The status, then the numbers of stored and refused records, or the error code. */
async function pushed(type: string, request: RawRequest, key: string | null = usual): Promise<string> {
  const own = [`Content-Type: ${type}`, ...(key === null ? [] : [`X-API-Key: ${key}`])];
  const headers = [...own, ...(request.headers ?? [])];
  const { status, body } = await sendRaw(origin, { method: "POST", target: "/ingest", ...request, headers });
  const { stored, refused, code } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
  return status === 200 ? `200 ${String(stored)} ${String(refused)}` : `${status} ${String(code)}`;
}

const [JSON_TYPE, CSV, LINES] = ["application/json", "text/csv", "application/x-ndjson"];
const GZIP = ["Content-Encoding: gzip"];
const NO_NUMBERS = ["1e400", "-1e400", "0", "1e-400", '"NaN"', '"0x10"', "true", "null", '{"a":1}', "[1]"];
const WRONG_TYPES = Object.keys(RECORD).flatMap((name) =>
  [-1, null, {}, [], true, ""].map((value) => ({ ...RECORD, [name]: value })),
);
const text = (value: unknown): string => JSON.stringify(value);
const DEEP = "[".repeat(MEGABYTE / 2 - 20) + "]".repeat(MEGABYTE / 2 - 20);
const OWN_NAMES = '{"constructor":1,"hasOwnProperty":2,"toString":3,"code":"__proto__","value":1,"businessTime":"x"}';
const OWN_COLUMNS = "code,value,businessTime,__proto__,toString\nUSD_RLS,1900000,2026-08-21T16:31:00Z,1,2\n";
const [BODY, LARGE, MEDIA] = ["400 INVALID_BODY", "413 BODY_TOO_LARGE", "415 UNSUPPORTED_MEDIA_TYPE"];
const cases: readonly (readonly [rule: string, type: string, request: RawRequest | string, answer: string])[] = [
  ["a record", JSON_TYPE, text([RECORD]), "200 1 0"],
  ["no JSON", JSON_TYPE, "[{]", BODY],
  ["an empty body", JSON_TYPE, "", BODY],
  ["no body", CSV, {}, BODY],
  ["a list nested as deeply as the body size allows", JSON_TYPE, DEEP, BODY],
  ["100,000 short lists", JSON_TYPE, text(Array.from({ length: 100_000 }, () => [])), BODY],
  ["a list that does not end", JSON_TYPE, "[".repeat(MEGABYTE), BODY],
  ["a record as deep", LINES, `{"code":${DEEP}}`, BODY],
  [
    "numbers that are none",
    JSON_TYPE,
    `[${NO_NUMBERS.map((value) => text(RECORD).replace("1900000", value)).join()}]`,
    "200 0 10",
  ],
  ["members of all wrong types", JSON_TYPE, text(WRONG_TYPES), "200 0 18"],
  ["names of Object's own", JSON_TYPE, `[{"__proto__":${text(RECORD)}},${OWN_NAMES}]`, "200 0 2"],
  ["columns named like members of Object", CSV, OWN_COLUMNS, "200 1 0"],
  ["a header without a required column", CSV, "code,price,businessTime\n", BODY],
  ["a header with an unclosed quote", CSV, 'code,value,businessTime,"x\nUSD_RLS,1,2\n', BODY],
  ["quotes that never end", CSV, `code,value,businessTime\n${'"\n'.repeat(9_000)}`, "200 0 4500"],
  ["the same record 10,000 times", LINES, `${text(RECORD)}\n`.repeat(10_000), "200 10000 0"],
  ["20,000 lines", CSV, "code,value,businessTime".padEnd(20_022, "\n"), "200 0 0"],
  ["20,001 lines", CSV, "code,value,businessTime".padEnd(20_023, "\n"), LARGE],
  ["20,001 blank lines", LINES, "\n".repeat(20_000), LARGE],
  ["10,001 short records", LINES, "{}\n".repeat(10_001), LARGE],
  ["10,001 short records in a list", JSON_TYPE, text(Array.from({ length: 10_001 }, () => 1)), LARGE],
  ["1,000 lines that are no records", LINES, "1\n".repeat(1_000), "200 0 1000"],
  ["1,001 lines that are no records", LINES, "1\n".repeat(1_001), LARGE],
  ["a megabyte", JSON_TYPE, "[]".padEnd(MEGABYTE), "200 0 0"],
  ["a byte more", JSON_TYPE, "[]".padEnd(MEGABYTE + 1), LARGE],
  ["a Content-Length of a terabyte", JSON_TYPE, { headers: ["Content-Length: 1000000000000"] }, LARGE],
  ["a gzip bomb", JSON_TYPE, { headers: GZIP, body: gzipSync(Buffer.alloc(256 << 20, 32)) }, LARGE],
  ["a coding twice", JSON_TYPE, { headers: [...GZIP, ...GZIP], body: "[]" }, MEDIA],
  ["another coding", JSON_TYPE, { headers: ["Content-Encoding: br"], body: "[]" }, MEDIA],
  ["another charset", `${CSV}; charset=windows-1256`, "", MEDIA],
  ["another type", "multipart/form-data; boundary=x", "", MEDIA],
  ["two types", `${JSON_TYPE}\r\nContent-Type: ${CSV}`, "[]", MEDIA],
  ["a GET", JSON_TYPE, { method: "GET" }, "405 METHOD_NOT_ALLOWED"],
];
for (const [rule, type, request, answer] of cases) {
  test(`ingest: ${rule}: ${answer}`, async () => {
    assert.equal(await pushed(type, typeof request === "string" ? { body: request } : request), answer);
  });
}

test("ingest: a slow or unfinished body gets 408, a client that leaves frees its place, and a key's fifth concurrent request gets 429", async () => {
  const key = await newKey();
  const head = rawRequest({
    method: "POST",
    target: "/ingest",
    headers: [`X-API-Key: ${key}`, `Content-Type: ${JSON_TYPE}`, "Content-Length: 500"],
  });
  const slow = Array.from({ length: 4 }, () => connectRaw(origin));
  for (const one of slow) one.send(Buffer.concat([head, Buffer.from("[")]));
  await until("four are read", () => server.load().inFlight === 4);
  assert.equal(await pushed(JSON_TYPE, { body: "[]" }, key), "429 RATE_LIMITED");
  assert.equal(await pushed(JSON_TYPE, { body: "[]" }), "200 0 0", "another key is served");
  slow[0]!.destroy();
  for (const one of slow.slice(1)) assert.equal((await one.reply()).status, 408);
  await until("none is read", () => server.load().inFlight === 0);
  assert.equal(await pushed(JSON_TYPE, { body: "[]" }, key), "200 0 0");
});

for (const [type, head, record] of [
  [CSV, "code,value,businessTime\n", "x\n"],
  [LINES, "", "{}\n"],
] as const) {
  test(`ingest: while 10,000 records of ${type} are read, other requests get ten turns`, async () => {
    const body = head + record.repeat(10_000);
    const headers = new Headers({ "content-type": type });
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const text = async () => ({ ok: true, value: body }) as const;
    await readBody({ method: "POST", scheme: "http", target: "/ingest", headers, text });
    clearImmediate(next);
    assert.ok(turns >= 10, `${turns} turns`);
  });
}

test("ingest: a request without a key gets 401; in all of these tests, the server has reported no error", async () => {
  assert.equal(await pushed(JSON_TYPE, { body: "[]" }, null), "401 API_KEY_MISSING");
  assert.deepEqual(errors, []);
});
