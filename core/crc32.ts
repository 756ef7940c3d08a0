const TABLE = /* @__PURE__ */ crcTable();

/**
 * CRC-32 (IEEE 802.3, as in gzip) of bytes, or of an ASCII text's bytes; pass an earlier result as
 * `seed` to go on from it. A check against accidents, never against intent.
 */
export function crc32(data: Uint8Array | string, seed = 0): number {
  let crc = ~seed;
  if (typeof data === "string") {
    for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data.charCodeAt(i)) & 0xff]! ^ (crc >>> 8);
  } else {
    for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** A CRC-32 as 8 lower-case hex digits. */
export function crc32Hex(data: Uint8Array | string): string {
  return crc32(data).toString(16).padStart(8, "0");
}

function crcTable(): Int32Array {
  const table = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[n] = c;
  }
  return table;
}
