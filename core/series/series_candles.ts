import type { UtcMillis } from "../brand.ts";
import { foldCandles } from "../market/candles.ts";
import type { TimeWindow } from "../ports.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";
import { candleColumns } from "../market/candle_columns.ts";
import type { CandleColumns } from "../market/candle_columns.ts";
import { createRollup } from "./rollup.ts";
import type { Rollup, TimesAndValues } from "./rollup.ts";

/** The candles of a series, made of its rows or of roll-ups of them. */
export interface SeriesCandles {
  /** The candles of a window, as `foldCandles` makes them of its rows. The ends of the window are multiples of `widthMs`. */
  candles(window: TimeWindow, widthMs: number): CandleColumns;
  /** Must be called before rows are replaced, inserted or removed, with the first of them; need not be for rows at the end. */
  changed(row: number): void;
}

/** What candles are made of. */
export interface CandleRows extends TimesAndValues {
  /** The first row whose business time is not before `time`. */
  rowAt(time: UtcMillis): number;
}

/** Widths of the roll-ups, widest first; the first that divides the width of the candles is used. */
const ROLLUP_WIDTHS = [DAY_MS, 15 * MINUTE_MS];
/** Candles of at most this many rows are made from the rows. */
const FEW_ROWS = 4_096;

/** Makes the candles of a series. Roll-ups are made when candles of many rows are first asked for. */
export function createSeriesCandles(rows: CandleRows): SeriesCandles {
  let rollups: readonly Rollup[] = [];

  function fromRows(window: TimeWindow, widthMs: number): CandleColumns {
    const [from, to] = [rows.rowAt(window.from), rows.rowAt(window.to)];
    return candleColumns(foldCandles(rows.times(from, to), rows.values(from, to), widthMs), widthMs);
  }

  /** `undefined` if the rows are few, or too sparse for a roll-up, or if the width is no multiple of a bucket. */
  function fromRollup(window: TimeWindow, widthMs: number): CandleColumns | undefined {
    if (rows.rowAt(window.to) - rows.rowAt(window.from) <= FEW_ROWS) return undefined;
    if (rollups.length === 0) rollups = ROLLUP_WIDTHS.map(createRollup);
    return rollups.find((rollup) => widthMs % rollup.widthMs === 0 && rollup.covers(rows))?.fold(rows, window, widthMs);
  }

  return {
    candles: (window, widthMs) => fromRollup(window, widthMs) ?? fromRows(window, widthMs),
    changed(row) {
      for (const rollup of rollups) rollup.changed(row);
    },
  };
}
