import { writeCandles } from "../../../core/routes/candle_json.ts";
import { createSeriesStore } from "../../../core/series/series_store.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { collectGarbage } from "../support/timing.ts";
import { CODE, END, HEAD, observation, ROWS, START } from "./minutes.ts";
import type { Answerer } from "./minutes.ts";

/** The memory that the columns take, and the time to make them, without and with the roll-ups. */
export interface MarketFigures {
  readonly filledBytes: number;
  readonly fillMs: number;
  readonly rolledBytes: number;
  readonly rollMs: number;
}

const NOW = END as UtcMillis;

/** Fills a series store, one observation after the other, and reads candles from it as the candle route does. */
export function startOurs(): { readonly answer: Answerer; readonly figures: MarketFigures } {
  const series = createSeriesStore();
  const before = usedBytes();
  const began = performance.now();
  for (let n = 0; n < ROWS; n++) series.putAll([observation(n)], n + 1);
  const fillMs = performance.now() - began;
  const filledBytes = (usedBytes() - before) / ROWS;

  const window = { from: START as UtcMillis, to: END as UtcMillis };
  const rolling = performance.now();
  // The first queries of days and of quarter-hours make the roll-ups.
  for (const width of [86_400_000, 900_000]) series.candles(CODE, window, width);
  const rollMs = performance.now() - rolling;
  const rolledBytes = (usedBytes() - before) / ROWS;

  return {
    figures: { filledBytes, fillMs, rolledBytes, rollMs },
    answer: ({ from, to, widthMs }) =>
      writeCandles(HEAD, series.candles(CODE, { from: from as UtcMillis, to: to as UtcMillis }, widthMs).candles, NOW).bytes,
  };
}

function usedBytes(): number {
  // A first collection may leave objects that only a second one can free.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
