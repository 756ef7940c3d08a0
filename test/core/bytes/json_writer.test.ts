import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDecimal } from "../../../core/bytes/json.ts";
import * as write from "../../../core/bytes/json_writer.ts";
import { DAY, FIRST_MILLIS, LAST_MILLIS } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

type Writer<T> = (to: Uint8Array, at: number, value: T) => number;

/** The output of a writer, with more room than needed and with exactly enough. One byte less must throw. */
function written<T>(writer: Writer<T>, value: T, offset = 3): string {
  const roomy = new Uint8Array(2_000).fill(7);
  const end = writer(roomy, offset, value);
  for (const rest of [roomy.subarray(0, offset), roomy.subarray(end)])
    assert.deepEqual(rest, new Uint8Array(rest.length).fill(7), "nothing is written before or after the text");
  const tight = new Uint8Array(end);
  assert.equal(writer(tight, offset, value), end);
  assert.deepEqual(tight.subarray(offset), roomy.subarray(offset, end));
  if (end > offset) {
    const short = new Uint8Array(end - 1).fill(7);
    assert.throws(() => writer(short, offset, value), RangeError);
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(tight.subarray(offset));
}

function checkDecimal(value: number): void {
  const text = written(write.writeDecimal, value);
  assert.equal(text, formatDecimal(value));
  assert.match(text, /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
  assert.equal(JSON.parse(text) + 0, value + 0);
  assert.equal(significantDigits(text), significantDigits(String(value)));
  assert.ok(text.length <= write.decimalRoom(value), `${text.length} bytes`);
}

/** A number's digits without sign, point, exponent and outer zeros. */
function significantDigits(text: string): string {
  return text.replace(/e.*$|[-.]/g, "").replace(/^0+|0+$/g, "");
}

/** A double from random bits, so that all exponents are equally likely. */
const anyDouble = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((bytes) => new DataView(Uint8Array.from(bytes).buffer).getFloat64(0))
  .filter(Number.isFinite);
const price = fc
  .tuple(fc.nat({ max: 99_999_999_999 }), fc.nat(10), fc.boolean())
  .map(([digits, places, negative]) => (negative ? -1 : 1) * Number(`${digits}e-${places}`));
const magnitude = fc
  .tuple(fc.maxSafeNat(), fc.integer({ min: -340, max: 292 }))
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`));
/** Zero, numbers at which the digit count changes, the limits of normal and subnormal doubles, and inexact sums. */
const odd = [
  ...[0, -0, 1, 10, 0.1, 0.2, 0.1 + 0.2, 4.35, 1.005, 0.615, 1234567.891, 123456.000000000001, 0.000001234567890123],
  ...[1e-6, 9.8e-7, 1e-7, 9.999999999999999e-7, 1e-12, 1e-13, 1e9 - 1, 1e9, 999_999_999.5, 1e15 - 1, 1e15, 1e15 + 1],
  ...[
    999_999_999_999_999.9,
    99_999_999_999_999.95,
    2 ** 53 - 1,
    2 ** 53,
    4503599627370497.5,
    1e20,
    1e21,
    1e22,
    1.5e300,
  ],
  ...[0.9999999999999999, 9.999999999999998, 10.000000000000002, Number.EPSILON, Number.MAX_VALUE],
  ...[5e-324, 2.2250738585072014e-308, 1.1125369292536007e-308],
].flatMap((value) => [value, -value]);

test("write: a decimal is the shortest that parses to the same double, without an exponent, for all magnitudes", () => {
  odd.forEach(checkDecimal);
  fc.assert(fc.property(anyDouble, checkDecimal), { numRuns: runs(500) });
  fc.assert(fc.property(magnitude, checkDecimal), { numRuns: runs(500) });
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), checkDecimal), { numRuns: runs(400) });
});

test("write: a decimal is exact for prices with up to ten decimal places, and for the doubles next to them", () => {
  fc.assert(fc.property(price, checkDecimal), { numRuns: runs(700) });
  const neighbour = fc
    .tuple(price, fc.constantFrom(-2, -1, 1, 2))
    .map(([value, step]) => value * (1 + step * Number.EPSILON));
  fc.assert(fc.property(neighbour, checkDecimal), { numRuns: runs(500) });
});

test("write: a whole number is written as String writes it, up to the largest safe integer", () => {
  for (let power = 1; power < 2 ** 53; power *= 10) {
    for (const n of [power - 1, power, power + 1]) assert.equal(written(write.writeWhole, n), String(n));
  }
  const whole = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(1_000));
  fc.assert(
    fc.property(whole, (n) => assert.equal(written(write.writeWhole, n), String(n))),
    { numRuns: runs(400) },
  );
  for (const n of [-1, 2 ** 53, NaN, Infinity])
    assert.throws(() => write.writeWhole(new Uint8Array(99), 0, n), RangeError);
});

test("write: a timestamp is written as toISOString writes it, from the year 0 to 9999", () => {
  const check = (millis: number): void =>
    assert.equal(written(write.writeTimestamp, millis), new Date(millis).toISOString());
  [FIRST_MILLIS, LAST_MILLIS, 0, -1, 951_782_400_000, 951_868_799_999, 4_107_542_400_000].forEach(check);
  const any = fc.integer({ min: FIRST_MILLIS, max: LAST_MILLIS });
  fc.assert(fc.property(any, check), { numRuns: runs(500) });
  const nearMidnight = fc
    .tuple(any, fc.integer({ min: -1, max: 1 }))
    .map(([time, step]) => Math.max(FIRST_MILLIS, Math.floor(time / DAY) * DAY + step));
  fc.assert(fc.property(nearMidnight, check), { numRuns: runs(500) });
  for (const time of [FIRST_MILLIS - 1, LAST_MILLIS + 1, NaN, Infinity])
    assert.throws(() => write.writeTimestamp(new Uint8Array(99), 0, time), RangeError);
});

test("write: an ASCII text is written as its bytes; any other text throws", () => {
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 300 });
  fc.assert(fc.property(ascii, (text) => assert.equal(written(write.writeAscii, text), text)));
  for (const text of ["é", "a\u0100", "دلار"])
    assert.throws(() => write.writeAscii(new Uint8Array(99), 0, text), RangeError);
});
