import { KEYS, SAMPLES } from "./app.ts";
import type { Case } from "./exchange.ts";

const ASSETS = "/api/v1/assets";
const USD = `${ASSETS}/${SAMPLES.many}`;
/** Bytes of the request line: the request is written as Latin-1. */
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

// An account without a limit, so that a difference between runtimes does not change the counts of later answers.
const KEY = `X-API-Key: ${KEYS.unlimited}`;
const target = (rule: string, written: string, status: number, code?: string): Case => {
  return { rule: `target: ${rule}`, request: { target: written, headers: [KEY] }, status, ...(code !== undefined && { code }) };
};
/** Request targets, usual and unusual. */
export const TARGETS: readonly Case[] = [
  target("letters may be encoded", `${ASSETS}/%55SD%5fRLS`, 200),
  target("an encoded query", `${ASSETS}?codes=USD%5FRLS%2C+${SAMPLES.one}`, 200),
  target("an encoded name twice", `${ASSETS}?%63odes=${SAMPLES.one}&codes=${SAMPLES.one}`, 400, "DUPLICATE_PARAMETER"),
  target("an empty query", `${USD}?`, 200),
  target("Persian", `${ASSETS}/${encodeURIComponent("دلار")}`, 404, "ASSET_NOT_FOUND"),
  target("Persian in a query", `${ASSETS}?codes=${encodeURIComponent("دلار")}`, 400, "INVALID_CODES"),
  target("a percent sign alone", `${ASSETS}/%zz`, 400, "INVALID_REQUEST"),
  target("not UTF-8", `${ASSETS}/%ff`, 400, "INVALID_REQUEST"),
  target("not UTF-8 in a query", `${ASSETS}?codes=%ff`, 400, "INVALID_CODES"),
  target("an encoded slash", `${ASSETS}/USD%2fRLS`, 400, "INVALID_REQUEST"),
  target("an encoded NUL", `${ASSETS}/USD%00`, 400, "INVALID_REQUEST"),
  target("two slashes in front", `/${USD}`, 400, "INVALID_REQUEST"),
  target("a host in front of the path", "//other.example/api/v1/status", 400, "INVALID_REQUEST"),
  target("a semicolon", `${USD};v=1`, 404, "ASSET_NOT_FOUND"),
  target("quotes and angles", `${ASSETS}/"<b>'`, 404, "ASSET_NOT_FOUND"),
  target("quotes in a query", `${ASSETS}?codes="<'>`, 400, "INVALID_CODES"),
  target("dots in a query", `${USD}?q=/../..`, 200),
  target("a dot segment", `${ASSETS}/./${SAMPLES.many}`, 400, "INVALID_REQUEST"),
  target("two dots", `${ASSETS}/x/../${SAMPLES.many}`, 400, "INVALID_REQUEST"),
  target("two encoded dots", `${ASSETS}/x/%2e%2e/${SAMPLES.many}`, 400, "INVALID_REQUEST"),
  target("a backslash", `${ASSETS}\\${SAMPLES.many}`, 400, "INVALID_REQUEST"),
  target("a fragment", `${USD}#part`, 400, "INVALID_REQUEST"),
  target("bytes above ASCII", utf8(`${ASSETS}/دلار`), 400, "INVALID_REQUEST"),
  target("bytes above ASCII in a query", utf8(`${ASSETS}?codes=دلار`), 400, "INVALID_REQUEST"),
  target("the absolute form", `http://other.example${USD}`, 200),
  target("the absolute form without a path", "http://other.example", 307),
  target("4096 letters", `${USD}?${"x".repeat(4_096 - USD.length - 1)}`, 200),
  target("4097 letters", `${USD}?${"x".repeat(4_096 - USD.length)}`, 414, "URI_TOO_LONG"),
];
