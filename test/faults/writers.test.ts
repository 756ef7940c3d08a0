import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { logSeed, seal } from "../../adapters/json_files/log/line.ts";
import { textLines } from "../../adapters/json_files/log/log_lines.ts";
import { observationLines } from "../../adapters/json_files/log/observation_line.ts";
import { encodeGroup } from "../../adapters/json_files/log/encode_group.ts";
import type { AssetCode, UtcMillis } from "../../core/brand.ts";
import type { Observation } from "../../core/market/observation.ts";
import { plainMembers } from "./plain_line.ts";
import { SEED, rounds } from "./scale.ts";

const seed = logSeed("store", "obs");

/** A group of lines as the format says it, text by text. */
function plainGroup(batches: readonly (readonly Observation[])[], first: number, generation: number): string {
  const bodies = batches.flat().map(plainMembers);
  const line = (body: string, i: number): string =>
    seal(`{"s":${first + i},"g":${generation},${body}${i === bodies.length - 1 ? ',"e":1' : ""}`, seed);
  return bodies.map((body, i) => `${line(body, i)}\n`).join("");
}

const time = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1e12, max: 1e13 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 9, 10, 999_999_999, 1e9, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER) },
) as fc.Arbitrary<UtcMillis>;
const text = fc.oneof(
  fc.constantFrom("USD_RLS", "manual", "بازار", 'a "b" \\', "\u007f\u0080", "\n\t\0", "\ud800", "😀"),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const value = fc.oneof(
  fc.double({ min: 5e-324, max: 1.7e308, noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => digits / 10 ** places),
);
const observation = fc.record({
  ...{ code: text.filter((name) => name !== "") as fc.Arbitrary<AssetCode>, value, businessTime: time, insertTime: time },
  ...{ sourceTime: fc.option(time), provider: fc.option(text), qualityMessage: fc.oneof(fc.constant(""), text) },
  qualityStatus: fc.constantFrom("ACCEPTED", "PENDING", "REJECTED"),
}) as fc.Arbitrary<Observation>;
const batches = fc.array(fc.array(observation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

test("writers: the bytes of a group are those of the format written text by text, in the room that was said to do", () => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.nat(9_999), (groups, first, generation) => {
      const expected = plainGroup(groups, first, generation);
      for (const parts of [groups.map(observationLines), groups.map((batch) => textLines(batch.map(plainMembers)))]) {
        assert.equal(encodeGroup(parts, { first, generation, seed }).toString("utf8"), expected);
      }
    }),
    { numRuns: rounds(5_000), seed: SEED },
  );
});

test("writers: where there is too little room, nothing is written off as written", () => {
  const one = { code: "USD_RLS" as AssetCode, value: 1, businessTime: 1 as UtcMillis, insertTime: 1 as UtcMillis, sourceTime: null, provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  const lines = observationLines([one, one]);
  const end = encodeGroup([lines], { first: 1, generation: 1, seed }).length;
  for (let bytes = 0; bytes < end; bytes++) assert.throws(() => encodeGroup([{ ...lines, bytes }], { first: 1, generation: 1, seed }), RangeError);
});
