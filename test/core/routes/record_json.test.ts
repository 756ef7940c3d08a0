import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDecimal } from "../../../core/bytes/json.ts";
import { ERRORS, errorBody, failure } from "../../../core/http/errors.ts";
import { ASSETS, type Asset, defineAsset, type Observation } from "../../../core/mod.ts";
import { recordBytes, recordHeads, recordListBytes } from "../../../core/routes/record_json.ts";
import { at, FIRST_MILLIS, LAST_MILLIS, observation, properText } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const odd = defineAsset({ code: "ODD_USD", category: "FX", nameEn: 'Odd "é" \\', nameFa: "😀" });
const assets = new Map<string, Asset>([...ASSETS, odd].map((asset) => [asset.code, asset]));
const heads = recordHeads(assets);
const times = fc.integer({ min: FIRST_MILLIS, max: LAST_MILLIS }).map(at);
const observations = fc
  .record({
    code: fc.constantFrom(...[...assets.values()].map(({ code }) => code)),
    value: fc.oneof(
      fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
      fc.integer({ min: 1, max: 1e9 }).map((n) => n / 100),
    ),
    businessTime: times,
  })
  .map(observation);

/** A record as JSON, written by a simple implementation. Source: contract, Asset value record. */
function recordJson({ code, value, businessTime }: Observation): string {
  const { labelEn, labelFa, quoteUnit } = assets.get(code)!;
  const head = JSON.stringify({ code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit }).slice(0, -1);
  return `${head},"value":${formatDecimal(value)},"businessTime":"${new Date(businessTime).toISOString()}"}`;
}

const text = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

test("record bytes: equal those of a simple implementation; a list has commas between the records", () => {
  fc.assert(
    fc.property(fc.array(observations, { maxLength: 40 }), (list) => {
      for (const one of list) assert.equal(text(recordBytes(heads, one)), recordJson(one));
      assert.equal(text(recordListBytes(heads, list)), `[${list.map(recordJson).join(",")}]`);
    }),
  );
});

test("error bodies: equal those of JSON.stringify, for every code and any text", () => {
  const codes = fc.constantFrom(...(Object.keys(ERRORS) as (keyof typeof ERRORS)[]));
  fc.assert(
    fc.property(codes, fc.option(properText, { nil: undefined }), properText, times, (code, message, path, now) => {
      const body = errorBody(failure(code, message), { now, path, requestId: "req_1" });
      const { status, message: usual } = ERRORS[code];
      const wanted = {
        status,
        code,
        message: message ?? usual,
        timestamp: new Date(now).toISOString(),
        path: path.slice(0, 1_024),
        requestId: "req_1",
      };
      assert.equal(body, JSON.stringify(wanted));
    }),
    { numRuns: runs(250) },
  );
});
