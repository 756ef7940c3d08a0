const TABLE = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** The CRC-32 (IEEE 802.3, as in gzip) of bytes or an ASCII text. Detects accidental changes, not deliberate ones. */
export function crc32(data: Uint8Array | string): number {
  let crc = -1;
  if (typeof data === "string")
    for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data.charCodeAt(i)) & 0xff]! ^ (crc >>> 8);
  else for (let i = 0; i < data.length; i++) crc = TABLE[(crc ^ data[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A CRC-32 as 8 lower-case hex digits. */
export function crc32Hex(data: Uint8Array | string): string {
  return crc32(data).toString(16).padStart(8, "0");
}
