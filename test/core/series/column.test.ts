import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCellColumn } from "../../../core/series/cells.ts";
import { createDenseColumn, lowerBound } from "../../../core/series/column.ts";
import type { Column } from "../../../core/series/column.ts";
import { createEncodedColumn } from "../../../core/series/encoded_column.ts";

/** Changes of a column: what is done, at which share of its length, and a number out of one or of a few. */
const columnChanges = fc.constantFrom([NaN], [7, NaN], [0, -0], [7, NaN, 0, -0, -1, Infinity, 1e300]).chain((numbers) =>
  fc.array(
    fc.record({
      act: fc.constantFrom("insert", "insert", "insert", "set", "remove"),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      value: fc.constantFrom(...numbers),
    }),
    { maxLength: 120 },
  ),
);

for (const [name, create] of [["dense", createDenseColumn], ["encoded", createEncodedColumn]] as const) {
  test(`column: a ${name} one holds what a plain array holds after any changes`, () => {
    fc.assert(
      fc.property(columnChanges, (changes) => {
        const column: Column = create();
        const rows: number[] = [];
        for (const { act, place, value } of changes) {
          const row = Math.min(Math.floor(place * (act === "insert" ? rows.length + 1 : rows.length)), rows.length - (act === "insert" ? 0 : 1));
          if (act === "insert") {
            column.insert(row, value);
            rows.splice(row, 0, value);
          } else if (rows.length === 0) {
            continue;
          } else if (act === "set") {
            column.set(row, value);
            rows[row] = value;
          } else {
            column.remove(row);
            rows.splice(row, 1);
          }
          rows.forEach((wanted, index) => assert.ok(Object.is(column.get(index), wanted), `row ${index}`));
        }
      }),
      { numRuns: 300 },
    );
  });
}

test("column: a dense one has its length, views of any rows, and the lower bounds that a plain search finds", () => {
  const bounds = fc.tuple(fc.nat(100), fc.nat(100), fc.integer({ min: -60, max: 60 }));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 100 }), bounds, (list, [a, b, bound]) => {
      const sorted = [...list].sort((x, y) => x - y);
      const column = createDenseColumn();
      for (const value of sorted) column.insert(column.length, value);
      assert.equal(column.length, sorted.length);
      const [from, to] = [Math.min(a, b, sorted.length), Math.min(Math.max(a, b), sorted.length)];
      assert.deepEqual([...column.view(from, to)], sorted.slice(from, to));
      assert.equal(lowerBound(column, bound), sorted.filter((value) => value < bound).length);
    }),
    { numRuns: 500 },
  );
});

test("cells: rows are as wide as their largest number, and are read as they were written", () => {
  const numbers = fc.oneof(fc.nat(255), fc.nat(300), fc.constantFrom(-1, -0, NaN, 0.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, Infinity));
  fc.assert(
    fc.property(fc.array(fc.tuple(numbers, fc.nat(9)), { maxLength: 60, size: "max" }), (list) => {
      const column = createCellColumn(new Uint8Array(0));
      const rows: number[] = [];
      for (const [value, place] of list) {
        const row = Math.min(place, rows.length);
        column.insert(row, value);
        rows.splice(row, 0, value);
      }
      assert.deepEqual([...column.cells()], rows);
      const whole = rows.every((row) => Object.is(row | 0, row));
      const small = whole && rows.every((row) => row >= 0 && row <= 255);
      assert.equal(column.cells().BYTES_PER_ELEMENT, small ? 1 : whole ? 4 : 8);
    }),
  );
});

test("column: a dense one that was unpacked can be changed", () => {
  const column = createDenseColumn();
  column.unpack(Float64Array.of(1, 2, 3));
  column.insert(1, 9);
  column.remove(3);
  assert.deepEqual([...column.view(0, column.length)], [1, 9, 2]);
});
