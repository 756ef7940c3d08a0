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
  act: fc.constantFrom("append", "append", "append", "prepend", "insert", "set", "remove"),
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
      for (const { act, place, step, rule, chance, times: repeat } of changes) {
        const row = Math.floor(place * wanted.length);
        const value = rules[chance % 9 === 0 ? rule : main]!(times[row] ?? 0, chance);
        if (act === "append") {
          for (let i = 0; i < repeat; i++) {
            times.push((clock += step));
            wanted.push(rules[chance % 9 === 0 ? rule : main]!(clock, chance + i));
            column.append(wanted.at(-1)!);
          }
        } else if (act === "prepend") {
          for (let i = 0; i < repeat; i++) {
            times.unshift((times[0] ?? 0) - step);
            wanted.unshift(rules[chance % 9 === 0 ? rule : main]!(times[0]!, chance + i));
            column.prepend(wanted[0]!);
          }
        } else if (act === "insert") {
          // Some rows before the same row, and some before another one.
          const other = Math.floor((chance / 9_001) * wanted.length);
          const rows = Array.from({ length: repeat }, (_, i) => (i % 2 === 0 ? row : other)).sort((a, b) => a - b);
          const added = rows.map((before, i) => {
            const time = (times[before] ?? 0) - 0.5;
            return { before, time, number: rules[chance % 9 === 0 ? rule : main]!(time, chance + i) };
          });
          for (const { before, time, number } of added.toReversed()) {
            times.splice(before, 0, time);
            wanted.splice(before, 0, number);
          }
          column.insertAll(rows, added.map(({ number }) => number));
        } else if (wanted.length === 0) continue;
        else if (act === "set") {
          wanted[row] = value;
          column.set(row, value);
        } else {
          times.splice(row, repeat);
          const removed = wanted.splice(row, repeat);
          column.removeAll(removed.map((_, i) => row + i));
        }
        wanted.forEach((number, i) => assert.ok(Object.is(column.get(i), number), `row ${i}: ${column.get(i)}, not ${number}`));
        if (chance % 4 > 0) continue;
        const { relative, base, cells } = structuredClone(column.pack());
        const packed = { relative, base: JSON.parse(JSON.stringify(base)) as typeof base, cells };
        kinds[kindOf(packed)]++;
        column = createEncodedColumn(rowTimes);
        column.unpack(packed, wanted.length);
      }
      wanted.forEach((_, i, { length }) => assert.ok(Object.is(column.get(length - 1 - i), wanted[length - 1 - i]), `row ${length - 1 - i}`));
    }),
    { numRuns: 400 },
  );
  assert.ok(Math.min(...Object.values(kinds)) > 20, JSON.stringify(kinds));
});

test("encoded column: its cells are as narrow as the distances of its numbers from the smallest one allow", () => {
  const numbers = fc.oneof(fc.nat(255), fc.nat(300), fc.constantFrom(-1, -0, NaN, 0.5, 2 ** 31 - 2, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, Infinity));
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 60, size: "max" }), fc.constantFrom("append", "prepend", "insert"), (list, act) => {
      const column = createEncodedColumn();
      if (act === "insert") column.insertAll(list.map(() => 0), list);
      else if (act === "append") for (const number of list) column.append(number);
      else for (const number of list.toReversed()) column.prepend(number);
      const known = list.filter((number) => !Number.isNaN(number));
      const least = Math.min(...known);
      const same = known.length === 0 || list.every((number) => Object.is(number, least) && !Object.is(number, -0));
      const distance = (one: number): number => (one === least ? 0 : one - least); // Not NaN, if both are infinite.
      const fit = (most: number): boolean => known.every((one) => Number.isInteger(distance(one)) && distance(one) <= most && Object.is(least + distance(one), one));
      const bytes = same ? 0 : known.length === list.length && fit(255) ? 1 : fit(2 ** 31 - 1) ? 4 : 8;
      const found = column.pack().cells?.BYTES_PER_ELEMENT ?? 0;
      if (act === "insert") assert.equal(found, bytes);
      // One by one, the smallest number may come too late for one byte.
      else assert.ok(found <= Math.max(bytes, bytes === 1 ? 4 : 0), `${found} bytes, not ${bytes}`);
      list.forEach((number, row) => assert.ok(Object.is(column.get(row), number)));
    }),
    { numRuns: 500, examples: [[[Infinity, NaN], "insert"]] },
  );
});

const MOST = 2 ** 31 - 1;
for (const [distance, kind] of [[MOST, "absolute"], [2 ** 32, "plain"]] as const) {
  test(`encoded column: numbers up to ${distance} away from the smallest one come back, beside one that is NaN: ${kind}`, () => {
    for (const numbers of [[1_000, 1_000 + distance, NaN, 1_007], [1_000, 1_007, NaN, 1_000 + distance], [1_000 + distance, 1_007, NaN, 1_000]]) {
      const column = createEncodedColumn();
      for (const number of numbers) column.append(number);
      assert.deepEqual(numbers.map((_, row) => column.get(row)), numbers);
      assert.equal(kindOf(column.pack()), kind);
    }
  });
}
