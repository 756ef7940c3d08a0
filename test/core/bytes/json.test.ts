import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDecimal, quoteJson } from "../../../core/bytes/json.ts";
import { anyText } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const positiveDouble = fc
  .oneof(
    fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
    fc.double({ min: 5e-324, max: 2.3e-308, noNaN: true }),
    fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
    fc
      .tuple(fc.nat(999_999_999), fc.integer({ min: -330, max: 300 }))
      .map(([digits, exponent]) => Number(`${digits + 1}e${exponent}`)),
    fc
      .bigInt({ min: 1n, max: 0x7fef_ffff_ffff_ffffn })
      .map((bits) => new Float64Array(BigUint64Array.of(bits).buffer)[0]!),
    fc.constantFrom(
      Number.MIN_VALUE,
      Number.MAX_VALUE,
      2.2250738585072014e-308,
      1e21,
      1e-6,
      1e-7,
      9.8e-7,
      999_999_999_999_999_900_000,
      1e20,
      0.1,
      0.30000000000000004,
      123e-20,
      1.5e300,
      1,
      10,
      Number.MAX_SAFE_INTEGER,
      Number.EPSILON,
    ),
  )
  .filter((value) => value > 0 && value < Infinity);

/** A number's digits without sign, point, exponent and outer zeros. */
function significantDigits(text: string): string {
  return text
    .replace(/e.*$/, "")
    .replace(".", "")
    .replace(/^0+|0+$/g, "");
}

test("decimal: every positive double is written without an exponent, in its shortest digits, and gives the same double back", () => {
  fc.assert(
    fc.property(positiveDouble, (value) => {
      const text = formatDecimal(value);
      assert.match(text, /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
      assert.equal(JSON.parse(text), value);
      assert.equal(significantDigits(text), significantDigits(String(value)));
    }),
    { numRuns: runs(625) },
  );
});

test("decimal: a number below zero has a minus sign before its digits", () => {
  fc.assert(fc.property(positiveDouble, (value) => assert.equal(formatDecimal(-value), `-${formatDecimal(value)}`)));
});

test("JSON text: it is that of JSON.stringify, also for halves of surrogate pairs and control characters", () => {
  fc.assert(fc.property(anyText, (text) => assert.equal(quoteJson(text), JSON.stringify(text))));
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = `a${String.fromCharCode(unit)}b`;
    assert.equal(quoteJson(text), JSON.stringify(text));
  }
});
