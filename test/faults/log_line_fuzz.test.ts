// The program writes lines of the log byte by byte and reads them by a parser of its own. Here the plain way, by JSON, does the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeGroup } from "../../adapters/stores/json_files/log/encode_group.ts";
import { createFastLineParser } from "../../adapters/stores/json_files/log/fast_line_parser.ts";
import { textLines } from "../../adapters/stores/json_files/log/log_lines.ts";
import { decodeObservation, observationLines } from "../../adapters/stores/json_files/log/observation_line.ts";
import { logSeed, parseJsonObject, seal } from "../../adapters/stores/json_files/log/sealed_line.ts";
import type { AssetCode, UtcMillis } from "../../core/branded_types.ts";
import { formatDecimal } from "../../core/bytes/json.ts";
import type { Observation } from "../../core/market/observation.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts, SEED } from "./random_trial.ts";

const SEAL = ',"k":"00000000"}';
const parser = createFastLineParser();
const seed = logSeed("store", "obs");
const PLAIN = {
  code: "USD_RLS" as AssetCode,
  value: 1_050_000.25,
  businessTime: 1_795_238_400_000 as UtcMillis,
  insertTime: 1_795_238_400_123 as UtcMillis,
  sourceTime: null,
  provider: null,
  qualityStatus: "ACCEPTED",
  qualityMessage: "",
} as const;

const time = fc.oneof(
  { weight: 16, arbitrary: fc.integer({ min: 1e12, max: 1e13 }) },
  { weight: 4, arbitrary: fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      0,
      -1,
      9,
      10,
      999_999_999,
      1e9,
      99_999_999_999_999,
      253_402_300_799_999,
      Number.MAX_SAFE_INTEGER,
    ),
  },
) as fc.Arbitrary<UtcMillis>;
const text = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom("USD_RLS", "BTC_USD", "manual", "a b") },
  { weight: 2, arbitrary: fc.constantFrom("بازار", 'a "b" \\', "\u007f\u0080", "\n\t\0", "\ud800", "😀") },
  { weight: 2, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const value = fc.oneof(
  { weight: 1, arbitrary: fc.double({ min: 5e-324, max: 1.7e308, noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 ** 53 - 1 }) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 12 }))
      .map(([digits, places]) => digits / 10 ** places),
  },
);
const observation = fc.record({
  ...{
    code: text.filter((name) => name !== "") as fc.Arbitrary<AssetCode>,
    value,
    businessTime: time,
    insertTime: time,
  },
  ...{ sourceTime: fc.option(time), provider: fc.option(text) },
  qualityStatus: fc.constantFrom("ACCEPTED", "ACCEPTED", "ACCEPTED", "PENDING"),
  qualityMessage: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text }),
}) as fc.Arbitrary<Observation>;
const batches = fc.array(fc.array(observation, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
const line = fc
  .tuple(observation, fc.nat(), fc.nat(9_999), fc.boolean())
  .map(([one, s, g, ends]) => `{"s":${s},"g":${g},${plainMembers(one)}${ends ? ',"e":1' : ""}`);

test("lines: the bytes of a group are those of the format written text by text, in the room that was said to do", () => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.nat(9_999), (groups, first, generation) => {
      const expected = plainGroup(groups, first, generation);
      for (const parts of [groups.map(observationLines), groups.map((batch) => textLines(batch.map(plainMembers)))]) {
        assert.equal(encodeGroup(parts, { first, generation, seed }).toString("utf8"), expected);
      }
    }),
    { numRuns: runs(500), seed: SEED },
  );
});

test("lines: what the fast parser reads is what JSON reads, to the last bit, also of a line that the program would not write", (t) => {
  const odd = fc.constantFrom(
    ...'0123456789.,:"\\{}eE+- nu[]',
    "00",
    "1e5",
    '"e":1',
    ',"c":"X"',
    ',"st":',
    '","',
    "\0",
    "é",
  );
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.oneof(odd, fc.constant(""))), {
    maxLength: 3,
  });
  const someEdited = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: edits });
  let [lines, read] = [0, 0];
  fc.assert(
    fc.property(line, someEdited, (text, changes) => {
      const changed = changes.reduce((from, [at, length, put]) => {
        const place = at % from.length;
        return from.slice(0, place) + put + from.slice(place + length);
      }, text);
      lines++;
      const both = parseBoth(changed);
      if (both.fast === undefined) return;
      read++;
      assert.deepEqual(both.fast, both.slow, changed);
    }),
    { numRuns: runs(5_000), seed: SEED },
  );
  printCounts(t, { lines, "parsed fast": read });
});

test("lines: those of the usual form are parsed fast", () => {
  for (const more of [{}, { sourceTime: 1_795_238_300_000 as UtcMillis, provider: "manual" }]) {
    for (const end of ["", ',"e":1']) {
      const record = { ...PLAIN, ...more };
      const both = parseBoth(`{"s":151,"g":7,${plainMembers(record)}${end}`);
      assert.deepEqual(both.fast, { sequence: 151, generation: 7, ends: end !== "", record });
      assert.deepEqual(both.slow, both.fast);
    }
  }
});

/** What the fast parser makes of a line's text without its seal, `undefined` for nothing; and what JSON and the checks of an object do. */
function parseBoth(text: string): { fast: unknown; slow: unknown } {
  const line = Buffer.from(`before${text}${SEAL}\n`);
  // More lines follow, as in a file.
  const bytes = Buffer.concat([line, line, Buffer.alloc(1_024)]);
  const [start, end] = [6, line.length - 1];
  const fast =
    parser.parse(bytes, start) === end - SEAL.length
      ? { sequence: parser.sequence, generation: parser.generation, ends: parser.ends, record: parser.record }
      : undefined;
  const object = parseJsonObject(bytes, start, end);
  if (typeof object === "string") return { fast, slow: undefined };
  const { s, g, e } = object as { s?: unknown; g?: unknown; e?: unknown };
  const decoded = decodeObservation(object);
  const isLine = typeof s === "number" && typeof g === "number" && decoded !== undefined;
  return { fast, slow: isLine ? { sequence: s, generation: g, ends: e === 1, record: decoded } : undefined };
}

/** A group of lines as the format says it, text by text. */
function plainGroup(batches: readonly (readonly Observation[])[], first: number, generation: number): string {
  const bodies = batches.flat().map(plainMembers);
  return bodies
    .map(
      (body, i) =>
        `${seal(`{"s":${first + i},"g":${generation},${body}${i === bodies.length - 1 ? ',"e":1' : ""}`, seed)}\n`,
    )
    .join("");
}

/** The members of an observation's line as the format says it. */
function plainMembers(observation: Observation): string {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
  return (
    `"c":${JSON.stringify(code)},"t":${businessTime},"v":"${formatDecimal(value)}","it":${insertTime}` +
    (sourceTime === null ? "" : `,"st":${sourceTime}`) +
    (provider === null ? "" : `,"src":${JSON.stringify(provider)}`) +
    (qualityStatus === "ACCEPTED" ? "" : `,"q":"${qualityStatus}"`) +
    (qualityMessage === "" ? "" : `,"m":${JSON.stringify(qualityMessage)}`)
  );
}
