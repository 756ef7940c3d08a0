import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ceilMillis, formatTimestamp, type Instant, isBefore, parseTimestamp } from "../../../core/time/timestamps.ts";
import { anyText, at, FIRST_MILLIS, LAST_MILLIS } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const anyMillis = fc.oneof(
  fc.integer({ min: FIRST_MILLIS, max: LAST_MILLIS }),
  fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2030-01-01") }),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.constantFrom(FIRST_MILLIS, LAST_MILLIS),
);

test("timestamp: parses any millisecond of the years 0 to 9999 as it was written", () => {
  fc.assert(
    fc.property(anyMillis, (millis) => {
      const text = formatTimestamp(at(millis));
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(parseTimestamp(text), { millis, nanos: 0 });
    }),
    { numRuns: runs(300) },
  );
});

test("timestamp: an offset shifts the time by its hours and minutes; digits after the milliseconds are nanoseconds", () => {
  const offset = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
  const finerDigits = fc.array(fc.nat(9), { maxLength: 6 }).map((digits) => digits.join(""));
  fc.assert(
    fc.property(anyMillis, offset, finerDigits, (millis, minutes, finer) => {
      const wall = millis + minutes * 60_000;
      fc.pre(wall >= FIRST_MILLIS && wall <= LAST_MILLIS);
      const zone = `${minutes < 0 ? "-" : "+"}${new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)}`;
      const text = `${new Date(wall).toISOString().slice(0, -1)}${finer}${zone}`;
      assert.deepEqual(parseTimestamp(text), { millis, nanos: Number(finer.padEnd(6, "0")) });
    }),
    { numRuns: runs(300) },
  );
});

test("timestamp: a text with the right shape is a timestamp exactly if that time exists", () => {
  const parts = fc.tuple(fc.nat(9_999), ...[14, 33, 26, 62, 62].map((max) => fc.nat(max)));
  let real = 0;
  fc.assert(
    fc.property(parts, ([year, ...rest]) => {
      const [month, day, hour, minute, second] = rest.map((value) => String(value).padStart(2, "0"));
      const text = `${String(year).padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
      const reference = new Date(text);
      const isReal = !Number.isNaN(reference.getTime()) && reference.toISOString() === text;
      if (isReal) real++;
      assert.deepEqual(parseTimestamp(text), isReal ? { millis: reference.getTime(), nanos: 0 } : undefined);
    }),
    { numRuns: runs(800) },
  );
  assert.ok(real > 100, `${real} real`);
});

test("timestamp: no text makes the parser throw, and timestamps agree with Date.parse", () => {
  const parts = fc.constantFrom(
    ...["2026-01-05", "T", "t", " ", "10:00", "24:00", ":00", ":60", ".5", ".123456789", "Z", "z", "\n"],
    ...["+00:00", "-03:30", "+24:00"],
  );
  const anyTime = fc.oneof(
    anyText,
    fc.array(parts, { maxLength: 8 }).map((texts) => texts.join("")),
  );
  fc.assert(
    fc.property(anyTime, (text) => {
      const instant = parseTimestamp(text);
      if (instant === undefined) return;
      assert.equal(Date.parse(text.replace(/(\.\d{1,3})\d*/, "$1")), instant.millis);
    }),
    { numRuns: runs(600) },
  );
});

test("timestamp: times are compared and rounded up with nanosecond precision", () => {
  const instant: fc.Arbitrary<Instant> = fc.record({
    millis: fc.integer({ min: -3, max: 3 }).map(at),
    nanos: fc.oneof(fc.nat(2), fc.nat(999_999)),
  });
  const nanosOf = ({ millis, nanos }: Instant): bigint => BigInt(millis) * 1_000_000n + BigInt(nanos);
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      assert.equal(isBefore(a, b), nanosOf(a) < nanosOf(b));
      const ceiling = BigInt(ceilMillis(a)) * 1_000_000n;
      assert.ok(ceiling >= nanosOf(a) && ceiling - nanosOf(a) < 1_000_000n, `${ceiling}`);
    }),
    { numRuns: runs(200) },
  );
});
