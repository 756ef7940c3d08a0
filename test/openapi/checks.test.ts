// All tests check answers against the document. The check must refuse answers that deviate from it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFedWorld } from "../support/api_under_test.ts";
import { answerCheck, type Checked } from "../support/openapi_checks.ts";

const USD = "/api/v1/assets/USD_RLS";
const check = answerCheck({});

async function answered(target: string): Promise<Checked> {
  const world = await createFedWorld();
  return { method: "GET", target, ...(await world.ask(target)) };
}

const record = await answered(USD);
const refused = await answered(`${USD}/history?from=2026-01-01&to=2026-11-21`);

const off: readonly (readonly [what: string, exchange: Checked])[] = [
  ["a status that is not documented for the route", { ...record, status: 418 }],
  ["a 5xx that is not documented", { ...record, status: 502 }],
  ["a text instead of a number", { ...record, text: record.text.replace("1050000", '"1050000"') }],
  ["a price of zero", { ...record, text: record.text.replace("1050000", "0") }],
  ["a member too many", { ...record, text: record.text.replace("{", '{"more":1,') }],
  ["a member too few", { ...record, text: record.text.replace('"name":"USD_RLS",', "") }],
  ["a code that is not in the catalog", { ...record, text: record.text.replace('"USD_RLS"', '"USD_RLX"') }],
  ["a time without milliseconds", { ...record, text: record.text.replace(".000Z", "Z") }],
  ["a list instead of a record", { ...record, text: `[${record.text}]` }],
  ["another content type", { ...record, headers: { ...record.headers, "Content-Type": "text/html" } }],
  ["no request id", { ...record, headers: { "Content-Type": "application/json" } }],
  ["units that are not a number", { ...record, headers: { ...record.headers, "X-RateLimit-Remaining": "many" } }],
  ["a header field of another answer", { ...record, headers: { ...record.headers, "Retry-After": "1" } }],
  ["a body on 304", { ...record, status: 304 }],
  ["a failure that is not documented for the route", { ...refused, target: USD }],
  ["another status in the error body", { ...refused, text: refused.text.replace('"status":417', '"status":400') }],
  ["an unknown error code", { ...refused, text: refused.text.replace("INVALID_DATE_RANGE", "NOPE") }],
  [
    "an error body with another shape, without a route",
    { ...refused, target: "/nothing", status: 404, text: '{"error":"no"}' },
  ],
];

test("OpenAPI checks: the unchanged answers pass", () => {
  check(record);
  check(refused);
});

for (const [what, exchange] of off) {
  test(`OpenAPI checks: refuse ${what}`, () => assert.throws(() => check(exchange), assert.AssertionError));
}
