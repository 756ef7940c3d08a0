import { rowFrom } from "../binary_search.ts";

/** One number for each row. */
type Cells = Float64Array | Int32Array;
type ArrayType<Numbers extends Cells> = new (length: number) => Numbers;

const FIRST_CAPACITY = 16;
/** Columns shorter than this grow by half, which leaves little memory unused. */
const FEW_ROWS = 4_096;

/** A growing list of numbers in a typed array. */
export class Column<Numbers extends Cells> {
  length: number;
  #array: Numbers;

  /** @param rows The first rows. The column always has the type of this array. */
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

  /** Adds a row at the end. */
  append(value: number): void {
    if (this.length === this.#array.length) this.#makeRoom(1);
    this.#array[this.length++] = value;
  }

  /**
   * Inserts rows, and moves each later row once.
   *
   * @param rows For each value, the row before which to insert it, as numbered before this call. Ascending; may repeat.
   */
  insertAll(rows: readonly number[], values: readonly number[]): void {
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

  /** Removes rows, and moves each later row once. The row numbers ascend and do not repeat. */
  removeAll(rows: readonly number[]): void {
    let to = rows[0] ?? 0;
    rows.forEach((row, i) => {
      const [from, end] = [row + 1, rows[i + 1] ?? this.length];
      this.#array.copyWithin(to, from, end);
      to += end - from;
    });
    this.length -= rows.length;
  }

  /** The rows `from` (included) to `to` (excluded): a view, valid until the next change. */
  view(from: number, to: number): Numbers {
    return this.#array.subarray(from, to) as Numbers;
  }

  /** In an ascending column, the first row that is not below `bound`; `length` if all rows are below `bound`. */
  rowFrom(bound: number): number {
    return rowFrom(this.#array, bound, this.length);
  }

  /** Long columns grow by a quarter, because doubling would leave up to half of the memory unused. */
  #makeRoom(count: number): void {
    const make = this.#array.constructor as ArrayType<Numbers>;
    const wanted = this.length + count;
    const array = new make(Math.max(FIRST_CAPACITY, Math.ceil(wanted * (wanted < FEW_ROWS ? 1.5 : 1.25))));
    array.set(this.view(0, this.length));
    this.#array = array;
  }
}

/** A column whose first rows take no memory while they have the same value, like the insert times of one import. */
export class UniformColumn<Numbers extends Cells> {
  readonly #Cells: ArrayType<Numbers>;
  /** The value that the first rows share, and how many rows share it. */
  #same = NaN;
  #sameRows = 0;
  #rest: Column<Numbers>;

  /** @param Cells The type of the column's array. */
  constructor(Cells: ArrayType<Numbers>) {
    this.#Cells = Cells;
    this.#rest = new Column(new Cells(0));
  }

  get(row: number): number {
    return row < this.#sameRows ? this.#same : this.#rest.get(row - this.#sameRows);
  }

  set(row: number, value: number): void {
    if (row < this.#sameRows && Object.is(value, this.#same)) return;
    if (row < this.#sameRows) this.#spread();
    this.#rest.set(row - this.#sameRows, value);
  }

  append(value: number): void {
    if (this.#sameRows + this.#rest.length === 0) this.#same = value;
    if (this.#rest.length === 0 && Object.is(value, this.#same)) this.#sameRows++;
    else this.#rest.append(value);
  }

  /** See `Column`. */
  insertAll(rows: readonly number[], values: readonly number[]): void {
    if (this.#sameRows + this.#rest.length === 0) this.#same = values[0] ?? NaN;
    const isSame = values.every((value) => Object.is(value, this.#same));
    if (isSame && rows.every((row) => row <= this.#sameRows)) {
      this.#sameRows += rows.length;
      return;
    }
    if (rows[0]! < this.#sameRows) this.#spread();
    this.#rest.insertAll(this.#inRest(rows), values);
  }

  /** See `Column`. */
  removeAll(rows: readonly number[]): void {
    const inRest = this.#inRest(rows).filter((row) => row >= 0);
    this.#rest.removeAll(inRest);
    this.#sameRows -= rows.length - inRest.length;
  }

  #inRest(rows: readonly number[]): readonly number[] {
    return rows.map((row) => row - this.#sameRows);
  }

  /** Allocates cells for the first rows. */
  #spread(): void {
    const cells = new this.#Cells(this.#sameRows + this.#rest.length);
    cells.fill(this.#same, 0, this.#sameRows);
    cells.set(this.#rest.view(0, this.#rest.length), this.#sameRows);
    this.#rest = new Column(cells);
    this.#sameRows = 0;
  }
}
