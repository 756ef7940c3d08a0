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
}

const FIRST_CAPACITY = 16;

/** A column that keeps every row. Appending is amortised constant time; anything before the end moves the tail. */
export function createDenseColumn(): DenseColumn {
  let rows = new Float64Array(FIRST_CAPACITY);
  let length = 0;

  function insert(row: number, value: number): void {
    if (length === rows.length) {
      // A quarter more: doubling would leave up to half of a large column unused.
      const larger = new Float64Array(Math.ceil(length * 1.25));
      larger.set(rows);
      rows = larger;
    }
    if (row < length) rows.copyWithin(row + 1, row, length);
    rows[row] = value;
    length++;
  }

  return {
    get length() {
      return length;
    },
    get: (row) => rows[row]!,
    set(row, value) {
      rows[row] = value;
    },
    insert,
    remove(row) {
      rows.copyWithin(row, row + 1, length);
      length--;
    },
    view: (from, to) => rows.subarray(from, to),
  };
}

/** A column that takes no room for rows while all of them hold the same number, as many side columns do. */
export function createSparseColumn(): Column {
  let common = NaN;
  let length = 0;
  let dense: DenseColumn | undefined;

  function spread(): DenseColumn {
    dense = createDenseColumn();
    for (let row = 0; row < length; row++) dense.insert(row, common);
    return dense;
  }

  return {
    get: (row) => (dense ? dense.get(row) : common),
    set(row, value) {
      if (dense || !Object.is(value, common)) (dense ?? spread()).set(row, value);
    },
    insert(row, value) {
      if (length === 0 && !dense) common = value;
      if (dense || !Object.is(value, common)) (dense ?? spread()).insert(row, value);
      length++;
    },
    remove(row) {
      dense?.remove(row);
      length--;
    },
  };
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
