import { gzipSync } from "node:zlib";
import type { RawRequest } from "../support/raw_http.ts";
import { KEYS, SAMPLES } from "./app.ts";
import type { Case } from "./exchange.ts";

const KEY = `X-API-Key: ${KEYS.main}`;
const USD = `/api/v1/assets/${SAMPLES.many}`;
const DATES = '{"fromDate":"2026-10-25","toDate":"2026-11-20"}';
const JSON_TYPE = "Content-Type: application/json";

const sent = (...headers: string[]): RawRequest => ({ method: "POST", target: USD, headers: [KEY, ...headers] });
const post = (body: string | Uint8Array, ...headers: string[]): RawRequest => ({ ...sent(JSON_TYPE, ...headers), body });
const chunked = (...chunks: Uint8Array[]): RawRequest => ({ ...sent(JSON_TYPE), chunks });
const bytes = (text: string): Uint8Array => Buffer.from(text);

const LIMIT = 8_192;
const padded = (length: number): string => DATES.padEnd(length);
/** Bodies of POST. */
export const BODIES: readonly Case[] = [
  { rule: "body: of the limit", request: post(padded(LIMIT)), status: 200 },
  { rule: "body: one byte more", request: post(padded(LIMIT + 1)), status: 413, code: "BODY_TOO_LARGE" },
  { rule: "body: announced and not sent", request: sent(JSON_TYPE, "Content-Length: 5000000"), status: 413, code: "BODY_TOO_LARGE" },
  { rule: "body: in chunks", request: chunked(bytes(DATES.slice(0, 9)), bytes(DATES.slice(9))), status: 200 },
  { rule: "body: in chunks, one byte more", request: chunked(bytes(padded(LIMIT)), bytes("x")), status: 413, code: "BODY_TOO_LARGE" },
  {
    rule: "body: Persian, in chunks that part a letter",
    request: chunked(bytes('{"fromDate":"ر').subarray(0, 14), bytes("ر").subarray(1), bytes('","toDate":""}')),
    status: 400,
    code: "INVALID_DATE",
  },
  { rule: "body: with a byte order mark", request: post(`\ufeff${DATES}`), status: 200 },
  { rule: "body: not UTF-8", request: post(Uint8Array.of(0x7b, 0xff, 0x7d)), status: 400, code: "INVALID_BODY" },
  { rule: "body: empty", request: post(""), status: 400, code: "INVALID_BODY" },
  { rule: "body: no JSON", request: post("{fromDate}"), status: 400, code: "INVALID_BODY" },
  { rule: "body: compressed", request: post(gzipSync(DATES, { level: 9 }), "Content-Encoding: gzip"), status: 400, code: "INVALID_BODY" },
  { rule: "body: another type", request: { ...sent("Content-Type: text/plain"), body: DATES }, status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
  { rule: "body: no type", request: { ...sent(), body: DATES }, status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
  { rule: "body: a type with its charset", request: { ...sent('Content-Type: Application/JSON; charset="UTF-8"'), body: DATES }, status: 200 },
  { rule: "body: without a key it is not read", request: { method: "POST", target: USD, headers: [JSON_TYPE], body: DATES }, status: 401, code: "API_KEY_MISSING" },
  { rule: "body: of GET, not read", request: { target: USD, headers: [KEY], body: "x" }, status: 200 },
];
