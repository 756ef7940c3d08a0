import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createByteColumn, createFloatColumn, createIntColumn, lowerBound } from "../../../core/series/column.ts";
import type { ArrayColumn, Column } from "../../../core/series/column.ts";
import { createEncodedColumn } from "../../../core/series/encoded_column.ts";

/** A change of a column: what is done, at which shares of its length, and with which numbers. */
interface Change {
  readonly act: "append" | "prepend" | "insert" | "set" | "remove";
  readonly places: readonly number[];
  readonly values: readonly number[];
}

/** Changes with numbers out of one, or of a few. Places are near the start, near the end, or anywhere. */
function changesWith(choices: readonly (readonly number[])[]): fc.Arbitrary<Change[]> {
  const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
  const near = fc.constantFrom((x: number) => x, (x: number) => x / 8, (x: number) => 1 - x / 8 - 1e-9, () => 0);
  return fc.constantFrom(...choices).chain((numbers) =>
    fc.array(
      fc.record({
        act: fc.constantFrom("append", "prepend", "insert", "insert", "set", "remove"),
        places: fc.tuple(fc.array(share, { minLength: 1, maxLength: 8 }), near).map(([list, move]) => list.map(move).sort((a, b) => a - b)),
        values: fc.array(fc.constantFrom(...numbers), { minLength: 8, maxLength: 8 }),
      }),
      { maxLength: 60, size: "max" },
    ),
  );
}

function applyTo(column: Column, rows: number[], { act, places, values }: Change): void {
  if (act === "append") {
    for (const value of values) {
      column.append(value);
      rows.push(value);
    }
  } else if (act === "prepend") {
    for (const value of values) {
      column.prepend(value);
      rows.unshift(value);
    }
  } else if (act === "insert") {
    const before = places.map((place) => Math.floor(place * (rows.length + 1)));
    column.insertAll(before, values.slice(0, before.length));
    for (let i = before.length - 1; i >= 0; i--) rows.splice(before[i]!, 0, values[i]!);
  } else if (rows.length > 0) {
    const chosen = [...new Set(places.map((place) => Math.floor(place * rows.length)))];
    if (act === "set") {
      chosen.forEach((row, i) => {
        column.set(row, values[i]!);
        rows[row] = values[i]!;
      });
    } else {
      column.removeAll(chosen);
      for (const row of chosen.toReversed()) rows.splice(row, 1);
    }
  }
}

const ANY = [[NaN], [7, NaN], [0, -0], [7, NaN, 0, -0, -1, Infinity, 1e300]];
const INTS = [[0], [1, -1], [-(2 ** 31), 2 ** 31 - 1, 5]];
const BYTES = [[0], [1, 255]];
const columns: readonly (readonly [name: string, create: () => Column, numbers: readonly (readonly number[])[]])[] = [
  ["float", () => createFloatColumn(), ANY],
  ["int", () => createIntColumn(new Int32Array(0)), INTS],
  ["byte", () => createByteColumn(new Uint8Array(0)), BYTES],
  ["encoded", () => createEncodedColumn(), [...ANY, ...INTS, ...BYTES]],
];
for (const [name, create, numbers] of columns) {
  test(`column: of the ${name} kind, it holds what a plain array holds after any changes`, () => {
    fc.assert(
      fc.property(changesWith(numbers), (changes) => {
        const column = create();
        const rows: number[] = [];
        for (const change of changes) {
          applyTo(column, rows, change);
          rows.forEach((wanted, index) => assert.ok(Object.is(column.get(index), wanted), `row ${index}`));
        }
      }),
      { numRuns: 300 },
    );
  });
}

test("column: it has its length, views of any rows, and the lower bounds that a plain search finds", () => {
  const bounds = fc.tuple(fc.nat(100), fc.nat(100), fc.integer({ min: -60, max: 60 }));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 100 }), fc.nat(100), bounds, (list, cut, [a, b, bound]) => {
      const sorted = [...list].sort((x, y) => x - y);
      const column = createFloatColumn();
      for (const value of sorted.slice(cut)) column.append(value);
      for (const value of sorted.slice(0, cut).reverse()) column.prepend(value);
      assert.equal(column.length, sorted.length);
      const [from, to] = [Math.min(a, b, sorted.length), Math.min(Math.max(a, b), sorted.length)];
      assert.deepEqual([...column.view(from, to)], sorted.slice(from, to));
      assert.equal(lowerBound(column, bound), sorted.filter((value) => value < bound).length);
    }),
    { numRuns: 500 },
  );
});

test("column: one that was unpacked can be changed", () => {
  const column = createFloatColumn();
  column.append(5);
  column.prepend(4);
  column.unpack(Float64Array.of(1, 2, 3));
  column.insertAll([1], [9]);
  column.removeAll([3]);
  assert.deepEqual([...column.view(0, column.length)], [1, 9, 2]);
});

/** The memory behind a column. */
function capacityOf(column: ArrayColumn<Float64Array>): number {
  return column.view(0, 0).buffer.byteLength / 8;
}

test("column: at most half of the memory of a large one is unused, wherever rows are added", () => {
  for (const at of ["end", "start", "both"]) {
    const column = createFloatColumn();
    for (let n = 0; n < 40_000; n++) {
      if (at === "end" || (at === "both" && n % 2 === 0)) column.append(n);
      else column.prepend(n);
    }
    assert.ok(capacityOf(column) <= column.length * (at === "both" ? 1.5 : 1.25) + 16, `${at}: room for ${capacityOf(column)}`);
  }
});
