import { createCandleTimes, setTimes } from "./candle_times.ts";
import type { CandleColumns } from "../market/candle_columns.ts";
import type { UtcMillis } from "../brand.ts";
import { COPY_BYTES, asciiText, copyAsciiText } from "../bytes/ascii_text.ts";
import { utf8 } from "../bytes/utf8.ts";
import { decimalRoom, writeAscii, writeDecimal, writeWhole } from "../bytes/json_writer.ts";

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
/** Bytes of a candle without its prices: names, timestamps, at most 16 digits of the count; then the end of the list and what a copy may write too far. */
const FIXED_BYTES = /* @__PURE__ */ fixedBytes();
/** Most candles take no more bytes. */
const USUAL_BYTES = 192;

/**
 * Writes the body of a candle answer into one buffer.
 *
 * @param head The body up to the bracket that opens the list of candles.
 * @param candles At least one. Source: contract, OHLC response.
 */
export function writeCandles(head: string, candles: CandleColumns, now: UtcMillis): CandleBytes {
  const { length, widthMs, starts, opens, highs, lows, closes, counts } = candles;
  const opened = utf8(head);
  let to = new Uint8Array(opened.length + length * USUAL_BYTES + FIXED_BYTES);
  let view = new DataView(to.buffer);
  const times = createCandleTimes();
  to.set(opened);
  let at = opened.length;
  let complete = 0;
  for (let i = 0; i < length; i++) {
    const room = at + roomOf(candles, i);
    if (room > to.length) {
      to = enlarged(to, room + (length - i) * USUAL_BYTES);
      view = new DataView(to.buffer);
    }
    const end = starts[i]! + widthMs;
    const done = now >= end;
    if (done) complete++;
    setTimes(times, starts[i]!, end);
    at = copyAsciiText(view, at, times.text);
    at = writeDecimal(to, at, opens[i]!);
    at = writeDecimal(to, copyAsciiText(view, at, HIGH), highs[i]!);
    at = writeDecimal(to, copyAsciiText(view, at, LOW), lows[i]!);
    at = writeDecimal(to, copyAsciiText(view, at, CLOSE), closes[i]!);
    at = writeWhole(to, copyAsciiText(view, at, COUNT), counts[i]!);
    at = copyAsciiText(view, at, done ? COMPLETE : INCOMPLETE);
  }
  // Each candle begins with a comma, of which the first one is too many.
  to.copyWithin(opened.length, opened.length + 1, at);
  return { bytes: to.subarray(0, writeAscii(to, at - 1, "]}")), complete };
}

/** An upper bound of the bytes for a candle and the end of the list. */
function roomOf({ opens, highs, lows, closes }: CandleColumns, i: number): number {
  return FIXED_BYTES + decimalRoom(opens[i]!) + decimalRoom(highs[i]!) + decimalRoom(lows[i]!) + decimalRoom(closes[i]!);
}

function enlarged(from: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(Math.max(length, Math.ceil(from.length * 1.25)));
  to.set(from);
  return to;
}

function fixedBytes(): number {
  return [createCandleTimes().text, HIGH, LOW, CLOSE, COUNT, INCOMPLETE].reduce((sum, { length }) => sum + length, 16 + 2 + COPY_BYTES);
}
