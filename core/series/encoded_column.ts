import { createCellColumn } from "./cells.ts";
import type { CellColumn, Cells } from "./cells.ts";
import type { Column } from "./column.ts";

/**
 * What an encoded column holds, to be stored elsewhere. The number of a row is `base`, plus the row's time if
 * `relative`, plus the row's cell if there are cells. Float64 cells are the numbers themselves.
 */
export interface PackedColumn {
  readonly relative: boolean;
  /** `null` for NaN, which JSON does not have. */
  readonly base: number | null;
  /** One for each row; `null` where all would be 0. */
  readonly cells: Cells | null;
}

/** A column that takes no room while its numbers are all the same, or all at the same distance from their row's time. */
export interface EncodedColumn extends Column {
  /** All that it holds. The cells are a view, valid until the next change. */
  pack(): PackedColumn;
  /** Replaces all rows by the `length` rows that another column packed. The cells are not copied. */
  unpack(packed: PackedColumn, length: number): void;
}

/** Stands for NaN among cells of 4 bytes. */
const NAN_CELL = -0x80000000;

/**
 * Makes a column of numbers beside the times of their rows, such as insert times: those of one import are all the
 * same, those of a feed are at the same distance from the time, or near it. The first number that differs gives every
 * row a cell of 1 or 4 bytes, and one that is too far away for that gives every row 8 bytes. All numbers come back exactly.
 *
 * @param times The times of the rows; a row must be there before its number is put in. Default: always 0.
 */
export function createEncodedColumn(times: RowTimes = NO_TIMES): EncodedColumn {
  return new Encoded(times);
}

type RowTimes = Pick<Column, "get">;

const NO_TIMES: RowTimes = { get: () => 0 };

class Encoded implements EncodedColumn {
  readonly #times: RowTimes;
  #length = 0;
  #relative = false;
  #base = NaN;
  #cells: CellColumn | undefined;
  /** Whether the cells are the numbers themselves. */
  #plain = false;

  constructor(times: RowTimes) {
    this.#times = times;
  }

  get(row: number): number {
    const cell = this.#cells === undefined ? 0 : this.#cells.get(row);
    if (this.#plain) return cell;
    return cell === NAN_CELL ? NaN : this.#origin(row) + cell;
  }

  set(row: number, value: number): void {
    const cell = this.#cellFor(row, value);
    if (cell === undefined) this.#encode(row, value);
    else this.#cells?.set(row, cell);
  }

  insert(row: number, value: number): void {
    this.#length++;
    const cell = this.#cellFor(row, value);
    this.#cells?.insert(row, cell ?? 0);
    if (cell === undefined) this.#encode(row, value);
  }

  remove(row: number): void {
    this.#length--;
    this.#cells?.remove(row);
  }

  pack(): PackedColumn {
    return { relative: this.#relative, base: Number.isNaN(this.#base) ? null : this.#base, cells: this.#cells?.cells() ?? null };
  }

  unpack({ relative, base, cells }: PackedColumn, length: number): void {
    this.#length = length;
    this.#relative = relative;
    this.#base = base ?? NaN;
    this.#cells = cells ? createCellColumn(cells) : undefined;
    this.#plain = cells instanceof Float64Array;
  }

  /** What the cell of a row is added to. */
  #origin(row: number): number {
    return this.#base + (this.#relative ? this.#times.get(row) : 0);
  }

  /** The cell that holds a number; `undefined` where the encoding has to change for it. */
  #cellFor(row: number, value: number): number | undefined {
    if (this.#plain) return value;
    const origin = this.#origin(row);
    if (this.#cells) return cellOf(origin, value);
    return Object.is(origin, value) ? 0 : undefined;
  }

  /** Encodes all rows anew, with another number in one of them, as cells cannot hold it. At most three times in a column's life. */
  #encode(changed: number, value: number): void {
    const numbers = Float64Array.from({ length: this.#length }, (_, row) => (row === changed ? value : this.get(row)));
    // Never a way that has failed before, as the next number could make it fail again.
    const ways = this.#cells === undefined ? [false, true] : this.#relative ? [] : [true];
    const encodings = ways.map((relative) => encodingOf(numbers, this.#times, relative));
    const { relative, base, cells } = encodings.find((one) => one?.cells === null) ?? encodings.find((one) => one) ?? { relative: false, base: NaN, cells: numbers };
    this.unpack({ relative, base, cells }, this.#length);
  }
}

/** The numbers around their first one; `undefined` where cells of 4 bytes cannot tell them apart. */
function encodingOf(numbers: Float64Array, times: RowTimes, relative: boolean): PackedColumn | undefined {
  const offset = (row: number): number => (relative ? times.get(row) : 0);
  const first = Math.max(0, numbers.findIndex((number) => !Number.isNaN(number)));
  const base = numbers[first]! - offset(first);
  if (numbers.every((number, row) => Object.is(number, base + offset(row)))) return { relative, base, cells: null };
  const cells = createCellColumn(new Uint8Array(0));
  for (const [row, number] of numbers.entries()) {
    const cell = cellOf(base + offset(row), number);
    if (cell === undefined) return undefined;
    cells.insert(row, cell);
  }
  return { relative, base, cells: cells.cells() };
}

/** The whole number that is added to `origin` to give `value` back exactly; `undefined` where 4 bytes cannot hold it. */
function cellOf(origin: number, value: number): number | undefined {
  if (Number.isNaN(value)) return NAN_CELL;
  const cell = value - origin;
  const small = cell > NAN_CELL && cell < -NAN_CELL && Number.isInteger(cell);
  return small && Object.is(origin + cell, value) ? cell : undefined;
}
