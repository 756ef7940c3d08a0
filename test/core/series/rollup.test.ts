import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toCandles } from "../../../core/market/candle_columns.ts";
import { INTERVALS } from "../../../core/market/candles.ts";
import { createSeriesStore } from "../../../core/series/series_store.ts";
import type { SeriesStore } from "../../../core/series/series_store.ts";
import type { Observation, QualityStatus } from "../../../core/market/observation.ts";
import { createRollup } from "../../../core/series/rollup.ts";
import { createSeries } from "../../../core/series/series.ts";
import { CODE, DAY, MINUTE, at, observation } from "../../support/generators.ts";
import { runs } from "../../support/size.ts";
import { slowCandles } from "../../support/slow_candles.ts";

const QUARTER = 15 * MINUTE;

function row(time: number, value: number, qualityStatus: QualityStatus = "ACCEPTED"): Observation {
  return observation({ businessTime: at(time), value, qualityStatus });
}

/** The candles of rows in a window, each worked out from a list of its values. */
function candlesOf(rows: ReadonlyMap<number, number>, from: number, to: number, width: number): unknown[] {
  const ticks = [...rows].filter(([time]) => time >= from && time < to);
  return slowCandles(ticks.map(([time, value]) => ({ time, value })), width);
}

/** A change near one of the rows: a correction, a retraction, a late record, or a record after the last one. */
const change = fc.record({
  act: fc.constantFrom("correct", "retract", "late", "next"),
  place: fc.double({ min: -0.001, max: 1.001, noNaN: true }),
  value: fc.integer({ min: 1, max: 60 }),
});
const window = fc.tuple(fc.double({ min: -0.1, max: 1.1, noNaN: true }), fc.double({ min: 0, max: 1.2, noNaN: true }));
const step = fc.tuple(fc.array(change, { maxLength: 5, size: "max" }), window);
/** Minutes between two rows: every minute, with gaps of hours and days, sparse and dense parts. */
const gap = fc.constantFrom(1, 1, 1, 1, 1, 1, 5, 15, 95, 2_000);

/** The rows of a series as they must be, and the time of the last one. */
interface Model {
  readonly rows: Map<number, number>;
  last: number;
}

/** Puts `repeat` rows at each of the gaps. */
function filledModel(gaps: readonly number[], repeat: number, put: (time: number, value: number) => void): Model {
  const model: Model = { rows: new Map(), last: -3 * DAY };
  for (let n = 0; n < gaps.length * repeat; n++) {
    model.last += gaps[Math.floor(n / repeat)]! * MINUTE;
    model.rows.set(model.last, 1 + ((n * 7_919) % 50));
    put(model.last, model.rows.get(model.last)!);
  }
  return model;
}

test("rollup: its candles are those of the rows, after any changes and in any window", () => {
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1, maxLength: 12, size: "max" }), fc.array(step, { maxLength: 8, size: "max" }), fc.constantFrom(QUARTER, DAY), (gaps, steps, bucket) => {
      const series = createSeries(CODE, "ACCEPTED");
      const rollup = createRollup(bucket);
      const put = (time: number, value: number): void => {
        rollup.changed(series.rowAt(at(time)));
        series.putAll([row(time, value)]);
      };
      const model = filledModel(gaps, 40, put);
      for (const [changes, [share, length]] of steps) {
        for (const { act, place, value } of changes) {
          const times = [...model.rows.keys()].sort((a, b) => a - b);
          const near = times[Math.floor(Math.min(Math.max(place, 0), 0.999) * times.length)] ?? 0;
          const time = act === "next" ? (model.last += value * MINUTE) : act === "late" ? near - value * 20_000 : near;
          if (act === "retract") {
            rollup.changed(series.rowAt(at(time)));
            series.removeAll([at(time)]);
            model.rows.delete(time);
          } else {
            put(time, value);
            model.rows.set(time, value);
          }
        }
        if (!rollup.covers(series)) continue;
        const span = model.last + 3 * DAY;
        for (const width of [...INTERVALS.values(), 7 * DAY].filter((one) => one % bucket === 0)) {
          const from = Math.floor((-3 * DAY + share * span) / width) * width;
          const to = from + Math.floor((length * span) / width) * width;
          assert.deepEqual(toCandles(rollup.fold(series, { from: at(from), to: at(to) }, width)), candlesOf(model.rows, from, to, width));
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

for (const [rows, covers] of [[8, true], [7, false]] as const) {
  test(`rollup: with ${rows} rows in each bucket it is ${covers ? "made" : "not made"}`, () => {
    const series = createSeries(CODE, "ACCEPTED");
    for (let n = 0; n < 3 * rows; n++) series.append(row(Math.floor(n / rows) * QUARTER + (n % rows) * MINUTE, 1));
    assert.equal(createRollup(QUARTER).covers(series), covers);
  });
}

function checkAll(store: SeriesStore, rows: ReadonlyMap<number, number>, from: number, to: number, widths: Iterable<number> = INTERVALS.values()): void {
  for (const width of widths) {
    const window = { from: at(Math.floor(from / width) * width), to: at(Math.ceil(to / width) * width) };
    const wanted = candlesOf(rows, window.from, window.to, width);
    assert.deepEqual(toCandles(store.candles(CODE, window, width).candles), wanted);
  }
}

test("rollup: a store with many rows has the candles of a plain list, after corrections, retractions and late records", () => {
  fc.assert(
    fc.property(fc.array(gap, { minLength: 6, maxLength: 6 }), fc.array(step, { minLength: 1, maxLength: 6 }), (gaps, steps) => {
      const store = createSeriesStore();
      let sequence = 0;
      const put = (time: number, value: number, status: QualityStatus = "ACCEPTED"): void => {
        store.putAll([row(time, value, status)], ++sequence);
      };
      const model = filledModel(gaps, 1_000, put);
      checkAll(store, model.rows, -4 * DAY, model.last + DAY);
      for (const [changes, [share, length]] of steps) {
        for (const { act, place, value } of changes) {
          const times = [...model.rows.keys()].sort((a, b) => a - b);
          const near = times[Math.floor(Math.min(Math.max(place, 0), 0.999) * times.length)]!;
          const time = act === "next" ? (model.last += value * MINUTE) : act === "late" ? near - value * 20_000 : near;
          put(time, value, act === "retract" ? "REJECTED" : "ACCEPTED");
          if (act === "retract") model.rows.delete(time);
          else model.rows.set(time, value);
        }
        const from = -3 * DAY + share * model.last;
        checkAll(store, model.rows, from, from + length * model.last);
        // All rows, as only candles of many rows are made from a roll-up.
        checkAll(store, model.rows, -4 * DAY, model.last + DAY, [QUARTER, DAY]);
      }
    }),
    { numRuns: runs(6) },
  );
});
