import { type Cells, Column } from "./growable_column.ts";

/** A column whose first rows take no memory while they have the same value, like the insert times of one import. */
export class UniformColumn<Numbers extends Cells> {
  readonly #make: (length: number) => Numbers;
  /** The value that the first rows share, and how many rows share it. */
  #same = NaN;
  #sameRows = 0;
  #rest: Column<Numbers>;

  /** @param make Makes an array of the column's type. */
  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#rest = new Column(make(0));
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
    const cells = this.#make(this.#sameRows + this.#rest.length).fill(this.#same, 0, this.#sameRows) as Numbers;
    cells.set(this.#rest.view(0, this.#rest.length), this.#sameRows);
    this.#rest = new Column(cells);
    this.#sameRows = 0;
  }
}
