/** A growing list of numbers, of which rows can be read, replaced, put in between and taken out. */
export interface Column {
  get(row: number): number;
  set(row: number, value: number): void;
  insert(row: number, value: number): void;
  remove(row: number): void;
}

/** Rows of 8 bytes, with a view for loops that read many of them. */
export interface DenseColumn extends Column {
  readonly length: number;
  /** Rows `from` (included) to `to` (excluded): a view, good until the next change. */
  view(from: number, to: number): Float64Array;
  /** Takes all rows of a list in place of its own; the list is kept, not copied. */
  fill(list: Float64Array): void;
}

const FIRST_CAPACITY = 16;
const NO_ROWS = new Float64Array(0);
/** Up to here what is left unused is little anyway, and what is left behind by growing is more. */
const FEW_ROWS = 4_096;

/** How many rows to make room for when `length` are full: of many a quarter more, as doubling would leave up to half unused. */
export function largerCapacity(length: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(length * (length < FEW_ROWS ? 1.5 : 1.25)));
}

/** A column that keeps every row. Appending is amortised constant time; anything before the end moves the tail. */
export function createDenseColumn(): DenseColumn {
  return new Dense();
}

// A class, here and in the columns and series around it: objects of a literal with a getter have a hidden class
// each, and a hundred assets of those take three times as long to feed.
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

  fill(list: Float64Array): void {
    this.#rows = list;
    this.length = list.length;
  }

  #grow(): void {
    const larger = new Float64Array(largerCapacity(this.length));
    larger.set(this.#rows);
    this.#rows = larger;
  }
}

/** The first row of an ascending column that is not below `bound`; the column's length when all are. */
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
