import { decimalRoom, observationFault, writeAscii, writeDecimal, writeWhole } from "../../../../core/internal.ts";
import type { Observation } from "../../../../core/mod.ts";
import { FRAME_BYTES, type LogLines, MAX_APPEND_BYTES, totalBytes } from "./log_lines.ts";
import { MAX_LINE_BYTES } from "./sealed_line.ts";

const DECIMAL = /^\d+(?:\.\d+)?$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The most bytes of a UTF-16 unit in JSON: those of a control character, e.g. `\u0007`. */
const BYTES_A_UNIT = 6;
/** More bytes than the names, quotes, three times and the status of an observation take together. */
const MEMBERS_BYTES = 128;

/**
 * The lines of good observations. Throws `RangeError` for too large ones.
 *
 * An observation's line has the members `c` code, `t` business time, `v` value, `it` insert time, and where there is
 * one `st` source time, `src` provider, `q` quality status, `m` remark on it. The value is a text, as some tools
 * change JSON numbers.
 */
export function observationLines(batch: readonly Observation[]): LogLines {
  let bytes = 0;
  let longest = 0;
  for (const observation of batch) {
    const most = mostBytes(observation);
    longest = Math.max(longest, most);
    bytes += most;
  }
  // Only lines that may be too large are measured exactly.
  if (longest > MAX_LINE_BYTES || bytes > MAX_APPEND_BYTES) bytes = totalBytes(batch.map(exactBytes));
  return { count: batch.length, bytes, write: (to, at, index) => writeObservation(to, at, batch[index]!) };
}

/** An upper bound of the bytes of an observation's line. */
function mostBytes({ code, value, provider, qualityMessage }: Observation): number {
  return (
    FRAME_BYTES +
    MEMBERS_BYTES +
    decimalRoom(value) +
    BYTES_A_UNIT * (code.length + (provider?.length ?? 0) + qualityMessage.length)
  );
}

/** The bytes of an observation's line, or a lower bound of them where that is too many already. */
function exactBytes(observation: Observation): number {
  const least = observation.code.length + observation.qualityMessage.length;
  return least > MAX_LINE_BYTES
    ? least
    : FRAME_BYTES + writeObservation(Buffer.allocUnsafe(mostBytes(observation)), 0, observation);
}

/** Writes the members of an observation's line at `at`; returns the index behind them. */
function writeObservation(to: Buffer, at: number, observation: Observation): number {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
  at = writeAscii(to, at, '"c":');
  at = writeQuoted(to, at, code);
  at = writeAscii(to, at, ',"t":');
  at = writeMillis(to, at, businessTime);
  at = writeAscii(to, at, ',"v":"');
  at = writeDecimal(to, at, value);
  at = writeAscii(to, at, '","it":');
  at = writeMillis(to, at, insertTime);
  if (sourceTime !== null) at = writeMillis(to, writeAscii(to, at, ',"st":'), sourceTime);
  if (provider !== null) at = writeQuoted(to, writeAscii(to, at, ',"src":'), provider);
  if (qualityStatus !== "ACCEPTED") at = writeAscii(to, at, `,"q":"${qualityStatus}"`);
  return qualityMessage === "" ? at : writeQuoted(to, writeAscii(to, at, ',"m":'), qualityMessage);
}

function writeMillis(to: Buffer, at: number, time: number): number {
  return time < 0 ? writeWhole(to, writeAscii(to, at, "-"), -time) : writeWhole(to, at, time);
}

/** Writes a text as `JSON.stringify` does. */
function writeQuoted(to: Buffer, at: number, text: string): number {
  const start = at;
  to[at++] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH)
      return start + to.write(JSON.stringify(text), start);
    to[at++] = unit;
  }
  to[at++] = QUOTE;
  return at;
}

/** The members of a line, of which none is known to be anything yet. */
interface LineMembers {
  readonly c?: unknown;
  readonly t?: unknown;
  readonly v?: unknown;
  readonly it?: unknown;
  readonly st?: unknown;
  readonly src?: unknown;
  readonly q?: unknown;
  readonly m?: unknown;
}

/** Reads an observation's line; `undefined` when it is none. */
export function decodeObservation(line: object): Observation | undefined {
  const { c, t, v, it, st = null, src = null, q = "ACCEPTED", m = "" } = line as LineMembers;
  if (typeof v !== "string" || !DECIMAL.test(v)) return undefined;
  const value = Number(v);
  // A cast, as each member is checked next.
  const read = {
    code: c,
    value,
    businessTime: t,
    sourceTime: st,
    insertTime: it,
    provider: src,
    qualityStatus: q,
    qualityMessage: m,
  } as Observation;
  return observationFault(read) === undefined ? read : undefined;
}

/** An observation of its own, with the members of one and nothing else. */
export function copyObservation(observation: Observation): Observation {
  const { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage } = observation;
  return { code, value, businessTime, sourceTime, insertTime, provider, qualityStatus, qualityMessage };
}
