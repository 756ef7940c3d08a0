import type { AssetCode, UtcMillis } from "../../core/brand.ts";
import type { Observation } from "../../core/observation.ts";
import { SEAL_LENGTH } from "./line.ts";
import type { LineRead } from "./scan.ts";

/** Whole numbers of so many digits, and quotients of one and a power of ten, are exact in a double. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);
const [ZERO, NINE, POINT, QUOTE, BACKSLASH] = [..."09.\"\\"].map((character) => character.charCodeAt(0));

/** Many more than there are codes and providers. */
const MAX_NAMES = 4_096;

const S = Buffer.from('{"s":');
const G = Buffer.from(',"g":');
const C = Buffer.from(',"c":"');
const T = Buffer.from('","t":');
const V = Buffer.from(',"v":"');
const IT = Buffer.from('","it":');
const ST = Buffer.from(',"st":');
const SRC = Buffer.from(',"src":"');
const END_OF_TEXT = Buffer.from('"');
const E = Buffer.from(',"e":1');

/**
 * Makes a reader of ordinary observations: members in the order in which they are written, plain ASCII
 * without escapes, numbers of up to 15 digits, no remark and no status other than accepted. It reads
 * them from the bytes, in a quarter of the time that text, JSON and checks of an object take; all
 * other lines it leaves to those.
 */
export function createQuickReader(): (bytes: Buffer, start: number, end: number) => LineRead<Observation> | undefined {
  // A few names stand in all lines. Each is kept once, which also saves the memory.
  const names = new Map<number, { readonly bytes: Buffer; readonly text: string }>();
  let bytes: Buffer;
  let at = 0;

  function isAt(place: number, expected: Buffer): boolean {
    for (let i = 0; i < expected.length; i++) if (bytes[place + i] !== expected[i]) return false;
    return true;
  }

  function skip(expected: Buffer): boolean {
    if (!isAt(at, expected)) return false;
    at += expected.length;
    return true;
  }

  /** A whole number from 0; -1 for anything unusual. */
  function readWhole(): number {
    const from = at;
    let number = 0;
    for (let byte = bytes[at]!; byte >= ZERO! && byte <= NINE!; byte = bytes[++at]!) number = number * 10 + byte - ZERO!;
    const digits = at - from;
    return digits === 0 || digits > EXACT_DIGITS || (digits > 1 && bytes[from] === ZERO) ? -1 : number;
  }

  /** A decimal number above 0; 0 for anything unusual. */
  function readDecimal(): number {
    const from = at;
    let digits = 0;
    let fraction = 0;
    let point = -1;
    for (; ; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO! && byte <= NINE!) digits = digits * 10 + byte - ZERO!;
      else if (byte === POINT && point === -1 && at > from) point = at;
      else break;
    }
    if (point !== -1) fraction = at - point - 1;
    if (at - from > EXACT_DIGITS || (point !== -1 && fraction === 0)) return 0;
    return digits / POWERS[fraction]!;
  }

  /** A text up to its closing quote; empty for anything unusual. */
  function readName(): string {
    const from = at;
    let hash = 0;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
      if (!(byte >= 0x20 && byte < 0x7f) || byte === BACKSLASH) return "";
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const known = names.get(hash);
    if (known?.bytes.length === at - from && isAt(from, known.bytes)) return known.text;
    const text = bytes.toString("latin1", from, at);
    if (names.size === MAX_NAMES) names.clear();
    names.set(hash, { bytes: Buffer.from(text), text });
    return text;
  }

  return (line, start, end) => {
    bytes = line;
    at = start;
    const sequence = skip(S) ? readWhole() : -1;
    const generation = skip(G) ? readWhole() : -1;
    const code = skip(C) ? readName() : "";
    const businessTime = skip(T) ? readWhole() : -1;
    const value = skip(V) ? readDecimal() : 0;
    const insertTime = skip(IT) ? readWhole() : -1;
    if (sequence < 0 || generation < 0 || code === "" || businessTime < 0 || value === 0 || insertTime < 0) return undefined;
    const sourceTime = skip(ST) ? readWhole() : null;
    const provider = skip(SRC) ? readName() : null;
    if (sourceTime === -1 || provider === "" || (provider !== null && !skip(END_OF_TEXT))) return undefined;
    const ends = skip(E);
    if (at !== end - SEAL_LENGTH) return undefined;
    const record: Observation = {
      code: code as AssetCode,
      value,
      businessTime: businessTime as UtcMillis,
      sourceTime: sourceTime as UtcMillis | null,
      insertTime: insertTime as UtcMillis,
      provider,
      qualityStatus: "ACCEPTED",
      qualityMessage: "",
    };
    return { sequence, generation, ends, record };
  };
}
