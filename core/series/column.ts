/** A growing list of numbers. Rows can be read, replaced, inserted before another row, or at the end, and removed. */
export interface Column {
  get(row: number): number;
  set(row: number, value: number): void;
  insert(row: number, value: number): void;
  remove(row: number): void;
}

/** A column of 8 bytes a row, with a view for loops that read many rows. */
export interface DenseColumn extends Column {
  readonly length: number;
  /** The rows `from` (included) to `to` (excluded): a view, valid until the next change. */
  view(from: number, to: number): Float64Array;
  /** Replaces all rows by those of `rows`, which is not copied. */
  unpack(rows: Float64Array): void;
}

const FIRST_CAPACITY = 16;
const NO_ROWS = new Float64Array(0);
/** Up to here a column grows by half, as the memory that stays unused is little. */
const FEW_ROWS = 4_096;

/** How many rows to make room for when `length` rows are full: a quarter more of many, as doubling would leave up to half unused. */
export function largerCapacity(length: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(length * (length < FEW_ROWS ? 1.5 : 1.25)));
}

/** Makes an empty column. A row at the end takes amortised constant time; one before it moves all rows that follow. */
export function createDenseColumn(): DenseColumn {
  return new Dense();
}

// A class, as the encoded columns and the series are: V8 gives every object literal with a getter a hidden class of its
// own, and appending to a hundred assets made of those takes three times as long.
class Dense implements DenseColumn {
  length = 0;
  #rows: Float64Array = NO_ROWS;

  get(row: number): number {
    return this.#rows[row]!;
  }

  set(row: number, value: number): void {
    this.#rows[row] = value;
  }

  insert(row: number, value: number): void {
    const { length } = this;
    if (length === this.#rows.length) this.#grow();
    if (row < length) this.#rows.copyWithin(row + 1, row, length);
    this.#rows[row] = value;
    this.length = length + 1;
  }

  remove(row: number): void {
    this.#rows.copyWithin(row, row + 1, this.length);
    this.length--;
  }

  view(from: number, to: number): Float64Array {
    return this.#rows.subarray(from, to);
  }

  unpack(rows: Float64Array): void {
    this.#rows = rows;
    this.length = rows.length;
  }

  #grow(): void {
    const larger = new Float64Array(largerCapacity(this.length));
    larger.set(this.#rows);
    this.#rows = larger;
  }
}

/** The first row of an ascending column that is not below `bound`; the column's length if all rows are below it. */
export function lowerBound(column: DenseColumn, bound: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column.get(middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
