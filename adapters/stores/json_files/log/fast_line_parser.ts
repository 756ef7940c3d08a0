import type { AssetCode, Observation, UtcMillis } from "../../../../core/mod.ts";

const [ZERO, POINT, QUOTE, BACKSLASH, COLON] = [0x30, 0x2e, 0x22, 0x5c, 0x3a] as const;
/** A whole number of so many digits is exact as a double, and its quotient with a power of ten is correctly rounded. */
const EXACT_DIGITS = 15;
const POWERS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => Number(`1e${digits}`));
/** The most digits that always fit into 31 bits. */
const SHORT_DIGITS = 9;

/** Many more than there are codes and providers; a power of two. */
const NAME_SLOTS = 4_096;
const MAX_NAME_LENGTH = 64;
/** More bytes than any line with names of that length has. */
const FAST_LINE_BYTES = 512;

// The texts between the values, each as the words at its start and at its end.
const [S, G, C0, C1] = [wordOf('{"s":'), wordOf(',"g":'), wordOf(',"c":"'), wordOf(',"c":"', 2)];
const [T0, T1, V0, V1] = [wordOf('","t":'), wordOf('","t":', 2), wordOf(',"v":"'), wordOf(',"v":"', 2)];
const [IT0, IT1, ST0, ST1] = [wordOf('","it":'), wordOf('","it":', 3), wordOf(',"st":'), wordOf(',"st":', 2)];
const [SRC0, SRC1, E0, E1] = [wordOf(',"src":"'), wordOf(',"src":"', 4), wordOf(',"e":1'), wordOf(',"e":1', 2)];
const [K0, K1] = [wordOf(',"k":"'), wordOf(',"k":"', 2)];

/** Digits of a time from 2001-09-09 to 2286-11-20 in milliseconds. */
const TIME_DIGITS = 13;

/** A line of a log. */
export interface ParsedLine<T> {
  readonly sequence: number;
  readonly generation: number;
  /** Whether it is the last line of its group. */
  readonly ends: boolean;
  readonly record: T;
}

/**
 * Parses lines in the form in which the program writes most of them, directly from the bytes. Its members are those of
 * the line that was parsed last. It makes no object for a line: the garbage of a million lines stays in memory for long.
 */
export interface FastLineParser<T> extends ParsedLine<T> {
  /** Where `parse` writes the record to: one that `blank` made. */
  record: T;
  /** Makes a record to write to. */
  blank(): T;
  /**
   * Parses the line at `start`; returns the index of its seal, or -1 for a line of another form, and where less
   * than half a kilobyte follows in `bytes`. Does not check the checksum.
   */
  parse(bytes: Buffer, start: number): number;
}

type MutableObservation = { -readonly [Member in keyof Observation]: Observation[Member] };

interface Name {
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * Makes a parser for observations of the usual form: members in the order in which they are written, names of up to
 * 64 ASCII characters without escapes, values of up to 15 digits, times from 2001 to 2286, status accepted and no
 * remark. It takes a tenth of the time of `JSON.parse` and the checks of an object, which remain for all other lines:
 * a store of a million records opens in 1.0 s with it, and in 4.5 s without.
 */
export function createFastLineParser(): FastLineParser<MutableObservation> {
  // A few names stand in all lines. Keeping one string for each also saves memory.
  const names: (Name | undefined)[] = Array.from({ length: NAME_SLOTS });
  let viewed: Buffer = Buffer.alloc(0);
  let view: DataView = new DataView(new ArrayBuffer(0));

  /** The ASCII text from `from` up to a quote; empty for any other text. */
  function nameAt(bytes: Buffer, from: number): string {
    let at = from;
    let hash = 0;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH || at - from === MAX_NAME_LENGTH) return "";
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 12)) & (NAME_SLOTS - 1);
    const known = names[slot];
    if (known !== undefined && known.bytes.length === at - from && hasAt(bytes, from, known.bytes)) return known.text;
    const text = bytes.toString("latin1", from, at);
    names[slot] = { bytes: Buffer.from(text), text };
    return text;
  }

  // One long function, as calls and variables shared between functions would take most of the time.
  function parse(bytes: Buffer, start: number): number {
    if (bytes !== viewed) {
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      viewed = bytes;
    }
    const line = view;
    let at = start;
    if (at + FAST_LINE_BYTES > bytes.length || line.getInt32(at, true) !== S || bytes[at + 4] !== COLON) return -1;

    let from = (at += 5);
    let sequence = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO) {
      sequence = (Math.imul(sequence, 10) + digit) | 0;
    }
    if (at === from || at - from > SHORT_DIGITS || (bytes[from] === ZERO && at - from > 1)) return -1;
    if (line.getInt32(at, true) !== G || bytes[at + 4] !== COLON) return -1;

    from = at += 5;
    let generation = 0;
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[++at]! - ZERO) {
      generation = (Math.imul(generation, 10) + digit) | 0;
    }
    if (at === from || at - from > SHORT_DIGITS || (bytes[from] === ZERO && at - from > 1)) return -1;
    if (line.getInt32(at, true) !== C0 || line.getInt32(at + 2, true) !== C1) return -1;

    const code = nameAt(bytes, (at += 6));
    at += code.length;
    if (code === "" || line.getInt32(at, true) !== T0 || line.getInt32(at + 2, true) !== T1) return -1;

    const businessTime = timeAt(line, (at += 6));
    at += TIME_DIGITS;
    if (businessTime === -1 || line.getInt32(at, true) !== V0 || line.getInt32(at + 2, true) !== V1) return -1;

    from = at += 6;
    let digits = 0;
    let point = -1;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
      if (byte >= ZERO && byte <= ZERO + 9) digits = digits * 10 + (byte - ZERO);
      else if (byte === POINT && point === -1) point = at;
      else return -1;
    }
    // The digits as a whole number are exact, so the quotient is the double nearest to the decimal.
    const value = point === -1 ? digits : digits / POWERS[at - point - 1]!;
    if (at - from > EXACT_DIGITS || digits === 0 || point === from || point === at - 1) return -1;
    if (line.getInt32(at, true) !== IT0 || line.getInt32(at + 3, true) !== IT1) return -1;

    const insertTime = timeAt(line, (at += 7));
    at += TIME_DIGITS;
    if (insertTime === -1) return -1;

    let sourceTime: number | null = null;
    if (line.getInt32(at, true) === ST0 && line.getInt32(at + 2, true) === ST1) {
      sourceTime = timeAt(line, (at += 6));
      at += TIME_DIGITS;
      if (sourceTime === -1) return -1;
    }
    let provider: string | null = null;
    if (line.getInt32(at, true) === SRC0 && line.getInt32(at + 4, true) === SRC1) {
      provider = nameAt(bytes, (at += 8));
      at += provider.length + 1;
      if (provider === "") return -1;
    }
    const ends = line.getInt32(at, true) === E0 && line.getInt32(at + 2, true) === E1;
    if (ends) at += 6;
    if (line.getInt32(at, true) !== K0 || line.getInt32(at + 2, true) !== K1) return -1;

    parser.sequence = sequence;
    parser.generation = generation;
    parser.ends = ends;
    const { record } = parser;
    record.code = code as AssetCode;
    record.value = value;
    record.businessTime = businessTime as UtcMillis;
    record.sourceTime = sourceTime as UtcMillis | null;
    record.insertTime = insertTime as UtcMillis;
    record.provider = provider;
    return at;
  }

  // The numbers mean nothing before the first line.
  const parser = { parse, blank, sequence: 0, generation: 0, ends: false, record: blank() };
  return parser;
}

/** An observation to write to: accepted and without a remark, as every line of the usual form is. */
function blank(): MutableObservation {
  // NaN, so that the engine stores the members as doubles from the start and writes later numbers to the same memory.
  const [code, value, time] = ["" as AssetCode, NaN, NaN as UtcMillis];
  const plain = { provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
  return { code, value, businessTime: time, sourceTime: null, insertTime: time, ...plain };
}

function hasAt(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
  return true;
}

// ASCII digits are read as 32-bit words, four at a time, which takes a third of the time of one at a time.

/** The four ASCII characters at `at` of a text, as the number that `getInt32` reads in little-endian order. */
function wordOf(text: string, at = 0): number {
  return Buffer.from(text).readInt32LE(at);
}

/** Reads a number of exactly 13 digits, of which the first is not 0; -1 for anything else. */
function timeAt(view: DataView, at: number): number {
  const a = view.getInt32(at, true) ^ 0x30303030;
  const b = view.getInt32(at + 4, true) ^ 0x30303030;
  const c = view.getInt32(at + 8, true) ^ 0x30303030;
  const last = view.getUint8(at + 12) ^ 0x30;
  // The upper half of a digit's byte is 0 now, and is still 0 after adding 6.
  if (
    ((a | (a + 0x06060606) | b | (b + 0x06060606) | c | (c + 0x06060606)) & 0xf0f0f0f0) !== 0 ||
    last > 9 ||
    (a & 0xff) === 0
  )
    return -1;
  return ((fourDigits(a) * 10_000 + fourDigits(b)) * 10_000 + fourDigits(c)) * 10 + last;
}

/** The number that four digits make; the lowest byte holds the first digit. */
function fourDigits(values: number): number {
  const pairs = Math.imul(values, 10) + (values >>> 8);
  return (pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff);
}
