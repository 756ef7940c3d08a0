import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Column, UniformColumn } from "../../../core/series/columns.ts";
import { runs } from "../../support/suite_size.ts";

/** A change to a column: the operation, the positions as fractions of the length, and the numbers. */
interface Change {
  readonly act: "append" | "insert" | "set" | "remove";
  readonly places: readonly number[];
  readonly values: readonly number[];
}

type AnyColumn = Pick<Column<Float64Array>, "get" | "set" | "append" | "insertAll" | "removeAll">;

/** Lists of changes with any of these numbers, or with the first only, at positions near one end or anywhere. */
function changesWith(...numbers: readonly number[]): fc.Arbitrary<Change[]> {
  const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
  const near = fc.constantFrom(
    (x: number) => x,
    (x: number) => x / 8,
    (x: number) => 1 - x / 8 - 1e-9,
    () => 0,
  );
  return fc.constantFrom(numbers, numbers.slice(0, 1)).chain((chosen) =>
    fc.array(
      fc.record({
        act: fc.constantFrom("append", "insert", "insert", "set", "remove"),
        places: fc
          .tuple(fc.array(share, { minLength: 1, maxLength: 8 }), near)
          .map(([list, move]) => list.map(move).sort((a, b) => a - b)),
        values: fc.array(fc.constantFrom(...chosen), { minLength: 8, maxLength: 8 }),
      }),
      { maxLength: 40, size: "max" },
    ),
  );
}

function applyTo(column: AnyColumn, rows: number[], { act, places, values }: Change): void {
  if (act === "append") {
    for (const value of values) column.append(value);
    rows.push(...values);
  } else if (act === "insert") {
    const before = places.map((place) => Math.floor(place * (rows.length + 1)));
    column.insertAll(before, values.slice(0, before.length));
    for (let i = before.length - 1; i >= 0; i--) rows.splice(before[i]!, 0, values[i]!);
  } else {
    const chosen = rows.length === 0 ? [] : [...new Set(places.map((place) => Math.floor(place * rows.length)))];
    if (act === "remove") column.removeAll(chosen);
    else chosen.forEach((row, i) => column.set(row, values[i]!));
    for (const [i, row] of [...chosen.entries()].toReversed())
      rows.splice(row, 1, ...(act === "remove" ? [] : [values[i]!]));
  }
}

const FLOATS = changesWith(NaN, 7, 0, -0, Infinity, 1e300);
const INTS = changesWith(0, 1, 2 ** 31 - 1);
const columns: readonly (readonly [name: string, create: () => AnyColumn, changes: fc.Arbitrary<Change[]>])[] = [
  ["a column of floats", () => new Column(new Float64Array(0)), FLOATS],
  ["a column of integers", () => new Column(new Int32Array(0)), INTS],
  ["a uniform column of floats", () => new UniformColumn(Float64Array), FLOATS],
  ["a uniform column of integers", () => new UniformColumn(Int32Array), INTS],
];
for (const [name, create, lists] of columns) {
  test(`column: ${name} equals a plain array after any changes`, () => {
    fc.assert(
      fc.property(lists, (changes) => {
        const column = create();
        const rows: number[] = [];
        for (const change of changes) {
          applyTo(column, rows, change);
          rows.forEach((wanted, index) => assert.ok(Object.is(column.get(index), wanted), `row ${index}`));
        }
      }),
      { numRuns: runs(50) },
    );
  });
}
