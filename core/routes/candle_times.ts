import { COPY_BYTES, asciiText } from "../bytes/ascii_text.ts";
import type { AsciiText } from "../bytes/ascii_text.ts";
import { TIME_OF_DAY_BYTES, TIMESTAMP_BYTES, writeTimeOfDay, writeTimestamp } from "../bytes/json_writer.ts";
import { DAY_MS } from "../time/durations.ts";

/** The JSON of a candle from its comma up to its first price: the two timestamps, which are changed in place from candle to candle. */
export interface CandleTimes {
  readonly text: AsciiText;
  /** The moment that the second timestamp shows, and its day since 1970-01-01. */
  end: number;
  endDay: number;
}

const DATE_BYTES = TIMESTAMP_BYTES - TIME_OF_DAY_BYTES;
const NO_TIME = ".".repeat(TIMESTAMP_BYTES);
const BEFORE_START = `,{"start":"`;
const BEFORE_END = `","end":"`;
const START_AT = BEFORE_START.length;
const END_AT = START_AT + TIMESTAMP_BYTES + BEFORE_END.length;

/** Makes the text, with placeholders for the timestamps. */
export function createCandleTimes(): CandleTimes {
  return { text: asciiText(`${BEFORE_START}${NO_TIME}${BEFORE_END}${NO_TIME}","open":`), end: NaN, endDay: NaN };
}

/** Writes the timestamps of a candle. Most candles start where the one before ended, and end on the same day or the next, so little is written. */
export function setTimes(times: CandleTimes, start: number, end: number): void {
  const { bytes, view } = times.text;
  if (start !== times.end) writeTimestamp(bytes, START_AT, start);
  else for (let i = 0; i < TIMESTAMP_BYTES; i += COPY_BYTES) view.setFloat64(START_AT + i, view.getFloat64(END_AT + i));
  const endDay = Math.floor(end / DAY_MS);
  if (endDay === times.endDay) writeTimeOfDay(bytes, END_AT + DATE_BYTES, end - endDay * DAY_MS);
  else writeMoment(bytes, END_AT, end, end === times.end + DAY_MS);
  times.end = end;
  times.endDay = endDay;
}

/** Writes a timestamp. Where it is one day after the timestamp in place, and in the same month, only the day changes. */
function writeMoment(bytes: Uint8Array, at: number, millis: number, isNextDay: boolean): void {
  const tens = bytes[at + 8]! - 48;
  const ones = bytes[at + 9]! - 48;
  if (!isNextDay || tens * 10 + ones >= 28) return void writeTimestamp(bytes, at, millis);
  bytes[at + 8] = 48 + tens + (ones === 9 ? 1 : 0);
  bytes[at + 9] = ones === 9 ? 48 : 49 + ones;
}
