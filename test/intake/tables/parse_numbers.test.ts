import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createJsonCollector } from "../../../adapters/intake/tables/json_collector.ts";
import { movePoint, readNumber } from "../../../adapters/intake/tables/parse_numbers.ts";
import { createTimeReader } from "../../../adapters/intake/tables/parse_times.ts";
import { formats } from "../../support/import_formats.ts";

/** The digits of a whole number and of a fraction, of any length. */
const decimal = fc.tuple(fc.stringMatching(/^[1-9]\d{0,17}$/), fc.stringMatching(/^\d{0,12}$/));

function grouped(whole: string, separator: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, separator);
}

function inDigits(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
}

const styles = [
  ["with points and commas", ".", ",", "."],
  ["with commas and points", ",", ".", ","],
  ["with the Persian marks", "\u066b", "\u066c", undefined],
  ["with a point and the Persian thousands separator", ".", "\u066c", undefined],
] as const;
for (const [style, point, thousands, mark] of styles) {
  test(`numbers: ${style}: every digit is kept, in Western, Persian and Arabic digits`, () => {
    fc.assert(
      fc.property(decimal, fc.constantFrom(0x30, 0x660, 0x6f0), ([whole, fraction], zero) => {
        const written = inDigits(grouped(whole, thousands) + (fraction === "" ? "" : point + fraction), zero);
        const expected = whole + (fraction === "" ? "" : `.${fraction}`);
        assert.deepEqual(readNumber(written, { mark, slash: "fraction" }), { ok: true, value: expected }, written);
      }),
    );
  });
}

test("numbers: multiplying by ten is exact, as if the point moved by one digit", () => {
  fc.assert(
    fc.property(decimal, ([whole, fraction]) => {
      const shifted = `${whole}${fraction.slice(0, 1).padEnd(1, "0")}.${fraction.slice(1)}`;
      assert.equal(movePoint(fraction === "" ? whole : `${whole}.${fraction}`, 1), Number(shifted));
    }),
  );
  const moved = ["1.5e3", "-5", "", "x"].map((text) => movePoint(text, 1));
  assert.deepEqual(moved, [15_000, "-5", "", "x"]);
});

test("times: each text becomes a time or a reason for refusal, in a short time", () => {
  const part = fc.constantFrom(
    ...["1", "31", "1405", "2026", "00", "۰", "۱۴۰۵", "-", "/", ".", ":", "T", "Z", " ", "+03:30", "\u200f", "،"],
  );
  const readers = [
    [],
    ["--calendar", "jalali"],
    ["--day-at", "16:30"],
    ["--day-at", "16:30", "--calendar", "jalali", "--zone", "Asia/Tehran", "--date-order", "mdy"],
  ];
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom(...readers), (parts, args) => {
      const read = createTimeReader(formats(args))(parts.join(""));
      assert.equal(read.ok || read.error.reason.includes(parts.join("")), true);
    }),
  );
  const [long] = ["1405/01/01 ".repeat(100_000), "1".repeat(1_000_000)].map((text) =>
    createTimeReader(formats())(text),
  );
  assert.equal(long?.ok, true);
});

test("JSON: bytes beyond the limit are refused and not kept in memory", () => {
  const collector = createJsonCollector(formats(), 1_048_576);
  const chunk = Buffer.alloc(600_000, " ");
  assert.equal(collector.push(chunk), undefined);
  const reason = "its JSON has more than 64 MB or 8,000,000 values: write one object a line, e.g. with jq -c '.[]'";
  assert.equal(collector.push(chunk), reason);
});
