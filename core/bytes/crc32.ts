/** How many bytes a round of the loop reads. Each byte has its own table. Reading single bytes takes twice as long. */
const STEP = 4;
const TABLES = /* @__PURE__ */ crcTables();

/** The CRC-32 (IEEE 802.3, as in gzip) of bytes or an ASCII text. Detects accidental changes, not deliberate ones. */
export function crc32(data: Uint8Array | string): number {
  return ~(typeof data === "string" ? sumText(data) : sumBytes(data)) >>> 0;
}

function sumText(text: string): number {
  let crc = -1;
  for (let i = 0; i < text.length; i++) crc = TABLES[(crc ^ text.charCodeAt(i)) & 0xff]! ^ (crc >>> 8);
  return crc;
}

function sumBytes(bytes: Uint8Array): number {
  let crc = -1;
  let i = 0;
  for (const last = bytes.length - STEP; i <= last; i += STEP) {
    crc =
      TABLES[0x300 + ((crc ^ bytes[i]!) & 0xff)]! ^
      TABLES[0x200 + (((crc >>> 8) ^ bytes[i + 1]!) & 0xff)]! ^
      TABLES[0x100 + (((crc >>> 16) ^ bytes[i + 2]!) & 0xff)]! ^
      TABLES[(crc >>> 24) ^ bytes[i + 3]!]!;
  }
  for (; i < bytes.length; i++) crc = TABLES[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return crc;
}

/** A CRC-32 as 8 lower-case hex digits. */
export function crc32Hex(data: Uint8Array | string): string {
  return crc32(data).toString(16).padStart(8, "0");
}

/** Makes the tables for the last, the third, the second and the first byte of a round, in this order. */
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
