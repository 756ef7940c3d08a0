import { type Cells, Column } from "./growable_column.ts";

/** A column that takes no room while its numbers are all the same, as the insert times of one import are. */
export class UniformColumn<Numbers extends Cells> {
  readonly #make: (length: number) => Numbers;
  #length = 0;
  /** The number of all rows, while there are no cells. */
  #all = NaN;
  #cells: Column<Numbers> | undefined;

  /** @param make Makes an array for the numbers. */
  constructor(make: (length: number) => Numbers) {
    this.#make = make;
  }

  get(row: number): number {
    return this.#cells ? this.#cells.get(row) : this.#all;
  }

  set(row: number, value: number): void {
    this.#cellsFor(value)?.set(row, value);
  }

  /** As that of a column. */
  append(value: number): void {
    if (this.#length === 0) this.#all = value;
    this.#cellsFor(value)?.append(value);
    this.#length++;
  }

  /** As that of a column. */
  insertAll(rows: readonly number[], values: readonly number[]): void {
    if (this.#length === 0) this.#all = values[0] ?? NaN;
    for (const value of values) this.#cellsFor(value);
    this.#cells?.insertAll(rows, values);
    this.#length += rows.length;
  }

  /** As that of a column. */
  removeAll(rows: readonly number[]): void {
    this.#cells?.removeAll(rows);
    this.#length -= rows.length;
  }

  /** The cells, which this number needs if the others differ from it. */
  #cellsFor(value: number): Column<Numbers> | undefined {
    if (!this.#cells && !Object.is(value, this.#all))
      this.#cells = new Column(this.#make(this.#length).fill(this.#all) as Numbers);
    return this.#cells;
  }
}
