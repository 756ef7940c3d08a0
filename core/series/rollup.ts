import { createCandleColumns } from "./candle_columns.ts";
import type { CandleColumns } from "./candle_columns.ts";
import { largerCapacity } from "./column.ts";
import type { TimeWindow } from "../ports.ts";

/** What a roll-up sums up: the rows of a series. */
export interface Rows {
  readonly length: number;
  times(from: number, to: number): Float64Array;
  values(from: number, to: number): Float64Array;
}

/** High and low of each bucket of a width, kept beside the rows so that wide candles need not read them all. */
export interface Rollup {
  readonly widthMs: number;
  /** Told of a row that was replaced, put in or taken out; rows added at the end need no word. */
  changed(row: number): void;
  /** Brings it up to date; false where the rows are too sparse for it to be worth its room. */
  covers(rows: Rows): boolean;
  /** The candles of a window, as `foldCandles` gives them. Window and width are multiples of its own width. */
  fold(rows: Rows, window: TimeWindow, widthMs: number): CandleColumns;
}

/** A bucket takes 20 bytes and stands for that many rows of 16 at least, on average. */
const LEAST_ROWS_A_BUCKET = 8;

/** Makes a roll-up that holds nothing until it is first asked. */
export function createRollup(widthMs: number): Rollup {
  // A bucket is its first row, its high and its low; its open, close and count follow from the rows.
  let firsts = new Uint32Array(0);
  let highs = new Float64Array(0);
  let lows = highs;
  let count = 0;
  /** Rows summed up so far. */
  let covered = 0;
  /** Not tried again before there are so many rows. */
  let sparseUpTo = 0;

  function clear(): void {
    firsts = new Uint32Array(0);
    highs = lows = new Float64Array(0);
    count = covered = 0;
  }

  function changed(row: number): void {
    if (row >= covered) return;
    // A row that was put in behind a bucket before is seen, too: `extend` sums the last one left up anew.
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

  function covers(rows: Rows): boolean {
    const { length } = rows;
    if (length < sparseUpTo) return false;
    if (covered < length) extend(rows);
    if (count * LEAST_ROWS_A_BUCKET <= length) return true;
    clear();
    sparseUpTo = length * 2;
    return false;
  }

  function extend(rows: Rows): void {
    // The last bucket may have got more rows.
    if (count > 0) count--;
    const from = count === 0 ? 0 : firsts[count]!;
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

  function fold(rows: Rows, window: TimeWindow, width: number): CandleColumns {
    const [times, values] = [rows.times(0, rows.length), rows.values(0, rows.length)];
    let bucket = bucketAt(times, window.from);
    const last = bucketAt(times, window.to);
    const candles = createCandleColumns(width, Math.max(0, Math.min(last - bucket, (window.to - window.from) / width)));
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
      const place = candles.length++;
      starts[place] = start;
      opens[place] = values[first]!;
      candles.highs[place] = high;
      candles.lows[place] = low;
      closes[place] = values[next - 1]!;
      counts[place] = next - first;
    }
    return candles;
  }

  /** The first bucket that does not begin before `time`. */
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
