import type { UtcMillis } from "../brand.ts";
import type { Candle } from "./candles.ts";

/** Candles as columns, ascending by start. Ten thousand candles are then seven objects for the garbage collector, not ten thousand. */
export interface CandleColumns {
  readonly length: number;
  readonly widthMs: number;
  readonly starts: Float64Array;
  readonly opens: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly closes: Float64Array;
  readonly counts: Float64Array;
}

/** Makes empty columns with room for `capacity` candles. */
export function createCandleColumns(widthMs: number, capacity: number): CandleColumns & { length: number } {
  const column = (): Float64Array => new Float64Array(capacity);
  return { length: 0, widthMs, starts: column(), opens: column(), highs: column(), lows: column(), closes: column(), counts: column() };
}

/** Candles of one width, ascending by start, as columns. */
export function candleColumns(candles: readonly Candle[], widthMs: number): CandleColumns {
  const columns = createCandleColumns(widthMs, candles.length);
  candles.forEach(({ start, open, high, low, close, observationCount }, i) => {
    columns.starts[i] = start;
    columns.opens[i] = open;
    columns.highs[i] = high;
    columns.lows[i] = low;
    columns.closes[i] = close;
    columns.counts[i] = observationCount;
  });
  columns.length = candles.length;
  return columns;
}

/** Columns as candles. */
export function toCandles({ length, widthMs, starts, opens, highs, lows, closes, counts }: CandleColumns): Candle[] {
  return Array.from({ length }, (_, i): Candle => {
    const start = starts[i] as UtcMillis;
    const end = (start + widthMs) as UtcMillis;
    return { start, end, open: opens[i]!, high: highs[i]!, low: lows[i]!, close: closes[i]!, observationCount: counts[i]! };
  });
}
