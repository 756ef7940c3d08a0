import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { UtcMillis } from "../../../core/branded_types.ts";
import { formatDecimal } from "../../../core/bytes/json.ts";
import { type Candle, INTERVALS } from "../../../core/market/candles.ts";
import { writeCandleLines, writeCandles } from "../../../core/routes/candle_bytes.ts";
import { runs } from "../../support/suite_size.ts";

const DAY = 86_400_000;
const FIRST = -719_528 * DAY;
const LAST = 2_932_896 * DAY;

/** A candle as JSON, written by a simple implementation. Source: contract, OHLC response. */
function candleJson({ start, end, open, high, low, close, observationCount }: Candle, complete: boolean): string {
  const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  const numbers = Object.entries({ open, high, low, close }).map(([name, one]) => `,"${name}":${formatDecimal(one)}`);
  const rest = `,"observationCount":${observationCount},"complete":${complete}}`;
  return JSON.stringify(times).slice(0, -1) + numbers.join("") + rest;
}

/** The cells of a candle in CSV, written by a simple implementation. */
function candleCells({ start, end, open, high, low, close, observationCount }: Candle, complete: boolean): string {
  const times = [start, end].map((time) => new Date(time).toISOString());
  return [...times, ...[open, high, low, close].map(formatDecimal), observationCount, complete].join(",");
}

const price = fc.oneof(
  fc.tuple(fc.nat(99_999_999), fc.nat(8)).map(([digits, places]) => Number(`${digits + 1}e-${places}`)),
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
  fc.constantFrom(1e21, 5e-324, Number.MAX_VALUE, 1.1125369292536007e-308, 1e-7),
);
const bars = fc.record({
  skipped: fc.constantFrom(0, 0, 0, 1, 7, 100),
  ...{ open: price, high: price, low: price, close: price },
  observationCount: fc.integer({ min: 1, max: 2 ** 40 }),
});
const lists = fc.array(bars, { minLength: 1, maxLength: 40, size: "max" });
const shares = fc.double({ min: -0.1, max: 1.1, noNaN: true });
const heads = fc.oneof(
  fc.constant('{"labelFa":"بیت کوین / دلار","candles":['),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const widths = fc.constantFrom(...INTERVALS.values(), 60_000, 1);

test("candle bytes: equal those of a simple implementation, for any numbers, steps and times", () => {
  fc.assert(
    fc.property(
      fc.tuple(heads, widths, fc.integer({ min: FIRST, max: LAST }), lists, shares),
      ([head, width, from, list, share]) => {
        let start = Math.min(Math.floor(from / width) * width, LAST - 5_000 * width);
        const candles = list.map(({ skipped, ...rest }): Candle => {
          start += skipped * width;
          const candle = { start: start as UtcMillis, end: (start + width) as UtcMillis, ...rest };
          start += width;
          return candle;
        });
        const begin = candles[0]!.start;
        const now = Math.floor(begin + share * (start - begin));
        const complete = candles.filter(({ end }) => now >= end).length;
        const bytes = writeCandles(head, candles, complete);
        const wanted = `${head}${candles.map((candle) => candleJson(candle, now >= candle.end)).join(",")}]}`;
        assert.equal(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), wanted);
        const lines = writeCandleLines(["A_RLS", "RLS", "1h"], candles, complete);
        const wantedLines = candles.map((candle) => `A_RLS,RLS,1h,${candleCells(candle, now >= candle.end)}\n`);
        assert.equal(Buffer.from(lines).toString().replace(/^.*\n/, ""), wantedLines.join(""));
      },
    ),
    { numRuns: runs(62) },
  );
});

/** Makes this many daily candles with these numbers. */
function days(count: number, numbers: Omit<Candle, "start" | "end">): Candle[] {
  return Array.from({ length: count }, (_, i) => {
    const [start, end] = [i * DAY, (i + 1) * DAY] as UtcMillis[];
    return { start: start!, end: end!, ...numbers, observationCount: i + 1 };
  });
}

test("candle bytes: the buffer has room for thousands of candles with the largest and the smallest numbers", () => {
  for (const open of [1, 5e-324, 1.1125369292536007e-308]) {
    const candles = days(3_000, { open, high: Number.MAX_VALUE, low: open, close: open, observationCount: 1 });
    const bytes = writeCandles("[", candles, 0);
    assert.equal(Buffer.from(bytes).toString(), `[${candles.map((candle) => candleJson(candle, false)).join(",")}]}`);
  }
});

test("candle bytes: if all prices are whole numbers, the buffer is at most 15 % larger than the answer; an unread answer occupies the whole buffer", () => {
  const numbers = { open: 1_905_000, high: 1_915_000, low: 1_900_000, close: 1_910_000, observationCount: 1 };
  const bytes = writeCandles("[", days(1_000, numbers), 0);
  assert.ok(bytes.buffer.byteLength < bytes.length * 1.15, `${bytes.buffer.byteLength} for ${bytes.length}`);
});
