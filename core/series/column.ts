/** A growing list of numbers. */
export interface Column {
  get(row: number): number;
  set(row: number, value: number): void;
  /** Adds a row after all others. */
  append(value: number): void;
  /** Adds a row before all others. */
  prepend(value: number): void;
  /**
   * Inserts rows, and moves every other row at most once.
   *
   * @param rows The numbers that the rows are inserted before, as they are until then: ascending, with repetitions.
   * @param values As many values.
   */
  insertAll(rows: readonly number[], values: ArrayLike<number>): void;
  /** Removes rows, and moves every other row at most once. Their numbers ascend without repetitions. */
  removeAll(rows: readonly number[]): void;
}

/** A column in a typed array, with a view for loops that read many rows. */
export interface ArrayColumn<Numbers> extends Column {
  readonly length: number;
  /** The rows `from` (included) to `to` (excluded): a view, valid until the next change. */
  view(from: number, to: number): Numbers;
  /** Replaces all rows by those of an array, which is not copied. */
  unpack(rows: Numbers): void;
}

/** What a column needs of a typed array. */
interface NumberArray<Numbers> {
  [row: number]: number;
  readonly length: number;
  set(from: Numbers, at: number): void;
  subarray(from: number, to: number): Numbers;
  copyWithin(to: number, from: number, end: number): Numbers;
}

const FIRST_CAPACITY = 16;
/** Up to here a column grows by half, as the memory that stays unused is little. */
const FEW_ROWS = 4_096;

/** How many rows to make room for when `length` rows are full: a quarter more of many, as doubling would leave up to half unused. */
export function largerCapacity(length: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(length * (length < FEW_ROWS ? 1.5 : 1.25)));
}

/** Makes a column of these rows, which are not copied, of 8 bytes each. Default: no rows. */
export function createFloatColumn(rows: Float64Array = new Float64Array(0)): ArrayColumn<Float64Array> {
  return new GrowingColumn<Float64Array>(rows, (capacity) => new Float64Array(capacity));
}

/** The same of 4 bytes a row, for whole numbers from -2 ** 31 to 2 ** 31 - 1. */
export function createIntColumn(rows: Int32Array): ArrayColumn<Int32Array> {
  return new GrowingColumn<Int32Array>(rows, (capacity) => new Int32Array(capacity));
}

/** The same of one byte a row, for whole numbers from 0 to 255. */
export function createByteColumn(rows: Uint8Array): ArrayColumn<Uint8Array> {
  return new GrowingColumn<Uint8Array>(rows, (capacity) => new Uint8Array(capacity));
}

// Unused room is at both ends, so that a file with the newest record first is stored as fast as one in order.
// A class, as the encoded columns and the series are: V8 gives every object literal with a getter a hidden class of its
// own, and appending to a hundred assets made of those takes three times as long.
class GrowingColumn<Numbers extends NumberArray<Numbers>> implements ArrayColumn<Numbers> {
  length: number;
  #array: Numbers;
  /** Where in the array the first row is. */
  #start = 0;
  readonly #makeArray: (capacity: number) => Numbers;

  constructor(rows: Numbers, makeArray: (capacity: number) => Numbers) {
    this.#array = rows;
    this.length = rows.length;
    this.#makeArray = makeArray;
  }

  get(row: number): number {
    return this.#array[this.#start + row]!;
  }

  set(row: number, value: number): void {
    this.#array[this.#start + row] = value;
  }

  append(value: number): void {
    const end = this.#start + this.length;
    if (end === this.#array.length) this.#makeRoomAtEnd(1);
    this.#array[end] = value;
    this.length++;
  }

  prepend(value: number): void {
    if (this.#start === 0) this.#makeRoomAtStart(1);
    this.#array[--this.#start] = value;
    this.length++;
  }

  insertAll(rows: readonly number[], values: ArrayLike<number>): void {
    if (rows.length === 0) return;
    // Either the rows before the last new one are moved, or those after the first.
    if (rows.at(-1)! < this.length - rows[0]!) this.#insertTowardsStart(rows, values);
    else this.#insertTowardsEnd(rows, values);
    this.length += rows.length;
  }

  removeAll(rows: readonly number[]): void {
    if (rows.length === 0) return;
    const [array, start] = [this.#array, this.#start];
    let to = start + rows[0]!;
    rows.forEach((row, i) => {
      const [from, end] = [row + 1, rows[i + 1] ?? this.length];
      array.copyWithin(to, start + from, start + end);
      to += end - from;
    });
    this.length -= rows.length;
  }

  view(from: number, to: number): Numbers {
    return this.#array.subarray(this.#start + from, this.#start + to);
  }

  unpack(rows: Numbers): void {
    this.#array = rows;
    this.#start = 0;
    this.length = rows.length;
  }

  #insertTowardsStart(rows: readonly number[], values: ArrayLike<number>): void {
    if (this.#start < rows.length) this.#makeRoomAtStart(rows.length);
    const [array, old] = [this.#array, this.#start];
    const start = old - rows.length;
    let from = 0;
    rows.forEach((row, i) => {
      array.copyWithin(start + from + i, old + from, old + row);
      array[start + row + i] = values[i]!;
      from = row;
    });
    this.#start = start;
  }

  #insertTowardsEnd(rows: readonly number[], values: ArrayLike<number>): void {
    if (this.#start + this.length + rows.length > this.#array.length) this.#makeRoomAtEnd(rows.length);
    const [array, start] = [this.#array, this.#start];
    let end = this.length;
    for (let i = rows.length - 1; i >= 0; i--) {
      const row = rows[i]!;
      array.copyWithin(start + row + i + 1, start + row, start + end);
      array[start + row + i] = values[i]!;
      end = row;
    }
  }

  #makeRoomAtStart(count: number): void {
    const capacity = largerCapacity(this.length + count);
    this.#moveTo(capacity, capacity - this.length);
  }

  #makeRoomAtEnd(count: number): void {
    this.#moveTo(this.#start + largerCapacity(this.length + count), this.#start);
  }

  #moveTo(capacity: number, start: number): void {
    const array = this.#makeArray(capacity);
    array.set(this.view(0, this.length), start);
    this.#array = array;
    this.#start = start;
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
