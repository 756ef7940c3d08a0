import { largerCapacity } from "./column.ts";
import type { Column } from "./column.ts";

/** One number a row, each in as many bytes as the largest of them needs. */
export type Cells = Uint8Array | Int32Array | Float64Array;

/** A column of 1, 4 or 8 bytes a row. */
export interface CellColumn extends Column {
  /** All rows: a view, valid until the next change. */
  cells(): Cells;
}

/** Makes a column of these rows, which are not copied. It becomes wider when a number comes that does not fit. */
export function createCellColumn(rows: Cells): CellColumn {
  let length = rows.length;

  function make(capacity: number, value: number): Cells {
    const wide = rows instanceof Float64Array || !fits(value, -0x80000000, 0x7fffffff);
    if (wide) return new Float64Array(capacity);
    return rows instanceof Int32Array || !fits(value, 0, 255) ? new Int32Array(capacity) : new Uint8Array(capacity);
  }

  function demand(capacity: number, value: number): void {
    if (capacity <= rows.length && holds(value)) return;
    const larger = make(capacity <= rows.length ? rows.length : largerCapacity(capacity), value);
    larger.set(rows.subarray(0, length));
    rows = larger;
  }

  function holds(value: number): boolean {
    if (rows instanceof Float64Array) return true;
    return rows instanceof Int32Array ? fits(value, -0x80000000, 0x7fffffff) : fits(value, 0, 255);
  }

  return {
    get: (row) => rows[row]!,
    set(row, value) {
      demand(length, value);
      rows[row] = value;
    },
    insert(row, value) {
      demand(length + 1, value);
      if (row < length) rows.copyWithin(row + 1, row, length);
      rows[row] = value;
      length++;
    },
    remove(row) {
      rows.copyWithin(row, row + 1, length);
      length--;
    },
    cells: () => rows.subarray(0, length),
  };
}

/** Whether a number is whole, from `min` to `max`, and not -0, which would come back from an array of integers as 0. */
function fits(value: number, min: number, max: number): boolean {
  return value >= min && value <= max && Object.is(value, Math.trunc(value) + 0);
}
