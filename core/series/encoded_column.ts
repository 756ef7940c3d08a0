import { createCellColumn } from "./cells.ts";
import type { CellColumn, Cells } from "./cells.ts";
import type { Column } from "./column.ts";

/**
 * What a side column holds, to be kept elsewhere: runs as triples of first row, slope and base, or one cell a row,
 * which is the difference to the row's time where `relative` says so.
 */
export type PackedColumn =
  | { readonly kind: "runs"; readonly runs: Float64Array }
  | { readonly kind: "cells"; readonly cells: Cells; readonly relative: boolean };

/** A column beside the business times that takes next to no room while it follows a rule. */
export interface SideColumn extends Column {
  /** All that it holds. Its arrays are views, good until the next change. */
  pack(): PackedColumn;
  /** Takes what another column of `length` rows held in place of its own; arrays are kept, not copied. */
  unpack(packed: PackedColumn, length: number): void;
}

/** From here on runs are counted against what one cell a row would take. */
const MANY_RUNS = 16;
const RUN_BYTES = 24;
const CELL_BYTES = 4;
/** Stands for NaN among differences, which are whole and far smaller. */
const NO_NUMBER = -0x80000000;

/**
 * Makes a column of numbers that mostly follow the time of their row: all the same (one import), or the
 * same distance from the row's time (a feed). Rows in turn that do are one run: base + slope * time, with
 * slope 0 or 1. Where runs get too many, it becomes one cell a row. Every number comes back exactly.
 *
 * @param times The times of the rows; a row is put into them before it is put in here. Default: always 0.
 */
export function createSideColumn(times: RowTimes = NO_TIMES): SideColumn {
  return new Side(times);
}

type RowTimes = Pick<Column, "get">;

const NO_TIMES: RowTimes = { get: () => 0 };

class Side implements SideColumn {
  readonly #times: RowTimes;
  /** First row, slope and base of each run, one after the other; empty where there are cells. */
  #runs: number[] = [];
  #length = 0;
  #cells: CellColumn | undefined;
  #relative = false;
  #lastFound = 0;

  constructor(times: RowTimes) {
    this.#times = times;
  }

  get(row: number): number {
    if (!this.#cells) return this.#inRun(this.#runOf(row), row);
    const cell = this.#cells.get(row);
    if (!this.#relative) return cell;
    return cell === NO_NUMBER ? NaN : this.#times.get(row) + cell;
  }

  set(row: number, value: number): void {
    if (Object.is(this.get(row), value)) return;
    if (this.#cells) return this.#setCell(this.#cells, row, value);
    this.remove(row);
    this.insert(row, value);
  }

  insert(row: number, value: number): void {
    const last = this.#length++;
    if (this.#cells) {
      this.#cells.insert(row, 0);
      this.#setCell(this.#cells, row, value);
    } else if (row === last) this.#append(row, value);
    else this.#insertBetween(row, value);
  }

  remove(row: number): void {
    this.#length--;
    if (this.#cells) return this.#cells.remove(row);
    const runs = this.#runs;
    let run = runs.length - 3;
    for (; runs[run]! > row; run -= 3) runs[run]!--;
    if (runs[run] === this.#endOf(run)) runs.splice(run, 3);
  }

  pack(): PackedColumn {
    if (this.#cells) return { kind: "cells", cells: this.#cells.cells(), relative: this.#relative };
    return { kind: "runs", runs: Float64Array.from(this.#runs) };
  }

  unpack(packed: PackedColumn, length: number): void {
    this.#length = length;
    this.#runs = packed.kind === "runs" ? [...packed.runs] : [];
    this.#cells = packed.kind === "cells" ? createCellColumn(packed.cells) : undefined;
    this.#relative = packed.kind === "cells" && packed.relative;
    this.#lastFound = 0;
  }

  /** What a run has for a row; runs are named by the place of their first number. */
  #inRun(run: number, row: number): number {
    const base = this.#runs[run + 2]!;
    return this.#runs[run + 1] === 0 ? base : base + this.#times.get(row);
  }

  #endOf(run: number): number {
    return run + 3 < this.#runs.length ? this.#runs[run + 3]! : this.#length;
  }

  #runOf(row: number): number {
    const runs = this.#runs;
    // Neighbouring rows are mostly asked one after the other.
    if (this.#lastFound < runs.length && runs[this.#lastFound]! <= row && row < this.#endOf(this.#lastFound)) return this.#lastFound;
    let low = 0;
    let high = runs.length / 3;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (runs[middle * 3]! <= row) low = middle + 1;
      else high = middle;
    }
    this.#lastFound = (low - 1) * 3;
    return this.#lastFound;
  }

  #append(row: number, value: number): void {
    const last = this.#runs.length - 3;
    if (last >= 0) {
      if (Object.is(this.#inRun(last, row), value)) return;
      if (this.#runs[last] === row - 1 && this.#turns(last, row, value)) return;
    }
    this.#runs.push(row, 0, value);
    this.#spillWhenMany();
  }

  /** A run of one row follows any rule; tells whether it became one of equal distances for the row behind it. */
  #turns(run: number, row: number, value: number): boolean {
    const time = this.#times.get(row);
    const base = value - time;
    if (!Object.is(base + time, value) || !Object.is(base + this.#times.get(row - 1), this.#inRun(run, row - 1))) return false;
    this.#runs[run + 1] = 1;
    this.#runs[run + 2] = base;
    return true;
  }

  /** The new row joins the run of the row that was there, or of the one before, or becomes one between. */
  #insertBetween(row: number, value: number): void {
    const runs = this.#runs;
    let run = runs.length - 3;
    for (; runs[run]! > row; run -= 3) runs[run]!++;
    if (Object.is(this.#inRun(run, row), value)) return;
    if (runs[run] === row) {
      runs[run]!++;
      if (run > 0 && Object.is(this.#inRun(run - 3, row), value)) return;
      runs.splice(run, 0, row, 0, value);
    } else runs.splice(run + 3, 0, row, 0, value, row + 1, runs[run + 1]!, runs[run + 2]!);
    this.#spillWhenMany();
  }

  #spillWhenMany(): void {
    const count = this.#runs.length / 3;
    if (count <= MANY_RUNS || count * RUN_BYTES <= this.#length * CELL_BYTES) return;
    const numbers = this.#numbers();
    const differences = numbers.map((value, row) => cellOf(this.#times.get(row), value) ?? Infinity);
    this.#relative = !differences.includes(Infinity);
    const cells = createCellColumn(new Uint8Array(0));
    (this.#relative ? differences : numbers).forEach((cell, row) => cells.insert(row, cell));
    this.#cells = cells;
    this.#runs = [];
  }

  #setCell(cells: CellColumn, row: number, value: number): void {
    const cell = this.#relative ? cellOf(this.#times.get(row), value) : value;
    if (cell !== undefined) return cells.set(row, cell);
    const wider = createCellColumn(this.#numbers());
    wider.set(row, value);
    this.#cells = wider;
    this.#relative = false;
  }

  #numbers(): Float64Array {
    return Float64Array.from({ length: this.#length }, (_, row) => this.get(row));
  }
}

/** The difference that brings a number back exactly from a time; `undefined` where no small one does. */
function cellOf(time: number, value: number): number | undefined {
  if (Number.isNaN(value)) return NO_NUMBER;
  const difference = value - time;
  const small = difference > NO_NUMBER && difference < -NO_NUMBER && Number.isInteger(difference);
  return small && Object.is(time + difference, value) ? difference : undefined;
}
