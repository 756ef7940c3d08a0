/** Prices of one asset, as they come, without an object for each. */
export interface PriceColumns {
  readonly size: number;
  /** Adds a price. `place` says where it came from. */
  push(time: number, value: number, place?: number): void;
  /** The row of a time; `undefined` where there is none. */
  rowOf(time: number): number | undefined;
  /** What a row has. */
  at(row: number): { readonly value: number; readonly place: number };
  /** Puts another price in a row, for the same time. */
  replace(row: number, value: number, place: number): void;
  /** All prices, ascending by time. */
  sorted(): { readonly times: Float64Array; readonly values: Float64Array };
}

const FIRST_ROWS = 64;

/** Makes columns. Looking a time up costs nothing while times ascend or descend, as in most files. */
export function createPriceColumns(): PriceColumns {
  let [times, values, places] = [
    new Float64Array(FIRST_ROWS),
    new Float64Array(FIRST_ROWS),
    new Float64Array(FIRST_ROWS),
  ];
  let [size, first, last, isAscending] = [0, Infinity, -Infinity, true];
  /** The rows by their times; made for the first one that lies between others. */
  let rows: Map<number, number> | undefined;

  function rowOf(time: number): number | undefined {
    if (time > last || time < first) return undefined;
    // What a store has around one record is often what it has around the next.
    for (let row = size - 1; row >= 0 && row > size - 4; row--) if (times[row] === time) return row;
    rows ??= new Map(Array.from(times.subarray(0, size), (one, row) => [one, row]));
    return rows.get(time);
  }

  return {
    get size() {
      return size;
    },
    push(time, value, place = 0) {
      if (size === times.length) [times, values, places] = [grown(times), grown(values), grown(places)];
      isAscending &&= time > last;
      [first, last] = [Math.min(first, time), Math.max(last, time)];
      rows?.set(time, size);
      times[size] = time;
      values[size] = value;
      places[size++] = place;
    },
    rowOf,
    at: (row) => ({ value: values[row]!, place: places[row]! }),
    replace(row, value, place) {
      values[row] = value;
      places[row] = place;
    },
    sorted() {
      if (isAscending) return { times: times.subarray(0, size), values: values.subarray(0, size) };
      const order = Uint32Array.from({ length: size }, (_, row) => row).sort((a, b) => times[a]! - times[b]!);
      return {
        times: Float64Array.from(order, (row) => times[row]!),
        values: Float64Array.from(order, (row) => values[row]!),
      };
    },
  };
}

function grown(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * column.length);
  larger.set(column);
  return larger;
}
