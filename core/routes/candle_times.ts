import { COPY_BYTES, asciiText } from "../bytes/ascii_text.ts";
import type { AsciiText } from "../bytes/ascii_text.ts";
import { TIME_OF_DAY_BYTES, TIMESTAMP_BYTES, writeTimeOfDay, writeTimestamp } from "../bytes/json_writer.ts";
import { DAY_MS } from "../time/durations.ts";

/** A candle's text as far as its first price, and what its second timestamp shows. */
export interface Opening {
  readonly text: AsciiText;
  end: number;
  endDay: number;
}

const DATE_BYTES = TIMESTAMP_BYTES - TIME_OF_DAY_BYTES;
const NO_TIME = ".".repeat(TIMESTAMP_BYTES);
const BEFORE_START = `,{"start":"`;
const BEFORE_END = `","end":"`;
const START_AT = BEFORE_START.length;
const END_AT = START_AT + TIMESTAMP_BYTES + BEFORE_END.length;

/** Makes an opening that shows no times yet. */
export function createOpening(): Opening {
  return { text: asciiText(`${BEFORE_START}${NO_TIME}${BEFORE_END}${NO_TIME}","open":`), end: NaN, endDay: NaN };
}

/** Makes the opening show other times. A candle mostly starts where the one before ended, and ends on the same day, or a day later. */
export function advance(opening: Opening, start: number, end: number): void {
  const { bytes, view } = opening.text;
  if (start !== opening.end) writeTimestamp(bytes, START_AT, start);
  else for (let i = 0; i < TIMESTAMP_BYTES; i += COPY_BYTES) view.setFloat64(START_AT + i, view.getFloat64(END_AT + i));
  const endDay = Math.floor(end / DAY_MS);
  if (endDay === opening.endDay) writeTimeOfDay(bytes, END_AT + DATE_BYTES, end - endDay * DAY_MS);
  else writeMoment(bytes, END_AT, end, end === opening.end + DAY_MS);
  opening.end = end;
  opening.endDay = endDay;
}

/** Writes a moment; where it is a day after the one that is there, and that is no last of its month, only its day. */
function writeMoment(bytes: Uint8Array, at: number, millis: number, isNextDay: boolean): void {
  const tens = bytes[at + 8]! - 48;
  const ones = bytes[at + 9]! - 48;
  if (!isNextDay || tens * 10 + ones >= 28) return void writeTimestamp(bytes, at, millis);
  bytes[at + 8] = 48 + tens + (ones === 9 ? 1 : 0);
  bytes[at + 9] = ones === 9 ? 48 : 49 + ones;
}
