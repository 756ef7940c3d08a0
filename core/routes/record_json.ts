import { decimalRoom, TIMESTAMP_BYTES, writeAscii, writeDecimal, writeTimestamp } from "../bytes/json_writer.ts";
import { utf8 } from "../bytes/utf8.ts";
import type { Asset } from "../market/assets.ts";
import type { Observation } from "../market/observation.ts";

/** The bytes of JSON with which every record of an asset begins, up to the value. By code. */
export type RecordHeads = ReadonlyMap<string, Uint8Array>;

const TO_TIME = ',"businessTime":"';
const END = '"}';
/** The bytes of a record after its value, and of the comma before it. */
const REST_BYTES = TO_TIME.length + TIMESTAMP_BYTES + END.length + 1;
const [OPEN, COMMA, CLOSE] = [91, 44, 93];

/** Renders the part that all records of an asset share, once for each asset of a catalog. */
export function recordHeads(assets: ReadonlyMap<string, Asset>): RecordHeads {
  const heads = Array.from(assets, ([key, { code, labelEn, labelFa, quoteUnit }]) => {
    const fields = { code, name: code, slug: code.toLowerCase(), labelEn, labelFa, quoteUnit };
    return [key, utf8(`${JSON.stringify(fields).slice(0, -1)},"value":`)] as const;
  });
  return new Map(heads);
}

/** An asset value record as the bytes of JSON. Source: contract, Asset value record. */
export function recordBytes(heads: RecordHeads, observation: Observation): Uint8Array {
  return recordListBytes(heads, [observation]).subarray(1, -1);
}

/** A list of asset value records as the bytes of JSON. */
export function recordListBytes(heads: RecordHeads, observations: readonly Observation[]): Uint8Array {
  let room = 2;
  for (const { code, value } of observations) room += heads.get(code)!.length + decimalRoom(value) + REST_BYTES;
  const bytes = new Uint8Array(room);
  let at = 0;
  bytes[at++] = OPEN;
  for (const observation of observations) {
    if (at > 1) bytes[at++] = COMMA;
    at = writeRecord(bytes, at, heads, observation);
  }
  bytes[at++] = CLOSE;
  return bytes.subarray(0, at);
}

function writeRecord(to: Uint8Array, start: number, heads: RecordHeads, observation: Observation): number {
  const { code, value, businessTime } = observation;
  const head = heads.get(code)!;
  to.set(head, start);
  let at = writeDecimal(to, start + head.length, value);
  at = writeAscii(to, at, TO_TIME);
  at = writeTimestamp(to, at, businessTime);
  return writeAscii(to, at, END);
}
