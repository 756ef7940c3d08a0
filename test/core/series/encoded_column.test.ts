import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createEncodedColumn } from "../../../core/series/encoded_column.ts";
import type { PackedColumn } from "../../../core/series/encoded_column.ts";

/** Numbers beside a time: of one import, of a steady feed, of a feed with delays, none, and others. */
const rules: readonly ((time: number, chance: number) => number)[] = [
  () => 1_000_000,
  (time) => time + 1_500,
  (time, chance) => time + (chance % 3),
  () => NaN,
  (time, chance) => (chance % 5 === 0 ? NaN : time),
  (_, chance) => chance * 1e12 - 4e15,
  (_, chance) => (chance % 2 === 0 ? -0 : 0),
  (time, chance) => time - chance * 0.25,
  (time, chance) => (chance % 7 === 0 ? Number.MAX_SAFE_INTEGER : time + 5),
];
const columnChange = fc.record({
  act: fc.constantFrom("append", "append", "append", "insert", "set", "remove"),
  place: fc.double({ min: 0, max: 0.999999, noNaN: true }),
  step: fc.integer({ min: 1, max: 9 }),
  rule: fc.nat(rules.length - 1),
  chance: fc.nat(9_000),
  times: fc.constantFrom(1, 1, 5, 40),
});

function kindOf({ relative, cells }: PackedColumn): "constant" | "distance" | "absolute" | "relative" | "plain" {
  if (cells instanceof Float64Array) return "plain";
  if (cells === null) return relative ? "distance" : "constant";
  return relative ? "relative" : "absolute";
}

test("encoded column: it holds what a plain array holds, after any changes and also when packed and unpacked", () => {
  const kinds = { constant: 0, distance: 0, absolute: 0, relative: 0, plain: 0 };
  fc.assert(
    fc.property(fc.array(columnChange, { maxLength: 40, size: "max" }), fc.nat(rules.length - 1), (changes, main) => {
      const times: number[] = [];
      const wanted: number[] = [];
      const rowTimes = { get: (row: number): number => times[row]! };
      let column = createEncodedColumn(rowTimes);
      let clock = 0;
      const insert = (row: number, time: number, value: number): void => {
        times.splice(row, 0, time);
        wanted.splice(row, 0, value);
        column.insert(row, value);
      };
      for (const { act, place, step, rule, chance, times: repeat } of changes) {
        const row = Math.floor(place * wanted.length);
        const value = rules[chance % 3 === 0 ? rule : main]!(times[row] ?? 0, chance);
        if (act === "append") {
          for (let i = 0; i < repeat; i++) insert(wanted.length, (clock += step), rules[chance % 7 === 0 ? rule : main]!(clock, chance + i));
        } else if (act === "insert") insert(row, (times[row] ?? 0) - 0.5, value);
        else if (wanted.length === 0) continue;
        else if (act === "set") {
          wanted[row] = value;
          column.set(row, value);
        } else {
          times.splice(row, 1);
          wanted.splice(row, 1);
          column.remove(row);
        }
        wanted.forEach((number, i) => assert.ok(Object.is(column.get(i), number), `row ${i}: ${column.get(i)}, not ${number}`));
        if (chance % 4 > 0) continue;
        const { relative, base, cells } = structuredClone(column.pack());
        const packed = { relative, base: JSON.parse(JSON.stringify(base)) as typeof base, cells };
        kinds[kindOf(packed)]++;
        column = createEncodedColumn(rowTimes);
        column.unpack(packed, wanted.length);
      }
      wanted.forEach((_, i, { length }) => assert.ok(Object.is(column.get(length - 1 - i), wanted[length - 1 - i])));
    }),
    { numRuns: 400 },
  );
  assert.ok(Math.min(...Object.values(kinds)) > 20, JSON.stringify(kinds));
});

const LOWEST = -0x80000000;
const distances = [
  [LOWEST, "plain"],
  [LOWEST + 1, "absolute"],
  [-LOWEST - 1, "absolute"],
  [-LOWEST, "plain"],
] as const;
for (const [distance, kind] of distances) {
  test(`encoded column: a number ${distance} away from the first one comes back, beside one that is NaN: ${kind}`, () => {
    for (const numbers of [[1_000, 1_000 + distance, NaN, 1_007], [1_000, 1_007, NaN, 1_000 + distance]]) {
      const column = createEncodedColumn();
      numbers.forEach((number, row) => column.insert(row, number));
      assert.deepEqual(numbers.map((_, row) => column.get(row)), numbers);
      assert.equal(kindOf(column.pack()), kind);
    }
  });
}
