/** Bytes that the inner loop takes at a time. */
const STEP = 16;
const TABLES = /* @__PURE__ */ crcTables();

/**
 * CRC-32 (IEEE 802.3, as in gzip) of bytes, or of an ASCII text; with an earlier result as `seed`, of both together.
 * It finds accidental changes, not deliberate ones.
 *
 * @param span Where to begin, and where to end, excluded. Default: all.
 */
export function crc32(data: Uint8Array | string, seed = 0, span: Span = { from: 0, to: data.length }): number {
  return typeof data === "string" ? sumText(data, seed, span) : sumBytes(data, seed, span);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A CRC-32 as 8 lower-case hex digits. */
export function crc32Hex(data: Uint8Array | string): string {
  return crc32(data).toString(16).padStart(8, "0");
}

function sumText(text: string, seed: number, { from, to }: Span): number {
  let crc = ~seed;
  for (let i = from; i < to; i++) crc = TABLES[(crc ^ text.charCodeAt(i)) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Takes sixteen bytes at a time, with a table for each of them, in a third of the time that single bytes take. */
function sumBytes(data: Uint8Array, seed: number, { from, to }: Span): number {
  let crc = ~seed;
  let i = from;
  for (const last = to - STEP; i <= last; i += STEP) {
    crc =
      TABLES[0xf00 + ((crc ^ data[i]!) & 0xff)]! ^
      TABLES[0xe00 + (((crc >>> 8) ^ data[i + 1]!) & 0xff)]! ^
      TABLES[0xd00 + (((crc >>> 16) ^ data[i + 2]!) & 0xff)]! ^
      TABLES[0xc00 + ((crc >>> 24) ^ data[i + 3]!)]! ^
      TABLES[0xb00 + data[i + 4]!]! ^
      TABLES[0xa00 + data[i + 5]!]! ^
      TABLES[0x900 + data[i + 6]!]! ^
      TABLES[0x800 + data[i + 7]!]! ^
      TABLES[0x700 + data[i + 8]!]! ^
      TABLES[0x600 + data[i + 9]!]! ^
      TABLES[0x500 + data[i + 10]!]! ^
      TABLES[0x400 + data[i + 11]!]! ^
      TABLES[0x300 + data[i + 12]!]! ^
      TABLES[0x200 + data[i + 13]!]! ^
      TABLES[0x100 + data[i + 14]!]! ^
      TABLES[data[i + 15]!]!;
  }
  for (const last = to - 4; i <= last; i += 4) {
    crc =
      TABLES[0x300 + ((crc ^ data[i]!) & 0xff)]! ^
      TABLES[0x200 + (((crc >>> 8) ^ data[i + 1]!) & 0xff)]! ^
      TABLES[0x100 + (((crc >>> 16) ^ data[i + 2]!) & 0xff)]! ^
      TABLES[(crc >>> 24) ^ data[i + 3]!]!;
  }
  for (; i < to; i++) crc = TABLES[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The table for a byte that is the last one, then the tables for a byte with 1, 2, … bytes after it. */
function crcTables(): Int32Array {
  const tables = new Int32Array(256 * STEP);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    tables[n] = c;
  }
  for (let n = 256; n < tables.length; n++) tables[n] = tables[tables[n - 256]! & 0xff]! ^ (tables[n - 256]! >>> 8);
  return tables;
}
