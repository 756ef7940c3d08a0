import { gzipSync } from "node:zlib";
import { STYLE } from "../../adapters/page/built_files.ts";
import type { RawRequest } from "../support/raw_http.ts";
import { BROKEN, KEYS, SAMPLES, SMALL_UNITS } from "./app.ts";
import type { Case } from "./exchange.ts";

const KEY = `X-API-Key: ${KEYS.main}`;
const ASSETS = "/api/v1/assets";
const USD = `${ASSETS}/${SAMPLES.many}`;
const HISTORY = `${USD}/history?from=2026-10-25&to=2026-11-20`;
const OHLC = `${USD}/ohlc?interval=15m&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z`;
const DATES = '{"fromDate":"2026-10-25","toDate":"2026-11-20"}';

const get = (target: string, ...headers: string[]): RawRequest => ({ target, headers: [KEY, ...headers] });
const bare = (target: string, ...headers: string[]): RawRequest => ({ target, headers });
const method = (name: string, target: string, ...headers: string[]): RawRequest => ({
  method: name,
  target,
  headers: [KEY, ...headers],
});
const JSON_TYPE = "Content-Type: application/json";
const sent = (...headers: string[]): RawRequest => method("POST", USD, ...headers);
const post = (body: string | Uint8Array, ...headers: string[]): RawRequest => ({
  ...sent(JSON_TYPE, ...headers),
  body,
});
const preflight = (target: string, wanted: string): RawRequest => ({
  method: "OPTIONS",
  target,
  headers: [
    "Origin: https://page.example",
    `Access-Control-Request-Method: ${wanted}`,
    "Access-Control-Request-Headers: x-api-key",
  ],
});
/** A text with one character for each UTF-8 byte of `text`, because requests are written as Latin-1. */
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const ROUTES: readonly Case[] = [
  { rule: "all latest values", request: get(ASSETS), status: 200 },
  {
    rule: "some assets, in the order of the catalog",
    request: get(`${ASSETS}?codes=${SAMPLES.one},${SAMPLES.many}`),
    status: 200,
  },
  { rule: "the catalog", request: get(`${ASSETS}/supported`), status: 200 },
  { rule: "a latest value", request: get(USD), status: 200 },
  { rule: "a value that JavaScript writes with an exponent", request: get(`${ASSETS}/${SAMPLES.one}`), status: 200 },
  { rule: "the value of a day", request: get(`${USD}/2026-11-01`), status: 200 },
  { rule: "a history", request: get(HISTORY), status: 200 },
  { rule: "candles", request: get(OHLC), status: 200 },
  { rule: "a history, requested by a body", request: post(DATES), status: 200 },
  { rule: "the status", request: bare("/api/v1/status"), status: 200 },
  { rule: "the status on another host", request: bare("/api/v1/status", "Host: prices.example:8443"), status: 200 },
  { rule: "access", request: get("/api/v1/access"), status: 200 },
  { rule: "the page", request: bare("/docs"), status: 200 },
  { rule: "a file of the web page", request: bare(`/docs/${STYLE}`), status: 200 },
  { rule: "the root redirects to the page", request: bare("/"), status: 307 },
];

const FAILURES: readonly Case[] = [
  { rule: "no such route", request: bare("/api/v1/nothing"), status: 404, code: "ROUTE_NOT_FOUND" },
  { rule: "no such method", request: method("DELETE", USD), status: 405, code: "METHOD_NOT_ALLOWED" },
  {
    rule: "a method whose body is not read",
    request: { ...method("PUT", USD), body: "x".repeat(500) },
    status: 405,
    code: "METHOD_NOT_ALLOWED",
  },
  { rule: "a rarely used method", request: method("PROPFIND", USD), status: 405, code: "METHOD_NOT_ALLOWED" },
  { rule: "an unknown symbol", request: get(`${ASSETS}/USD_RLX`), status: 404, code: "ASSET_NOT_FOUND" },
  {
    rule: "a parameter given twice",
    request: get(`${HISTORY}&from=2026-11-02`),
    status: 400,
    code: "DUPLICATE_PARAMETER",
  },
  {
    rule: "417 by a body",
    request: post('{"fromDate":"2026-03-02","toDate":"2026-03-01"}'),
    status: 417,
    code: "INVALID_DATE_RANGE",
  },
  {
    rule: "an unexpected error",
    request: get(`${ASSETS}/${BROKEN.error}`),
    status: 500,
    code: "INTERNAL_ERROR",
  },
  {
    rule: "data that is temporarily unavailable",
    request: get(`${ASSETS}/${BROKEN.unavailable}`),
    status: 503,
    code: "UNAVAILABLE",
  },
];

const credentials = (rule: string, status: number, code: string | undefined, ...headers: string[]): Case => {
  return { rule: `key: ${rule}`, request: bare(USD, ...headers), status, ...(code !== undefined && { code }) };
};
const CREDENTIALS: readonly Case[] = [
  credentials("missing", 401, "API_KEY_MISSING"),
  credentials("in Authorization", 200, undefined, `Authorization: ApiKey ${KEYS.main}`),
  credentials("the same key twice", 200, undefined, KEY, KEY),
  credentials("two in one field", 401, "CONFLICTING_CREDENTIALS", `${KEY}, ${KEYS.unlimited}`),
  credentials("two in two fields", 401, "CONFLICTING_CREDENTIALS", KEY, `Authorization: ApiKey ${KEYS.unlimited}`),
  credentials("beside Bearer", 401, "CONFLICTING_CREDENTIALS", KEY, "Authorization: Bearer abc"),
  credentials("Bearer alone", 401, "API_KEY_MISSING", "Authorization: Bearer abc"),
  credentials("with bytes above ASCII", 401, "API_KEY_INVALID", `X-API-Key: ${utf8("کلید")}`),
  credentials("unknown", 401, "API_KEY_INVALID", `X-API-Key: ${KEYS.unknown}`),
  ...Array.from({ length: SMALL_UNITS }, (_, at) =>
    credentials(`unit ${at + 1} of ${SMALL_UNITS}`, 200, undefined, `X-API-Key: ${KEYS.small}`),
  ),
  credentials("no unit left", 429, "QUOTA_EXCEEDED", `X-API-Key: ${KEYS.small}`),
  {
    rule: "key: a refusal costs no unit, as /access shows",
    request: bare("/api/v1/access", `X-API-Key: ${KEYS.small}`),
    status: 200,
  },
  {
    rule: "key: a key in the URL is ignored",
    request: bare(`${USD}?api_key=${KEYS.main}`),
    status: 401,
    code: "API_KEY_MISSING",
  },
];

const HEAD: readonly Case[] = [ASSETS, USD, HISTORY, "/api/v1/status", "/api/v1/nothing", "/docs"].flatMap((target) => [
  { rule: `HEAD ${target}`, request: method("HEAD", target), status: target.endsWith("nothing") ? 404 : 200 },
  {
    rule: `HEAD ${target}, gzip`,
    request: method("HEAD", target, "Accept-Encoding: gzip"),
    status: target.endsWith("nothing") ? 404 : 200,
  },
]);

const CACHING: readonly Case[] = [
  ...[ASSETS, `${ASSETS}/supported`, USD, HISTORY, OHLC].flatMap((target): readonly Case[] => [
    { rule: `304 ${target}`, request: get(target, "If-None-Match: ETAG"), tagOf: get(target), status: 304 },
    {
      rule: `304 ${target}, HEAD`,
      request: method("HEAD", target, "If-None-Match: ETAG"),
      tagOf: get(target),
      status: 304,
    },
    {
      rule: `304 ${target}, of the gzip form`,
      request: get(target, "Accept-Encoding: gzip", "If-None-Match: ETAG"),
      tagOf: get(target, "Accept-Encoding: gzip"),
      status: 304,
    },
  ]),
  { rule: "304: any tag", request: get(USD, "If-None-Match: *"), status: 304 },
  {
    rule: "304: a weak tag, in a list, in two lines",
    request: get(USD, 'If-None-Match: "a", "b"', "If-None-Match: W/ETAG"),
    tagOf: get(USD),
    status: 304,
  },
  { rule: "another tag", request: get(USD, 'If-None-Match: "other"'), status: 200 },
  { rule: "no tag for POST", request: post(DATES, "If-None-Match: *"), status: 200 },
  { rule: "a Range field that is ignored", request: get(USD, "Range: bytes=0-9"), status: 200 },
];

const CORS: readonly Case[] = [
  { rule: "CORS: the fields of an answer", request: get(USD, "Origin: https://page.example"), status: 200 },
  {
    rule: "CORS: the fields of an error",
    request: bare(USD, "Origin: https://page.example"),
    status: 401,
    code: "API_KEY_MISSING",
  },
  { rule: "CORS: preflight of GET", request: preflight(USD, "GET"), status: 204 },
  { rule: "CORS: preflight of POST", request: preflight(USD, "POST"), status: 204 },
  {
    rule: "CORS: preflight for an unknown route",
    request: preflight("/api/v1/nothing", "GET"),
    status: 404,
    code: "ROUTE_NOT_FOUND",
  },
  { rule: "OPTIONS without a preflight's fields", request: { method: "OPTIONS", target: USD }, status: 204 },
];

const COMPRESSED: readonly Case[] = [
  ...[ASSETS, `${ASSETS}/supported`, HISTORY, OHLC, "/docs", USD].map((target) => {
    return { rule: `gzip ${target}`, request: get(target, "Accept-Encoding: gzip"), status: 200 };
  }),
  {
    rule: "gzip by its weight",
    request: get(ASSETS, "Accept-Encoding: br;q=0, gzip;q=0.5, identity;q=0.1"),
    status: 200,
  },
  { rule: "gzip refused", request: get(ASSETS, "Accept-Encoding: gzip;q=0"), status: 200 },
  { rule: "gzip of POST", request: post(DATES, "Accept-Encoding: gzip"), status: 200 },
];

const chunked = (...chunks: Uint8Array[]): RawRequest => ({ ...sent(JSON_TYPE), chunks });
const bytes = (text: string): Uint8Array => Buffer.from(text);

const LIMIT = 8_192;
const padded = (length: number): string => DATES.padEnd(length);
/** Bodies of POST. */
const BODIES: readonly Case[] = [
  { rule: "body: as large as the limit", request: post(padded(LIMIT)), status: 200 },
  { rule: "body: one byte above the limit", request: post(padded(LIMIT + 1)), status: 413, code: "BODY_TOO_LARGE" },
  {
    rule: "body: announced but not sent",
    request: sent(JSON_TYPE, "Content-Length: 5000000"),
    status: 413,
    code: "BODY_TOO_LARGE",
  },
  { rule: "body: in chunks", request: chunked(bytes(DATES.slice(0, 9)), bytes(DATES.slice(9))), status: 200 },
  {
    rule: "body: in chunks, one byte above the limit",
    request: chunked(bytes(padded(LIMIT)), bytes("x")),
    status: 413,
    code: "BODY_TOO_LARGE",
  },
  {
    rule: "body: Persian, in chunks that split a letter",
    request: chunked(bytes('{"fromDate":"ر').subarray(0, 14), bytes("ر").subarray(1), bytes('","toDate":""}')),
    status: 400,
    code: "INVALID_DATE",
  },
  { rule: "body: with a byte order mark", request: post(`\ufeff${DATES}`), status: 200 },
  { rule: "body: not UTF-8", request: post(Uint8Array.of(0x7b, 0xff, 0x7d)), status: 400, code: "INVALID_BODY" },
  {
    rule: "body: compressed",
    request: post(gzipSync(DATES, { level: 9 }), "Content-Encoding: gzip"),
    status: 400,
    code: "INVALID_BODY",
  },
  {
    rule: "body: another type",
    request: { ...sent("Content-Type: text/plain"), body: DATES },
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  },
  {
    rule: "body: not read without a key",
    request: { method: "POST", target: USD, headers: [JSON_TYPE], body: DATES },
    status: 401,
    code: "API_KEY_MISSING",
  },
  { rule: "body: not read for GET", request: { target: USD, headers: [KEY], body: "x" }, status: 200 },
];

// The account has no limit, so that a wrong answer of a runtime does not change the counts in its later answers.
const UNLIMITED = `X-API-Key: ${KEYS.unlimited}`;
const target = (rule: string, written: string, status: number, code?: string): Case => {
  return {
    rule: `target: ${rule}`,
    request: { target: written, headers: [UNLIMITED] },
    status,
    ...(code !== undefined && { code }),
  };
};
/** Ordinary and unusual request targets. */
const TARGETS: readonly Case[] = [
  target("letters may be encoded", `${ASSETS}/%55SD%5fRLS`, 200),
  target("an encoded name twice", `${ASSETS}?%63odes=${SAMPLES.one}&codes=${SAMPLES.one}`, 400, "DUPLICATE_PARAMETER"),
  target("Persian", `${ASSETS}/${encodeURIComponent("دلار")}`, 404, "ASSET_NOT_FOUND"),
  target("a percent sign alone", `${ASSETS}/%zz`, 400, "INVALID_REQUEST"),
  target("not UTF-8", `${ASSETS}/%ff`, 400, "INVALID_REQUEST"),
  target("an encoded slash", `${ASSETS}/USD%2fRLS`, 400, "INVALID_REQUEST"),
  target("an encoded NUL", `${ASSETS}/USD%00`, 400, "INVALID_REQUEST"),
  target("two slashes in front", `/${USD}`, 400, "INVALID_REQUEST"),
  target("a host in front of the path", "//other.example/api/v1/status", 400, "INVALID_REQUEST"),
  target("a semicolon", `${USD};v=1`, 404, "ASSET_NOT_FOUND"),
  target("dots in a query", `${USD}?q=/../..`, 200),
  target("4096 letters", `${USD}?${"x".repeat(4_096 - USD.length - 1)}`, 200),
  target("4097 letters", `${USD}?${"x".repeat(4_096 - USD.length)}`, 414, "URI_TOO_LONG"),
];

const PRICES = `code,value,businessTime\n${SAMPLES.many},1900000,2026-11-20T10:00:00Z\nNONE,1,2026-11-20T10:00:00Z\n`;
const push = (body: string | Uint8Array, ...headers: string[]): RawRequest => {
  return {
    method: "POST",
    target: "/ingest",
    headers: [`X-API-Key: ${KEYS.writer}`, "Content-Type: text/csv", ...headers],
    body,
  };
};
const GZIP = "Content-Encoding: gzip";
const PUSHES: readonly Case[] = [
  { rule: "push: gzipped", request: push(gzipSync(PRICES), GZIP), status: 200 },
  { rule: "push: the same again", request: push(PRICES), status: 200 },
  { rule: "push: a body that is not gzip", request: push(PRICES, GZIP), status: 400, code: "INVALID_BODY" },
  {
    rule: "push: a body that unpacks to 16 MB",
    request: push(gzipSync(Buffer.alloc(16 << 20)), GZIP),
    status: 413,
    code: "BODY_TOO_LARGE",
  },
  {
    rule: "push: the key for pushes cannot read",
    request: bare(USD, `X-API-Key: ${KEYS.writer}`),
    status: 403,
    code: "ACCESS_RESTRICTED",
  },
];

/** All cases in the order in which they are sent. The counts of units depend on this order. */
export const CASES: readonly Case[] = [
  ...ROUTES,
  ...FAILURES,
  ...CREDENTIALS,
  ...HEAD,
  ...CACHING,
  ...CORS,
  ...COMPRESSED,
  ...BODIES,
  ...TARGETS,
  ...PUSHES,
  { rule: "at the end, every runtime has counted the same units", request: get("/api/v1/access"), status: 200 },
];
