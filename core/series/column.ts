/** One number a row. */
export type Cells = Float64Array | Int32Array | Uint8Array;

/** A growing list of numbers. */
export interface Column {
  get(row: number): number;
  set(row: number, value: number): void;
  /** Adds a row after all others. */
  append(value: number): void;
  /**
   * Inserts rows, and moves every row behind the first of them once.
   *
   * @param rows The numbers that the rows are inserted before, as they are until then: ascending, with repetitions.
   * @param values As many values.
   */
  insertAll(rows: readonly number[], values: ArrayLike<number>): void;
  /** Removes rows, and moves every row behind the first of them once. Their numbers ascend without repetitions. */
  removeAll(rows: readonly number[]): void;
}

/** A column in a typed array, with a view for loops that read many rows. */
export interface ArrayColumn<Numbers extends Cells> extends Column {
  readonly length: number;
  /** The rows `from` (included) to `to` (excluded): a view, valid until the next change. */
  view(from: number, to: number): Numbers;
}

const FIRST_CAPACITY = 16;
/** Up to here a column grows by half, as the memory that stays unused is little. */
const FEW_ROWS = 4_096;

/** How many rows to make room for when `length` rows are full: a quarter more of many, as doubling would leave up to half unused. */
export function largerCapacity(length: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(length * (length < FEW_ROWS ? 1.5 : 1.25)));
}

/** Makes a column of these rows, which are not copied, and of their type. */
export function createColumn<Numbers extends Cells>(rows: Numbers): ArrayColumn<Numbers> {
  return new GrowingColumn(rows);
}

// A class, as the encoded columns and the series are: V8 gives every object literal with a getter a hidden class of its
// own, and appending to a hundred assets made of those takes three times as long.
class GrowingColumn<Numbers extends Cells> implements ArrayColumn<Numbers> {
  length: number;
  #array: Numbers;

  constructor(rows: Numbers) {
    this.#array = rows;
    this.length = rows.length;
  }

  get(row: number): number {
    return this.#array[row]!;
  }

  set(row: number, value: number): void {
    this.#array[row] = value;
  }

  append(value: number): void {
    if (this.length === this.#array.length) this.#makeRoom(1);
    this.#array[this.length++] = value;
  }

  insertAll(rows: readonly number[], values: ArrayLike<number>): void {
    if (this.length + rows.length > this.#array.length) this.#makeRoom(rows.length);
    const array = this.#array;
    let end = this.length;
    for (let i = rows.length - 1; i >= 0; i--) {
      const row = rows[i]!;
      array.copyWithin(row + i + 1, row, end);
      array[row + i] = values[i]!;
      end = row;
    }
    this.length += rows.length;
  }

  removeAll(rows: readonly number[]): void {
    let to = rows[0] ?? 0;
    rows.forEach((row, i) => {
      const [from, end] = [row + 1, rows[i + 1] ?? this.length];
      this.#array.copyWithin(to, from, end);
      to += end - from;
    });
    this.length -= rows.length;
  }

  view(from: number, to: number): Numbers {
    return this.#array.subarray(from, to) as Numbers;
  }

  #makeRoom(count: number): void {
    const make = this.#array.constructor as new (length: number) => Numbers;
    const array = new make(largerCapacity(this.length + count));
    array.set(this.view(0, this.length));
    this.#array = array;
  }
}

/** The first row of an ascending column that is not below `bound`; the column's length if all rows are below it. */
export function lowerBound(column: Column & { readonly length: number }, bound: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column.get(middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
