import type { UtcMillis } from "../branded_types.ts";
import { asciiText, COPY_BYTES, copyAsciiText } from "../bytes/ascii_text.ts";
import { decimalRoom, writeAscii, writeDecimal, writeWhole } from "../bytes/json_writer.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { Candle, CandleList } from "../market/candles.ts";
import { createCandleTimes, setTimes } from "./candle_times.ts";

/** The body of a candle answer as bytes, and how many of its candles are complete. */
export interface CandleBytes {
  readonly bytes: Uint8Array;
  readonly complete: number;
}

const HIGH = /* @__PURE__ */ asciiText(`,"high":`);
const LOW = /* @__PURE__ */ asciiText(`,"low":`);
const CLOSE = /* @__PURE__ */ asciiText(`,"close":`);
const COUNT = /* @__PURE__ */ asciiText(`,"observationCount":`);
const COMPLETE = /* @__PURE__ */ asciiText(`,"complete":true}`);
const INCOMPLETE = /* @__PURE__ */ asciiText(`,"complete":false}`);
/** Bytes of a candle without its numbers. */
const FIXED_BYTES = /* @__PURE__ */ [createCandleTimes().text, HIGH, LOW, CLOSE, COUNT, INCOMPLETE].reduce(
  (sum, { length }) => sum + length,
  0,
);
/** The end of the list, and what a copy may write too far. */
const END_BYTES = 2 + COPY_BYTES;

/**
 * Writes the body of a candle answer into one buffer.
 *
 * @param head The body up to the bracket that opens the list of candles.
 * @param candles At least one. Source: contract, OHLC response.
 */
export function writeCandles(head: string, candles: CandleList, now: UtcMillis): CandleBytes {
  const opened = utf8(head);
  let room = opened.length + END_BYTES;
  for (let i = 0; i < candles.length; i++) room += roomOf(candles.at(i)!);
  const to = new Uint8Array(room);
  const view = new DataView(to.buffer);
  to.set(opened);
  let at = opened.length;
  let complete = 0;
  const times = createCandleTimes();
  for (let i = 0; i < candles.length; i++) {
    const { start, end, open, high, low, close, observationCount } = candles.at(i)!;
    const done = now >= end;
    if (done) complete++;
    setTimes(times, start, end);
    at = writeDecimal(to, copyAsciiText(view, at, times.text), open);
    at = writeDecimal(to, copyAsciiText(view, at, HIGH), high);
    at = writeDecimal(to, copyAsciiText(view, at, LOW), low);
    at = writeDecimal(to, copyAsciiText(view, at, CLOSE), close);
    at = writeWhole(to, copyAsciiText(view, at, COUNT), observationCount);
    at = copyAsciiText(view, at, done ? COMPLETE : INCOMPLETE);
  }
  // Each candle begins with a comma, of which the first one is too many.
  to.copyWithin(opened.length, opened.length + 1, at);
  return { bytes: to.subarray(0, writeAscii(to, at - 1, "]}")), complete };
}

/** An upper bound of the bytes for a candle, and a near one: an answer that is not read keeps all of its room. */
function roomOf({ open, high, low, close, observationCount }: Candle): number {
  return (
    FIXED_BYTES +
    decimalRoom(open) +
    decimalRoom(high) +
    decimalRoom(low) +
    decimalRoom(close) +
    decimalRoom(observationCount)
  );
}
