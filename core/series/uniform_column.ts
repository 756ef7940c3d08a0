import { Column } from "./column.ts";
import type { Cells } from "./column.ts";

/** What a uniform column holds, to be stored elsewhere: the number of all rows, or the cells, one for each row. */
export interface PackedColumn<Numbers extends Cells = Cells> {
  readonly all: number;
  readonly cells: Numbers | undefined;
}

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

  /** All that it holds. The cells are a view, valid until the next change. */
  pack(): PackedColumn<Numbers> {
    return { all: this.#all, cells: this.#cells?.view(0, this.#length) };
  }

  /** Fills an empty one with `length` rows that another one packed. The cells are not copied. */
  unpack({ all, cells }: PackedColumn<Numbers>, length: number): void {
    this.#length = length;
    this.#all = all;
    this.#cells = cells && new Column(cells);
  }

  /** The cells, which this number needs if the others differ from it. */
  #cellsFor(value: number): Column<Numbers> | undefined {
    if (!this.#cells && !Object.is(value, this.#all)) this.#cells = new Column(this.#make(this.#length).fill(this.#all) as Numbers);
    return this.#cells;
  }
}
