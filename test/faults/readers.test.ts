import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJsonObject } from "../../adapters/json_files/log/line.ts";
import { decodeObservation } from "../../adapters/json_files/log/observation_line.ts";
import { createFastLineParser } from "../../adapters/json_files/log/fast_line_parser.ts";
import type { AssetCode, UtcMillis } from "../../core/brand.ts";
import type { Observation } from "../../core/market/observation.ts";
import { plainMembers } from "./plain_line.ts";
import { SEED, rounds, tell } from "./scale.ts";

const SEAL = ',"k":"00000000"}';
const parser = createFastLineParser();

/** What the fast parser makes of the line between `start` and `end`; `undefined` for nothing. */
function parseFast(bytes: Buffer, start: number, end: number): unknown {
  if (parser.parse(bytes, start) !== end - SEAL.length) return undefined;
  const { sequence, generation, ends, record } = parser;
  return { sequence, generation, ends, record };
}

/** What the fast parser makes of a line's text without its seal, and what JSON and the checks of an object do. */
function parseBoth(text: string): { fast: unknown; slow: unknown } {
  const line = Buffer.from(`before${text}${SEAL}\n`);
  // More lines follow, as in a file.
  const bytes = Buffer.concat([line, line, Buffer.alloc(1_024)]);
  const [start, end] = [6, line.length - 1];
  const object = parseJsonObject(bytes, start, end);
  if (typeof object === "string") return { fast: parseFast(bytes, start, end), slow: undefined };
  const { s, g, e } = object as { s?: unknown; g?: unknown; e?: unknown };
  const record = decodeObservation(object);
  const isLine = typeof s === "number" && typeof g === "number" && record !== undefined;
  return { fast: parseFast(bytes, start, end), slow: isLine ? { sequence: s, generation: g, ends: e === 1, record } : undefined };
}

const time = fc.oneof(
  { weight: 16, arbitrary: fc.integer({ min: 1e12, max: 1e13 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 ** 41 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 9, 10, 99_999_999_999_999, 253_402_300_799_999, -62_167_219_200_000, -1) },
) as fc.Arbitrary<UtcMillis>;
const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("USD_RLS", "BTC_USD", "manual", "a b") },
  { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);
const value = fc.oneof(
  { weight: 1, arbitrary: fc.double({ min: 5e-324, max: 1.7e308, noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 ** 53 - 1 }) },
  { weight: 8, arbitrary: fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => digits / 10 ** places) },
);
const observation = fc.record({
  ...{ code: text.filter((name) => name !== "") as fc.Arbitrary<AssetCode>, value, businessTime: time, insertTime: time },
  ...{ sourceTime: fc.option(time), provider: fc.option(text) },
  qualityStatus: fc.constantFrom("ACCEPTED", "ACCEPTED", "ACCEPTED", "PENDING"),
  qualityMessage: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text }),
}) as fc.Arbitrary<Observation>;
const line = fc.tuple(observation, fc.nat(), fc.nat(9_999), fc.boolean()).map(
  ([one, s, g, ends]) => `{"s":${s},"g":${g},${plainMembers(one)}${ends ? ',"e":1' : ""}`,
);

test("readers: what the fast parser reads is what JSON reads, to the last bit", (t) => {
  let read = 0;
  let lines = 0;
  const runs = { numRuns: rounds(20_000), seed: SEED };
  fc.assert(
    fc.property(line, (text) => {
      lines++;
      const both = parseBoth(text);
      if (both.fast === undefined) return;
      read++;
      assert.deepEqual(both.fast, both.slow);
    }),
    runs,
  );
  tell(t, { lines, "parsed fast": read });
  assert.ok(read > lines / 20);
});

test("readers: of a line that is not as the program writes it, the fast parser says the same as JSON, or nothing", (t) => {
  const odd = fc.constantFrom(..."0123456789.,:\"\\{}eE+- nu[]", "00", "1e5", '"e":1', ',"c":"X"', ',"st":', '","', "\0", "é");
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.oneof(odd, fc.constant(""))), { minLength: 1, maxLength: 3 });
  let same = 0;
  let lines = 0;
  fc.assert(
    fc.property(line, edits, (text, changes) => {
      const changed = changes.reduce((from, [at, length, put]) => {
        const place = at % from.length;
        return from.slice(0, place) + put + from.slice(place + length);
      }, text);
      lines++;
      const both = parseBoth(changed);
      if (both.fast === undefined) return;
      same++;
      assert.deepEqual(both.fast, both.slow, changed);
    }),
    { numRuns: rounds(50_000), seed: SEED },
  );
  tell(t, { lines, "parsed fast": same });
  assert.ok(same > 0);
});

test("readers: lines of the usual form are parsed fast", () => {
  const plain = { value: 1_050_000.25, businessTime: 1_795_238_400_000 as UtcMillis, insertTime: 1_795_238_400_123 as UtcMillis, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  for (const more of [{ sourceTime: null, provider: null }, { sourceTime: 1_795_238_300_000 as UtcMillis, provider: "manual" }]) {
    for (const end of ["", ',"e":1']) {
      const one = { code: "USD_RLS" as AssetCode, ...plain, ...more };
      const both = parseBoth(`{"s":151,"g":7,${plainMembers(one)}${end}`);
      assert.deepEqual(both.fast, { sequence: 151, generation: 7, ends: end !== "", record: one });
      assert.deepEqual(both.slow, both.fast);
    }
  }
});
