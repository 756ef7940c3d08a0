import { createColumn } from "./column.ts";
import type { ArrayColumn, Cells, Column } from "./column.ts";

/**
 * What an encoded column holds. The number of a row is `base`, plus the row's time if `relative`, plus the row's cell if
 * there are cells. Float64 cells are the numbers themselves.
 */
export interface Encoding {
  readonly relative: boolean;
  readonly base: number;
  /** One for each row; `undefined` where all would be 0. */
  readonly cells: Cells | undefined;
}

/** A column that takes no room while its numbers are all the same, or all at the same distance from their row's time. */
export interface EncodedColumn extends Column {
  /** How it holds them just now. The cells are a view, valid until the next change. */
  encoding(): Encoding;
}

/** How many bytes a cell has, and whether the row's time is added to it: the first one that can hold all rows is used. */
const ENCODINGS = [
  { bytes: 0, relative: false }, { bytes: 0, relative: true },
  { bytes: 1, relative: false }, { bytes: 1, relative: true },
  { bytes: 4, relative: false }, { bytes: 4, relative: true },
] as const;

/** Stands for NaN among cells of 4 bytes. */
const NAN_CELL = -0x80000000;

/**
 * Makes a column of numbers beside the times of their rows, such as insert times: those of one import are all the
 * same, those of a feed are at the same distance from the time, or near it. Cells come with the first number that
 * differs, and become wider with the first one that is too far away. All numbers come back exactly.
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
  /** Bytes of a cell. */
  #bytes: 0 | 1 | 4 | 8 = 0;
  #relative = false;
  #base = NaN;
  #cells: ArrayColumn<Cells> | undefined;

  constructor(times: RowTimes) {
    this.#times = times;
  }

  get(row: number): number {
    if (!this.#cells) return this.#origin(row);
    const cell = this.#cells.get(row);
    if (this.#bytes === 8) return cell;
    return cell === NAN_CELL ? NaN : this.#origin(row) + cell;
  }

  set(row: number, value: number): void {
    const cell = this.#cellFor(row, value);
    if (cell === undefined) this.#encode([row], [value]);
    else this.#cells?.set(row, cell);
  }

  append(value: number): void {
    const row = this.#length++;
    const cell = this.#cellFor(row, value);
    this.#cells?.append(cell ?? 0);
    if (cell === undefined) this.#encode([row], [value]);
  }

  insertAll(rows: readonly number[], values: ArrayLike<number>): void {
    this.#length += rows.length;
    const inserted = rows.map((row, i) => row + i);
    const cells = inserted.map((row, i) => this.#cellFor(row, values[i]!));
    this.#cells?.insertAll(rows, cells.map((cell) => cell ?? 0));
    if (cells.includes(undefined)) this.#encode(inserted, values);
  }

  removeAll(rows: readonly number[]): void {
    this.#length -= rows.length;
    this.#cells?.removeAll(rows);
  }

  encoding(): Encoding {
    return { relative: this.#relative, base: this.#base, cells: this.#cells?.view(0, this.#length) };
  }

  #use({ relative, base, cells }: Encoding): void {
    this.#relative = relative;
    this.#base = base;
    this.#bytes = (cells?.BYTES_PER_ELEMENT ?? 0) as 0 | 1 | 4 | 8; // those of the three types, or none
    this.#cells = cells ? createColumn(cells) : undefined;
  }

  /** The number that the cell of a row is relative to. */
  #origin(row: number): number {
    return this.#base + (this.#relative ? this.#times.get(row) : 0);
  }

  /** The cell that holds a number; `undefined` where the encoding has to change for it. */
  #cellFor(row: number, value: number): number | undefined {
    return this.#bytes === 8 ? value : cellOf(this.#origin(row), value, this.#bytes);
  }

  /** Encodes all rows anew, with new numbers in some of them that the cells cannot hold. */
  #encode(rows: readonly number[], values: ArrayLike<number>): void {
    const numbers = Float64Array.from({ length: this.#length }, (_, row) => this.get(row));
    rows.forEach((row, i) => (numbers[row] = values[i]!));
    // Never back to an encoding from before, so that a column is encoded anew seven times at most.
    const isOnlyNew = rows.length === this.#length;
    const current = ENCODINGS.findIndex(({ bytes, relative }) => bytes === this.#bytes && relative === this.#relative);
    for (const encoding of ENCODINGS.slice(isOnlyNew ? 0 : current + 1)) {
      const encoded = encode(numbers, this.#times, encoding);
      if (encoded) return this.#use(encoded);
    }
    this.#use({ relative: false, base: NaN, cells: numbers });
  }
}

/** Encodes numbers as distances from the smallest of them; `undefined` if the cells cannot hold them all. */
function encode(numbers: Float64Array, times: RowTimes, { bytes, relative }: (typeof ENCODINGS)[number]): Encoding | undefined {
  const offset = (row: number): number => (relative ? times.get(row) : 0);
  let base = NaN;
  numbers.forEach((number, row) => {
    const distance = number - offset(row);
    if (distance < base || Number.isNaN(base)) base = distance;
  });
  const cells = bytes === 0 ? undefined : bytes === 1 ? new Uint8Array(numbers.length) : new Int32Array(numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    const cell = cellOf(base + offset(row), numbers[row]!, bytes);
    if (cell === undefined) return undefined;
    if (cells) cells[row] = cell;
  }
  return { relative, base, cells };
}

/** The whole number that gives `value` back exactly when it is added to `origin`; `undefined` if so many bytes cannot hold it. */
function cellOf(origin: number, value: number, bytes: 0 | 1 | 4): number | undefined {
  if (Object.is(origin, value)) return 0;
  if (bytes === 0) return undefined;
  if (Number.isNaN(value)) return bytes === 4 ? NAN_CELL : undefined;
  const cell = value - origin;
  const fits = bytes === 1 ? cell >= 0 && cell <= 0xff : cell >= -0x7fffffff && cell <= 0x7fffffff;
  return fits && Number.isInteger(cell) && Object.is(origin + cell, value) ? cell : undefined;
}
