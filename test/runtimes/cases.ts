import { STYLE } from "../../adapters/page/built_files.ts";
import type { RawRequest } from "../support/raw_http.ts";
import { BROKEN, KEYS, SAMPLES, SMALL_UNITS } from "./app.ts";
import { BODIES } from "./cases_bodies.ts";
import { TARGETS } from "./cases_targets.ts";
import type { Case } from "./exchange.ts";

const KEY = `X-API-Key: ${KEYS.main}`;
const ASSETS = "/api/v1/assets";
const USD = `${ASSETS}/${SAMPLES.many}`;
const HISTORY = `${USD}/history?from=2026-10-25&to=2026-11-20`;
const OHLC = `${USD}/ohlc?interval=15m&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z`;
const DATES = '{"fromDate":"2026-10-25","toDate":"2026-11-20"}';

const get = (target: string, ...headers: string[]): RawRequest => ({ target, headers: [KEY, ...headers] });
const bare = (target: string, ...headers: string[]): RawRequest => ({ target, headers });
const method = (name: string, target: string, ...headers: string[]): RawRequest => ({ method: name, target, headers: [KEY, ...headers] });
const post = (body: string, ...headers: string[]): RawRequest => ({ ...method("POST", USD, "Content-Type: application/json", ...headers), body });
const preflight = (target: string, wanted: string): RawRequest => ({
  method: "OPTIONS",
  target,
  headers: ["Origin: https://page.example", `Access-Control-Request-Method: ${wanted}`, "Access-Control-Request-Headers: x-api-key"],
});
/** Bytes of a header line: the request is written as Latin-1. */
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const ROUTES: readonly Case[] = [
  { rule: "all latest values", request: get(ASSETS), status: 200 },
  { rule: "some, in the order of the catalog", request: get(`${ASSETS}?codes=${SAMPLES.one},${SAMPLES.many}`), status: 200 },
  { rule: "the catalog", request: get(`${ASSETS}/supported`), status: 200 },
  { rule: "a latest value", request: get(USD), status: 200 },
  { rule: "a value that JavaScript writes with an exponent", request: get(`${ASSETS}/${SAMPLES.one}`), status: 200 },
  { rule: "the value of a day", request: get(`${USD}/2026-11-01`), status: 200 },
  { rule: "a history", request: get(HISTORY), status: 200 },
  { rule: "candles", request: get(OHLC), status: 200 },
  { rule: "a history by its body", request: post(DATES), status: 200 },
  { rule: "the status", request: bare("/api/v1/status"), status: 200 },
  { rule: "the status under another host", request: bare("/api/v1/status", "Host: prices.example:8443"), status: 200 },
  { rule: "the status under a host with capitals", request: bare("/api/v1/status", "Host: Prices.Example"), status: 200 },
  { rule: "access", request: get("/api/v1/access"), status: 200 },
  { rule: "the page", request: bare("/docs"), status: 200 },
  { rule: "a file of the page", request: bare(`/docs/${STYLE}`), status: 200 },
  { rule: "the root leads to the page", request: bare("/"), status: 307 },
];

const FAILURES: readonly Case[] = [
  { rule: "no such route", request: bare("/api/v1/nothing"), status: 404, code: "ROUTE_NOT_FOUND" },
  { rule: "a trailing slash", request: get(`${ASSETS}/`), status: 404, code: "ROUTE_NOT_FOUND" },
  { rule: "no such method", request: method("DELETE", USD), status: 405, code: "METHOD_NOT_ALLOWED" },
  { rule: "a method with a body that is not read", request: { ...method("PUT", USD), body: "x".repeat(500) }, status: 405, code: "METHOD_NOT_ALLOWED" },
  { rule: "a method that few know", request: method("PROPFIND", USD), status: 405, code: "METHOD_NOT_ALLOWED" },
  { rule: "an unknown symbol", request: get(`${ASSETS}/USD_RLX`), status: 404, code: "ASSET_NOT_FOUND" },
  { rule: "a parameter given twice", request: get(`${HISTORY}&from=2026-11-02`), status: 400, code: "DUPLICATE_PARAMETER" },
  { rule: "more parameters than 32", request: get(`${USD}/history?${"x&".repeat(33)}`), status: 400, code: "INVALID_REQUEST" },
  { rule: "417 by a body", request: post('{"fromDate":"2026-03-02","toDate":"2026-03-01"}'), status: 417, code: "INVALID_DATE_RANGE" },
  { rule: "417, HEAD", request: method("HEAD", `${USD}/history?from=2026-03-02&to=2026-03-01`), status: 417 },
  { rule: "an error that nobody foresaw", request: get(`${ASSETS}/${BROKEN.error}`), status: 500, code: "INTERNAL_ERROR" },
  { rule: "data that cannot be read just now", request: get(`${ASSETS}/${BROKEN.unavailable}`), status: 503, code: "UNAVAILABLE" },
];

const credentials = (rule: string, status: number, code: string | undefined, ...headers: string[]): Case => {
  return { rule: `key: ${rule}`, request: bare(USD, ...headers), status, ...(code !== undefined && { code }) };
};
const CREDENTIALS: readonly Case[] = [
  credentials("none", 401, "API_KEY_MISSING"),
  credentials("an empty one", 401, "API_KEY_MISSING", "X-API-Key:"),
  credentials("in Authorization", 200, undefined, `Authorization: ApiKey ${KEYS.main}`),
  credentials("in both", 200, undefined, KEY, `Authorization: ApiKey ${KEYS.main}`),
  credentials("twice the same", 200, undefined, KEY, KEY),
  credentials("two in one line", 401, "CONFLICTING_CREDENTIALS", `${KEY}, ${KEYS.unlimited}`),
  credentials("two in two headers", 401, "CONFLICTING_CREDENTIALS", KEY, `Authorization: ApiKey ${KEYS.unlimited}`),
  credentials("beside Bearer", 401, "CONFLICTING_CREDENTIALS", KEY, "Authorization: Bearer abc"),
  credentials("Bearer alone", 401, "API_KEY_MISSING", "Authorization: Bearer abc"),
  credentials("beside Basic", 200, undefined, KEY, "Authorization: Basic YTpi"),
  credentials("with bytes above ASCII", 401, "API_KEY_INVALID", `X-API-Key: ${utf8("کلید")}`),
  credentials("with a byte that is not UTF-8", 401, "API_KEY_INVALID", "X-API-Key: a\xffb"),
  credentials("unknown", 401, "API_KEY_INVALID", `X-API-Key: ${KEYS.unknown}`),
  ...Array.from({ length: SMALL_UNITS }, (_, at) => credentials(`unit ${at + 1} of ${SMALL_UNITS}`, 200, undefined, `X-API-Key: ${KEYS.small}`)),
  credentials("no unit left", 429, "QUOTA_EXCEEDED", `X-API-Key: ${KEYS.small}`),
  { rule: "key: a refusal is free, as access tells", request: bare("/api/v1/access", `X-API-Key: ${KEYS.small}`), status: 200 },
  { rule: "key: in the URL is not read", request: bare(`${USD}?api_key=${KEYS.main}`), status: 401, code: "API_KEY_MISSING" },
];

const HEAD: readonly Case[] = [ASSETS, USD, HISTORY, "/api/v1/status", "/api/v1/nothing", "/docs"].flatMap((target) => [
  { rule: `HEAD ${target}`, request: method("HEAD", target), status: target.endsWith("nothing") ? 404 : 200 },
  { rule: `HEAD ${target}, gzip`, request: method("HEAD", target, "Accept-Encoding: gzip"), status: target.endsWith("nothing") ? 404 : 200 },
]);

const CACHING: readonly Case[] = [
  ...[ASSETS, `${ASSETS}/supported`, USD, HISTORY, OHLC].flatMap((target): readonly Case[] => [
    { rule: `304 ${target}`, request: get(target, "If-None-Match: ETAG"), tagOf: get(target), status: 304 },
    { rule: `304 ${target}, HEAD`, request: method("HEAD", target, "If-None-Match: ETAG"), tagOf: get(target), status: 304 },
    { rule: `304 ${target}, of the gzip form`, request: get(target, "Accept-Encoding: gzip", "If-None-Match: ETAG"), tagOf: get(target, "Accept-Encoding: gzip"), status: 304 },
  ]),
  { rule: "304: any tag", request: get(USD, "If-None-Match: *"), status: 304 },
  { rule: "304: a weak tag, in a list, in two lines", request: get(USD, 'If-None-Match: "a", "b"', "If-None-Match: W/ETAG"), tagOf: get(USD), status: 304 },
  { rule: "another tag", request: get(USD, 'If-None-Match: "other"'), status: 200 },
  { rule: "no tag for POST", request: post(DATES, "If-None-Match: *"), status: 200 },
  { rule: "a range that is not looked at", request: get(USD, "Range: bytes=0-9"), status: 200 },
];

const CORS: readonly Case[] = [
  { rule: "CORS: the fields of an answer", request: get(USD, "Origin: https://page.example"), status: 200 },
  { rule: "CORS: the fields of an error", request: bare(USD, "Origin: https://page.example"), status: 401, code: "API_KEY_MISSING" },
  { rule: "CORS: preflight of GET", request: preflight(USD, "GET"), status: 204 },
  { rule: "CORS: preflight of POST", request: preflight(USD, "POST"), status: 204 },
  { rule: "CORS: preflight of no route", request: preflight("/api/v1/nothing", "GET"), status: 404, code: "ROUTE_NOT_FOUND" },
  { rule: "OPTIONS that is no preflight", request: { method: "OPTIONS", target: USD }, status: 204 },
  { rule: "OPTIONS with a body", request: { method: "OPTIONS", target: USD, body: "x" }, status: 204 },
];

const COMPRESSED: readonly Case[] = [
  ...[ASSETS, `${ASSETS}/supported`, HISTORY, OHLC, "/docs", USD].map((target) => {
    return { rule: `gzip ${target}`, request: get(target, "Accept-Encoding: gzip"), status: 200 };
  }),
  { rule: "gzip by its weight", request: get(ASSETS, "Accept-Encoding: br;q=0, gzip;q=0.5, identity;q=0.1"), status: 200 },
  { rule: "gzip by a second line", request: get(ASSETS, "Accept-Encoding: deflate", "Accept-Encoding: gzip"), status: 200 },
  { rule: "gzip refused", request: get(ASSETS, "Accept-Encoding: gzip;q=0"), status: 200 },
  { rule: "gzip of POST", request: post(DATES, "Accept-Encoding: gzip"), status: 200 },
  { rule: "brotli where there is brotli", request: get(ASSETS, "Accept-Encoding: br"), status: 200 },
];

/** All cases in the order in which they are sent, because the counts of units depend on it. */
export const CASES: readonly Case[] = [
  ...ROUTES, ...FAILURES, ...CREDENTIALS, ...HEAD, ...CACHING, ...CORS, ...COMPRESSED, ...BODIES, ...TARGETS,
  { rule: "at the end, all have counted the same units", request: get("/api/v1/access"), status: 200 },
];
