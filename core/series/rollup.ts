import { createCandleColumns } from "../market/candle_columns.ts";
import type { CandleColumns } from "../market/candle_columns.ts";
import { largerCapacity } from "./column.ts";
import type { TimeWindow } from "../ports.ts";

/** The columns that candles are made from. */
export interface TimesAndValues {
  readonly length: number;
  /** Business times of the rows `from` to `to` (excluded). */
  times(from: number, to: number): Float64Array;
  /** Values of the same rows. */
  values(from: number, to: number): Float64Array;
}

/** High and low of each time bucket of one width, so that a wide candle is made of a few buckets instead of all its rows. */
export interface Rollup {
  readonly widthMs: number;
  /** Must be called before a row is replaced, inserted or removed; need not be for a row at the end. */
  changed(row: number): void;
  /** Sums up the rows added since the last call. False, and nothing is stored, if the rows are too sparse to be worth it. */
  covers(rows: TimesAndValues): boolean;
  /** The candles of a window, as `foldCandles` makes them, once `covers` was true. Window and `widthMs` are multiples of its own width. */
  fold(rows: TimesAndValues, window: TimeWindow, widthMs: number): CandleColumns;
}

/** Buckets must have that many rows on average: a bucket takes 20 bytes, a row 16. */
const MIN_ROWS_A_BUCKET = 8;

/** Makes a roll-up without buckets; they are made at the first call of `covers`. */
export function createRollup(widthMs: number): Rollup {
  // Of a bucket its first row, high and low are stored; open, close and count follow from the rows.
  let firsts = new Uint32Array(0);
  let highs = new Float64Array(0);
  let lows = highs;
  let count = 0;
  /** Rows summed up so far. */
  let covered = 0;
  /** How many rows there must be before sparse rows are summed up again. */
  let retryAt = 0;

  function clear(): void {
    firsts = new Uint32Array(0);
    highs = lows = new Float64Array(0);
    count = covered = 0;
  }

  function changed(row: number): void {
    if (row >= covered) return;
    // `extend` sums up the last bucket again, so a row inserted at its end is counted.
    count = bucketsUpTo(row) - 1;
    covered = firsts[count]!;
  }

  /** The number of buckets whose first row is not after `row`. */
  function bucketsUpTo(row: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle]! <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function grow(): void {
    const capacity = largerCapacity(count);
    const [oldFirsts, oldHighs, oldLows] = [firsts, highs, lows];
    firsts = new Uint32Array(capacity);
    highs = new Float64Array(capacity);
    lows = new Float64Array(capacity);
    firsts.set(oldFirsts);
    highs.set(oldHighs);
    lows.set(oldLows);
  }

  function covers(rows: TimesAndValues): boolean {
    const { length } = rows;
    if (length < retryAt) return false;
    if (covered < length) extend(rows);
    if (count * MIN_ROWS_A_BUCKET <= length) return true;
    clear();
    retryAt = length * 2;
    return false;
  }

  function extend(rows: TimesAndValues): void {
    // The last bucket is summed up again, as it may have more rows now.
    if (count > 0) count--;
    const from = firsts[count] ?? 0;
    const [times, values] = [rows.times(from, rows.length), rows.values(from, rows.length)];
    let i = 0;
    while (i < times.length) {
      const end = (Math.floor(times[i]! / widthMs) + 1) * widthMs;
      if (count === firsts.length) grow();
      firsts[count] = from + i;
      let high = values[i]!;
      let low = high;
      for (i++; i < times.length && times[i]! < end; i++) {
        const value = values[i]!;
        if (value > high) high = value;
        else if (value < low) low = value;
      }
      highs[count] = high;
      lows[count] = low;
      count++;
    }
    covered = rows.length;
  }

  function fold(rows: TimesAndValues, window: TimeWindow, width: number): CandleColumns {
    const [times, values] = [rows.times(0, rows.length), rows.values(0, rows.length)];
    let bucket = bucketAt(times, window.from);
    const last = bucketAt(times, window.to);
    const candles = createCandleColumns(width, Math.min(last - bucket, (window.to - window.from) / width));
    const { starts, opens, closes, counts } = candles;
    while (bucket < last) {
      const first = firsts[bucket]!;
      const start = Math.floor(times[first]! / width) * width;
      const end = start + width;
      let high = highs[bucket]!;
      let low = lows[bucket]!;
      for (bucket++; bucket < last && times[firsts[bucket]!]! < end; bucket++) {
        if (highs[bucket]! > high) high = highs[bucket]!;
        if (lows[bucket]! < low) low = lows[bucket]!;
      }
      const next = bucket < count ? firsts[bucket]! : covered;
      const i = candles.length++;
      starts[i] = start;
      opens[i] = values[first]!;
      candles.highs[i] = high;
      candles.lows[i] = low;
      closes[i] = values[next - 1]!;
      counts[i] = next - first;
    }
    return candles;
  }

  /** The first bucket whose first row is not before `time`. */
  function bucketAt(times: Float64Array, time: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[firsts[middle]!]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return { widthMs, changed, covers, fold };
}
