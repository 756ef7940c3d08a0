// Functions that write JSON as bytes, for large or frequent answers.
// They take a seventh of the time of JSON.stringify for 10,000 candles, and a fifth for the list of all assets.
// Each writes at a position and returns the next position, or throws a RangeError if the bytes do not fit.
import { DAY_MS } from "../time/durations.ts";
import { isPrintable } from "../time/timestamps.ts";
import { formatDecimal } from "./json.ts";

/** Maximum length, with the sign, of a whole number below 1e9. Most prices are such numbers. */
const SMALL_WHOLE_BYTES = 10;

/** Maximum length of a number with an absolute value from 1e-6 to below 1e21: the sign, `0.`, five zeros, 17 digits. */
const ORDINARY_DECIMAL_BYTES = 25;

/** Maximum length of any number: -1.1125369292536007e-308 has 327 bytes when written without an exponent. */
const MAX_DECIMAL_BYTES = 328;

/** Bytes of a timestamp. */
export const TIMESTAMP_BYTES = 24;

/** Length of the date in a timestamp. */
export const DATE_BYTES = 10;

const ZERO = 48;
const MINUS = 45;
const DOT = 46;

/** The digits of the numbers from 0 to 99. */
const TENS = /* @__PURE__ */ Uint8Array.from({ length: 100 }, (_, n) => ZERO + Math.floor(n / 10));
const ONES = /* @__PURE__ */ Uint8Array.from({ length: 100 }, (_, n) => ZERO + (n % 10));

/** Different decimals of up to 15 digits are different doubles, so the first match is the shortest decimal. */
const FIFTEEN_DIGITS = 1e15;
const POWERS = /* @__PURE__ */ Float64Array.from({ length: 13 }, (_, k) => Number(`1e${k}`));

/** The maximum number of bytes that `writeDecimal` needs for a value. */
export function decimalRoom(value: number): number {
  const size = Math.abs(value);
  if (size < 1e9 && size === Math.floor(size)) return SMALL_WHOLE_BYTES;
  return size >= 1e-6 && size < 1e21 ? ORDINARY_DECIMAL_BYTES : MAX_DECIMAL_BYTES;
}

/** Writes an ASCII text. Throws `RangeError` for any other character. */
export function writeAscii(to: Uint8Array, at: number, text: string): number {
  demandRoom(to, at, text.length);
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    seen |= unit;
    to[at + i] = unit;
  }
  if (seen > 127)
    throw new RangeError(`Cannot write a text because all its characters must be ASCII: received "${text}"`);
  return at + text.length;
}

/** Writes a whole number from 0 to 2 ** 53 - 1 in decimal. */
export function writeWhole(to: Uint8Array, at: number, n: number): number {
  if (n >= 0 && n < 1e9) {
    // The engine divides small integers several times faster than doubles.
    const small = n | 0;
    const end = at + countDigits(small);
    demandRoom(to, at, end - at);
    writeSmall(to, end, small);
    return end;
  }
  if (!(n >= 0 && Number.isSafeInteger(n)))
    throw new RangeError(`Cannot write a whole number because it must be from 0 to 2 ** 53 - 1: received "${n}"`);
  const high = Math.floor(n / 1e9);
  const middle = writeWhole(to, at, high);
  demandRoom(to, middle, 9);
  to.fill(ZERO, middle, middle + 9);
  writeSmall(to, middle + 9, n - high * 1e9);
  return middle + 9;
}

/** Like `formatDecimal`, writes a finite number with the fewest digits and without an exponent. */
export function writeDecimal(to: Uint8Array, at: number, value: number): number {
  if (value < 0) {
    demandRoom(to, at, 1);
    const end = writeSize(to, at + 1, -value);
    to[at] = MINUS;
    return end;
  }
  return writeSize(to, at, value);
}

function writeSize(to: Uint8Array, at: number, value: number): number {
  if (value < FIFTEEN_DIGITS) {
    const whole = Math.floor(value);
    if (whole === value) return writeWhole(to, at, whole);
    // Tries 2, 4, 6 … decimal places, because each try costs a division. A zero at the end is removed below.
    for (let places = 2; places < POWERS.length; places += 2) {
      const power = POWERS[places]!;
      const scaled = Math.round(value * power);
      if (scaled >= FIFTEEN_DIGITS) break;
      // `scaled` and `power` are whole and below 2 ** 53, so the quotient is the double nearest to the decimal.
      if (scaled / power !== value) continue;
      // A leading 1 preserves the zeros at the start of the fraction. The decimal point later overwrites the 1.
      const fraction = power + scaled - whole * power;
      const tenth = fraction < 2e9 ? (fraction / 10) | 0 : Math.floor(fraction / 10);
      const dot = writeWhole(to, at, whole);
      const end = writeWhole(to, dot, tenth * 10 === fraction ? tenth : fraction);
      to[dot] = DOT;
      return end;
    }
  }
  return writeAscii(to, at, formatDecimal(value));
}

/** Writes a time like `Date.prototype.toISOString`, in 24 bytes. For whole milliseconds in the years 0 to 9999. */
export function writeTimestamp(to: Uint8Array, at: number, millis: number): number {
  demandRoom(to, at, TIMESTAMP_BYTES);
  const days = Math.floor(millis / DAY_MS);
  if (!isPrintable(millis))
    throw new RangeError(`Cannot write a time because its year must be from 0 to 9999: received "${millis}"`);
  writeDate(to, at, days | 0);
  return writeTimeOfDay(to, at + DATE_BYTES, (millis - days * DAY_MS) | 0);
}

/** Writes the date of a day number as `YYYY-MM-DD`. */
function writeDate(to: Uint8Array, at: number, days: number): void {
  // In this calculation, years begin in March, so that the leap day is the last day of a year. An era has 400 years.
  const since = days + 719_468 + 146_097;
  const era = (since / 146_097) | 0;
  const dayOfEra = since - era * 146_097;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1_460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const marchMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const day = dayOfYear - (((153 * marchMonth + 2) / 5) | 0) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0);
  const century = (year / 100) | 0;
  writeTwo(to, at, century);
  writeTwo(to, at + 2, year - century * 100);
  to[at + 4] = MINUS;
  writeTwo(to, at + 5, month);
  to[at + 7] = MINUS;
  writeTwo(to, at + 8, day);
}

/** Writes the time of a timestamp, `THH:MM:SS.mmmZ`, from the milliseconds since the day began. */
export function writeTimeOfDay(to: Uint8Array, at: number, millis: number): number {
  demandRoom(to, at, TIMESTAMP_BYTES - DATE_BYTES);
  const seconds = (millis / 1_000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  to[at] = 84;
  writeTwo(to, at + 1, hours);
  to[at + 3] = 58;
  writeTwo(to, at + 4, minutes - hours * 60);
  to[at + 6] = 58;
  writeTwo(to, at + 7, seconds - minutes * 60);
  to[at + 9] = DOT;
  const rest = millis - seconds * 1_000;
  to[at + 10] = ZERO + ((rest / 100) | 0);
  writeTwo(to, at + 11, rest % 100);
  to[at + 13] = 90;
  return at + TIMESTAMP_BYTES - DATE_BYTES;
}

/** Writes a number below 100 as two digits. */
function writeTwo(to: Uint8Array, at: number, n: number): void {
  to[at] = TENS[n]!;
  to[at + 1] = ONES[n]!;
}

/** Writes a whole number below 1e9 into the bytes just before `end`. */
function writeSmall(to: Uint8Array, end: number, n: number): void {
  let rest = n | 0;
  let at = end;
  for (; rest > 9; at -= 2) {
    const hundreds = (rest / 100) | 0;
    writeTwo(to, at - 2, (rest - hundreds * 100) | 0);
    rest = hundreds;
  }
  if (rest > 0 || at === end) to[at - 1] = ZERO + rest;
}

/** How many digits a whole number below 1e9 has. */
function countDigits(n: number): number {
  if (n < 100) return n < 10 ? 1 : 2;
  if (n < 1e4) return n < 1e3 ? 3 : 4;
  if (n < 1e6) return n < 1e5 ? 5 : 6;
  if (n < 1e8) return n < 1e7 ? 7 : 8;
  return 9;
}

/** Throws `RangeError` if this number of bytes does not fit at a position. */
function demandRoom(to: Uint8Array, at: number, bytes: number): void {
  if (at + bytes > to.length)
    throw new RangeError(`Cannot write because there must be room for ${bytes} bytes: received "${to.length - at}"`);
}
