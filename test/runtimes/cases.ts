import { gzipSync } from "node:zlib";
import { STYLE } from "../../adapters/page/built_files.ts";
import type { RawRequest } from "../support/raw_http.ts";
import { BROKEN, KEYS, SAMPLES, SMALL_UNITS } from "./app.ts";
import type { Case } from "./exchange.ts";

type Row = readonly [rule: string, request: RawRequest, status: number, code?: string];

const KEY = `X-API-Key: ${KEYS.main}`;
const ASSETS = "/api/v1/assets";
const USD = `${ASSETS}/${SAMPLES.many}`;
const HISTORY = `${USD}/history?from=2026-10-25&to=2026-11-20`;
const OHLC = `${USD}/ohlc?interval=15m&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z`;
const DATES = '{"fromDate":"2026-10-25","toDate":"2026-11-20"}';
const TYPE = "Content-Type: application/json";
const GZIP = "Content-Encoding: gzip";
const [PAGE, ACCEPT_GZIP] = ["Origin: https://page.example", "Accept-Encoding: gzip"];

const bare = (target: string, ...headers: string[]): RawRequest => ({ target, headers });
const get = (target: string, ...headers: string[]): RawRequest => bare(target, KEY, ...headers);
const by = (method: string, target: string, ...headers: string[]): RawRequest => ({
  ...get(target, ...headers),
  method,
});
const post = (body: string | Uint8Array, ...headers: string[]): RawRequest => ({
  ...by("POST", USD, TYPE, ...headers),
  body,
});
const chunked = (...chunks: Uint8Array[]): RawRequest => ({ ...by("POST", USD, TYPE), chunks });
const bytes = (text: string): Uint8Array => Buffer.from(text);

const ROUTES: readonly Row[] = [
  ["all latest values", get(ASSETS), 200],
  ["some assets, in the order of the catalog", get(`${ASSETS}?codes=${SAMPLES.one},${SAMPLES.many}`), 200],
  ["the catalog", get(`${ASSETS}/supported`), 200],
  ["a latest value", get(USD), 200],
  ["a value that JavaScript writes with an exponent", get(`${ASSETS}/${SAMPLES.one}`), 200],
  ["the value of a day", get(`${USD}/2026-11-01`), 200],
  ["a history", get(HISTORY), 200],
  ["candles", get(OHLC), 200],
  ["a history, with its dates in a body", post(DATES), 200],
  ["the status, with another Host field", bare("/api/v1/status", "Host: prices.example:8443"), 200],
  ["access", get("/api/v1/access"), 200],
  ["the page", bare("/docs"), 200],
  ["a file of the web page", bare(`/docs/${STYLE}`), 200],
  ["the root redirects to the page", bare("/"), 307],
];

const FAILURES: readonly Row[] = [
  ["no such route", bare("/api/v1/nothing"), 404, "ROUTE_NOT_FOUND"],
  ["a method whose body is not read", { ...by("PUT", USD), body: "x".repeat(500) }, 405, "METHOD_NOT_ALLOWED"],
  ["a rarely used method", by("PROPFIND", USD), 405, "METHOD_NOT_ALLOWED"],
  ["417", post('{"fromDate":"2026-03-02","toDate":"2026-03-01"}'), 417, "INVALID_DATE_RANGE"],
  ["an unexpected error", get(`${ASSETS}/${BROKEN.error}`), 500, "INTERNAL_ERROR"],
  ["data that is temporarily unavailable", get(`${ASSETS}/${BROKEN.unavailable}`), 503, "UNAVAILABLE"],
];

const SMALL = `X-API-Key: ${KEYS.small}`;
/** Requests are written as Latin-1, so this text has one character for each UTF-8 byte. */
const PERSIAN_KEY = Buffer.from("کلید").toString("latin1");
const CREDENTIALS: readonly Row[] = [
  ["key: missing", bare(USD), 401, "API_KEY_MISSING"],
  ["key: in Authorization", bare(USD, `Authorization: ApiKey ${KEYS.main}`), 200],
  ["key: the same key twice", get(USD, KEY), 200],
  ["key: two keys in two fields", get(USD, `Authorization: ApiKey ${KEYS.unlimited}`), 401, "CONFLICTING_CREDENTIALS"],
  ["key: two keys in two X-API-Key fields", get(USD, `X-API-Key: ${KEYS.unlimited}`), 401, "CONFLICTING_CREDENTIALS"],
  ["key: a key with bytes above ASCII", bare(USD, `X-API-Key: ${PERSIAN_KEY}`), 401, "API_KEY_INVALID"],
  ["key: unknown", bare(USD, `X-API-Key: ${KEYS.unknown}`), 401, "API_KEY_INVALID"],
  ...Array.from({ length: SMALL_UNITS }, (_, at): Row => [`key: unit ${at + 1}`, bare(USD, SMALL), 200]),
  ["key: no unit left", bare(USD, SMALL), 429, "QUOTA_EXCEEDED"],
  ["key: a refusal costs no unit, as /access shows", bare("/api/v1/access", SMALL), 200],
];

const HEAD = [ASSETS, HISTORY, "/api/v1/nothing", "/docs"].flatMap((target): readonly Row[] => {
  const status = target.endsWith("nothing") ? 404 : 200;
  return [
    [`HEAD ${target}`, by("HEAD", target), status],
    [`HEAD ${target}, gzip`, by("HEAD", target, ACCEPT_GZIP), status],
  ];
});

/** Requests with `ETAG`, which stands for the entity tag of another request's answer. */
const TAGGED = [ASSETS, `${ASSETS}/supported`, USD, HISTORY, OHLC].flatMap((target) => {
  const [tag, rule, status] = ["If-None-Match: ETAG", `304 ${target}`, 304];
  const zipped = get(target, ACCEPT_GZIP);
  return [
    { rule, request: get(target, tag), tagOf: get(target), status },
    { rule: `${rule}, HEAD`, request: by("HEAD", target, tag), tagOf: get(target), status },
    { rule: `${rule}, for the gzip form`, request: get(target, ACCEPT_GZIP, tag), tagOf: zipped, status },
  ];
});

const LISTED_TAGS = get(USD, 'If-None-Match: "a", "b"', "If-None-Match: W/ETAG");
const CACHING: readonly Row[] = [
  ["304: any tag", get(USD, "If-None-Match: *"), 304],
  ["another tag", get(USD, 'If-None-Match: "other"'), 200],
  ["no tag for POST", post(DATES, "If-None-Match: *"), 200],
  ["a Range field that is ignored", get(USD, "Range: bytes=0-9"), 200],
];

const PREFLIGHT = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x-api-key"];
const preflight = (target: string): RawRequest => ({ ...bare(target, PAGE, ...PREFLIGHT), method: "OPTIONS" });
const CORS: readonly Row[] = [
  ["CORS: the fields of an answer", get(USD, PAGE), 200],
  ["CORS: the fields of an error", bare(USD, PAGE), 401, "API_KEY_MISSING"],
  ["CORS: preflight", preflight(USD), 204],
  ["CORS: preflight for an unknown route", preflight("/api/v1/nothing"), 404, "ROUTE_NOT_FOUND"],
  ["OPTIONS without a preflight's fields", { method: "OPTIONS", target: USD }, 204],
];

const COMPRESSED: readonly Row[] = [
  ...[ASSETS, HISTORY, OHLC, "/docs", USD].map((target): Row => [`gzip ${target}`, get(target, ACCEPT_GZIP), 200]),
  ["gzip by its weight", get(ASSETS, "Accept-Encoding: br;q=0, gzip;q=0.5, identity;q=0.1"), 200],
  ["gzip refused", get(ASSETS, "Accept-Encoding: gzip;q=0"), 200],
  ["gzip of POST", post(DATES, ACCEPT_GZIP), 200],
];

const LIMIT = 8_192;
const padded = (length: number): string => DATES.padEnd(length);
const SPLIT_LETTER = [bytes('{"fromDate":"ر').subarray(0, 14), bytes("ر").subarray(1), bytes('","toDate":""}')];
/** Bodies of POST. */
const BODIES: readonly Row[] = [
  ["body: as large as the limit", post(padded(LIMIT)), 200],
  ["body: one byte above the limit", post(padded(LIMIT + 1)), 413, "BODY_TOO_LARGE"],
  ["body: announced but not sent", by("POST", USD, TYPE, "Content-Length: 5000000"), 413, "BODY_TOO_LARGE"],
  ["body: in chunks", chunked(bytes(DATES.slice(0, 9)), bytes(DATES.slice(9))), 200],
  ["body: chunks one byte above the limit", chunked(bytes(padded(LIMIT)), bytes("x")), 413, "BODY_TOO_LARGE"],
  ["body: Persian, in chunks that split a letter", chunked(...SPLIT_LETTER), 400, "INVALID_DATE"],
  ["body: with a byte order mark", post(`\ufeff${DATES}`), 200],
  ["body: not UTF-8", post(Uint8Array.of(0x7b, 0xff, 0x7d)), 400, "INVALID_BODY"],
  ["body: compressed", post(gzipSync(DATES, { level: 9 }), GZIP), 400, "INVALID_BODY"],
  ["body: another type", { ...by("POST", USD, "Content-Type: a/b"), body: DATES }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["body: not read without a key", { ...bare(USD, TYPE), method: "POST", body: DATES }, 401, "API_KEY_MISSING"],
  ["body: not read for GET", { ...get(USD), body: "x" }, 200],
];

// This account has no limit, so a runtime's wrong answer does not change the counts in its later answers.
const at = (target: string): RawRequest => bare(target, `X-API-Key: ${KEYS.unlimited}`);
const TWICE = `${ASSETS}?%63odes=${SAMPLES.one}&codes=${SAMPLES.one}`;
/** Ordinary and unusual request targets. */
const TARGETS: readonly Row[] = [
  ["target: letters may be encoded", at(`${ASSETS}/%55SD%5fRLS`), 200],
  ["target: a parameter given twice, once with an encoded name", at(TWICE), 400, "DUPLICATE_PARAMETER"],
  ["target: Persian", at(`${ASSETS}/${encodeURIComponent("دلار")}`), 404, "ASSET_NOT_FOUND"],
  ["target: a percent sign alone", at(`${ASSETS}/%zz`), 400, "INVALID_REQUEST"],
  ["target: not UTF-8", at(`${ASSETS}/%ff`), 400, "INVALID_REQUEST"],
  ["target: an encoded slash", at(`${ASSETS}/USD%2fRLS`), 400, "INVALID_REQUEST"],
  ["target: an encoded NUL", at(`${ASSETS}/USD%00`), 400, "INVALID_REQUEST"],
  ["target: two slashes in front", at(`/${USD}`), 400, "INVALID_REQUEST"],
  ["target: a host in front of the path", at("//other.example/api/v1/status"), 400, "INVALID_REQUEST"],
  ["target: a semicolon", at(`${USD};v=1`), 404, "ASSET_NOT_FOUND"],
  ["target: dots in a query", at(`${USD}?q=/../..`), 200],
  ["target: 4096 letters", at(`${USD}?${"x".repeat(4_096 - USD.length - 1)}`), 200],
  ["target: 4097 letters", at(`${USD}?${"x".repeat(4_096 - USD.length)}`), 414, "URI_TOO_LONG"],
];

const WRITER = `X-API-Key: ${KEYS.writer}`;
const PRICES = `code,value,businessTime\n${SAMPLES.many},1900000,2026-11-20T10:00:00Z\nNONE,1,2026-11-20T10:00:00Z\n`;
const push = (body: string | Uint8Array, ...headers: string[]): RawRequest => ({
  ...bare("/ingest", WRITER, "Content-Type: text/csv", ...headers),
  method: "POST",
  body,
});
const PUSHES: readonly Row[] = [
  ["push: gzipped", push(gzipSync(PRICES), GZIP), 200],
  ["push: the same again", push(PRICES), 200],
  ["push: a body that is not gzip", push(PRICES, GZIP), 400, "INVALID_BODY"],
  ["push: a body that unpacks to 16 MB", push(gzipSync(Buffer.alloc(16 << 20)), GZIP), 413, "BODY_TOO_LARGE"],
];

/** All cases in the order in which they are sent. The counts of units depend on this order. */
export const CASES: readonly Case[] = [
  ...[...ROUTES, ...FAILURES, ...CREDENTIALS, ...HEAD].map(toCase),
  ...TAGGED,
  { rule: "304: a weak tag in a list over two header lines", request: LISTED_TAGS, tagOf: get(USD), status: 304 },
  ...[...CACHING, ...CORS, ...COMPRESSED, ...BODIES, ...TARGETS, ...PUSHES].map(toCase),
  toCase(["at the end, every runtime has counted the same units", get("/api/v1/access"), 200]),
];

function toCase([rule, request, status, code]: Row): Case {
  return { rule, request, status, ...(code !== undefined && { code }) };
}
