import type { Candle, UtcMillis } from "../../../core/mod.ts";
import { observation, plainBytes, ROWS } from "./minutes.ts";
import type { Answerer } from "./minutes.ts";

interface Row {
  readonly time: number;
  readonly value: number;
}

/** Holds the minutes as objects in an array, with binary search, and folds and writes them in the simplest way. */
export function startPlain(): Answerer {
  const rows = Array.from({ length: ROWS }, (_, n): Row => {
    const { businessTime, value } = observation(n);
    return { time: businessTime, value };
  });
  return ({ from, to, widthMs }) => plainBytes(fold(rows.slice(rowAt(rows, from), rowAt(rows, to)), widthMs));
}

function rowAt(rows: readonly Row[], time: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function fold(rows: readonly Row[], widthMs: number): Candle[] {
  const candles: { -readonly [Key in keyof Candle]: Candle[Key] }[] = [];
  for (const { time, value } of rows) {
    const start = Math.floor(time / widthMs) * widthMs;
    const last = candles.at(-1);
    if (last?.start === start) {
      last.high = Math.max(last.high, value);
      last.low = Math.min(last.low, value);
      last.close = value;
      last.observationCount++;
    } else {
      const end = (start + widthMs) as UtcMillis;
      candles.push({ start: start as UtcMillis, end, open: value, high: value, low: value, close: value, observationCount: 1 });
    }
  }
  return candles;
}
