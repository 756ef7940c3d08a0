import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createColumn, lowerBound } from "../../../core/series/column.ts";
import type { Column } from "../../../core/series/column.ts";
import { createEncodedColumn } from "../../../core/series/encoded_column.ts";
import type { Encoding } from "../../../core/series/encoded_column.ts";
import { runs } from "../../support/size.ts";

/** A change of a column: what is done, at which shares of its length, and with which numbers. */
interface Change {
  readonly act: "append" | "insert" | "set" | "remove";
  readonly places: readonly number[];
  readonly values: readonly number[];
}

/** Changes with numbers out of one list, or of a few. Places are near the start, near the end, or anywhere. */
function changesWith(choices: readonly (readonly number[])[]): fc.Arbitrary<Change[]> {
  const share = fc.double({ min: 0, max: 0.999999, noNaN: true });
  const near = fc.constantFrom((x: number) => x, (x: number) => x / 8, (x: number) => 1 - x / 8 - 1e-9, () => 0);
  return fc.constantFrom(...choices).chain((numbers) =>
    fc.array(
      fc.record({
        act: fc.constantFrom("append", "insert", "insert", "set", "remove"),
        places: fc.tuple(fc.array(share, { minLength: 1, maxLength: 8 }), near).map(([list, move]) => list.map(move).sort((a, b) => a - b)),
        values: fc.array(fc.constantFrom(...numbers), { minLength: 8, maxLength: 8 }),
      }),
      { maxLength: 40, size: "max" },
    ),
  );
}

function applyTo(column: Column, rows: number[], { act, places, values }: Change): void {
  if (act === "append") {
    // The times of the encoded column must be there before its numbers.
    for (const value of values) {
      rows.push(value);
      column.append(value);
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
  ["float", () => createColumn(new Float64Array(0)), ANY],
  ["int", () => createColumn(new Int32Array(0)), INTS],
  ["byte", () => createColumn(new Uint8Array(0)), BYTES],
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
      { numRuns: runs(50) },
    );
  });
}

test("column: it has views of any rows, and the lower bounds that a plain search finds", () => {
  const column = createColumn<Float64Array>(new Float64Array(0));
  for (const value of [1, 3, 3, 5]) column.append(value);
  assert.deepEqual([...column.view(1, 3)], [3, 3]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((bound) => lowerBound(column, bound)), [0, 0, 1, 1, 3, 3, 4]);
});

function kindOf({ relative, cells }: Encoding): string {
  if (cells instanceof Float64Array) return "plain";
  return `${relative ? "relative" : "absolute"}, ${cells?.BYTES_PER_ELEMENT ?? 0} bytes`;
}

const SECOND = 1_000;
const kinds: readonly (readonly [what: string, numberAt: (time: number, n: number) => number, kind: string])[] = [
  ["of one import", () => 1e12, "absolute, 0 bytes"],
  ["none", () => NaN, "absolute, 0 bytes"],
  ["of a steady feed", (time) => time + 1_500, "relative, 0 bytes"],
  ["of two providers", (_, n) => 1 + (n % 2), "absolute, 1 bytes"],
  ["of a feed with little delay", (time, n) => time + (n % 7), "relative, 1 bytes"],
  ["of an import in batches", (_, n) => 1e12 + n * 900, "absolute, 4 bytes"],
  ["of a feed with delays, some unknown", (time, n) => (n % 5 === 0 ? NaN : time + ((n * 7_919) % 3_000)), "relative, 4 bytes"],
  ["that are no whole distances", (time, n) => time - n * 0.25, "plain"],
  ["too far away", (_, n) => n * 1e12, "plain"],
];
for (const [what, numberAt, kind] of kinds) {
  test(`encoded column: numbers ${what} come back as ${kind}`, () => {
    const times = Array.from({ length: 3_000 }, (_, n) => n * 3_000 * SECOND);
    const numbers = times.map(numberAt);
    const rowTimes = { get: (row: number): number => times[row]! };
    const column = createEncodedColumn(rowTimes);
    for (const number of numbers) column.append(number);
    assert.equal(kindOf(column.encoding()), kind);
    assert.deepEqual(numbers.map((_, row) => column.get(row)), numbers);
  });
}
