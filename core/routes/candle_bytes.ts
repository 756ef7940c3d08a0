import type { UtcMillis } from "../branded_types.ts";
import { type AsciiText, asciiText, COPY_BYTES, copyAsciiText } from "../bytes/ascii_text.ts";
import { csvRecord } from "../bytes/csv.ts";
import { decimalRoom, writeAscii, writeDecimal, writeWhole } from "../bytes/json_writer.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { Candle, CandleList } from "../market/candles.ts";
import { createCandleTimes, setTimes } from "./candle_times.ts";

/** The texts around the values of a candle: those around the timestamps, those before further numbers, and its ends. */
type CandleForm = readonly [
  times: readonly [before: string, between: string, after: string],
  high: AsciiText,
  low: AsciiText,
  close: AsciiText,
  count: AsciiText,
  complete: AsciiText,
  incomplete: AsciiText,
];

const JSON_FORM: CandleForm = [
  [`,{"start":"`, `","end":"`, `","open":`],
  /* @__PURE__ */ asciiText(`,"high":`),
  /* @__PURE__ */ asciiText(`,"low":`),
  /* @__PURE__ */ asciiText(`,"close":`),
  /* @__PURE__ */ asciiText(`,"observationCount":`),
  /* @__PURE__ */ asciiText(`,"complete":true}`),
  /* @__PURE__ */ asciiText(`,"complete":false}`),
];
const CSV_HEADER = "code,quoteUnit,interval,start,end,open,high,low,close,observationCount,complete\n";
const COMMA = /* @__PURE__ */ asciiText(",");
const COMPLETE_LINE = /* @__PURE__ */ asciiText(",true\n");
const INCOMPLETE_LINE = /* @__PURE__ */ asciiText(",false\n");
/** The end of the list, and what a copy may write too far. */
const END_BYTES = 2 + COPY_BYTES;

/**
 * Writes the body of a candle answer into one buffer.
 *
 * @param head The body up to the bracket that opens the list of candles.
 * @param candles At least one. Source: contract, OHLC response.
 */
export function writeCandles(head: string, candles: CandleList, now: UtcMillis): Uint8Array {
  const opened = utf8(head);
  const { to, at } = writeEach(JSON_FORM, opened, { candles, now });
  // Each candle begins with a comma, of which the first one is too many.
  to.copyWithin(opened.length, opened.length + 1, at);
  return to.subarray(0, writeAscii(to, at - 1, "]}"));
}

/**
 * Writes candles as CSV with a header line into one buffer.
 *
 * @param cells Code, quote unit and interval, which begin each line. ASCII.
 */
export function writeCandleLines(cells: readonly string[], candles: CandleList, now: UtcMillis): Uint8Array {
  const times = [`${csvRecord(cells)},`, ",", ","] as const;
  const form: CandleForm = [times, COMMA, COMMA, COMMA, COMMA, COMPLETE_LINE, INCOMPLETE_LINE];
  const { to, at } = writeEach(form, utf8(CSV_HEADER), { candles, now });
  return to.subarray(0, at);
}

/** Writes a head and the candles; returns the buffer and the position after them. */
function writeEach(
  [aroundTimes, toHigh, toLow, toClose, toCount, complete, incomplete]: CandleForm,
  head: Uint8Array,
  { candles, now }: { readonly candles: CandleList; readonly now: UtcMillis },
): { readonly to: Uint8Array; readonly at: number } {
  const times = createCandleTimes(aroundTimes);
  const fixed = [times.text, toHigh, toLow, toClose, toCount, incomplete].reduce((sum, { length }) => sum + length, 0);
  let room = head.length + END_BYTES;
  for (let i = 0; i < candles.length; i++) room += fixed + roomOf(candles.at(i)!);
  const to = new Uint8Array(room);
  const view = new DataView(to.buffer);
  to.set(head);
  let at = head.length;
  for (let i = 0; i < candles.length; i++) {
    const { start, end, open, high, low, close, observationCount } = candles.at(i)!;
    const done = now >= end;
    setTimes(times, start, end);
    at = writeDecimal(to, copyAsciiText(view, at, times.text), open);
    at = writeDecimal(to, copyAsciiText(view, at, toHigh), high);
    at = writeDecimal(to, copyAsciiText(view, at, toLow), low);
    at = writeDecimal(to, copyAsciiText(view, at, toClose), close);
    at = writeWhole(to, copyAsciiText(view, at, toCount), observationCount);
    at = copyAsciiText(view, at, done ? complete : incomplete);
  }
  return { to, at };
}

/** An upper bound of the bytes for the numbers of a candle, and a near one: an answer that is not read keeps all of its room. */
function roomOf({ open, high, low, close, observationCount }: Candle): number {
  return decimalRoom(open) + decimalRoom(high) + decimalRoom(low) + decimalRoom(close) + decimalRoom(observationCount);
}
