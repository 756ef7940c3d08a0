import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive, and its defects. */
export interface ZipFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default: 8, deflate. */
  readonly method?: number;
  readonly flags?: number;
  /** The size that the directory states. */
  readonly size?: number;
  readonly checksum?: number;
  /** Whether the file's sizes are stored as 64-bit numbers. */
  readonly isZip64?: boolean;
}

/** Makes a zip archive: local headers with files, the directory, and its end record. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const { name, content, method = 8, flags = 0, isZip64 = false, ...given } of files) {
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const { size = bytes.length, checksum = crc32(bytes) } = given;
    const start = parts.reduce((sum, part) => sum + part.length, 0);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(checksum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size % 2 ** 32, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    parts.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(start, 10);
    const [entry, extra] = [Buffer.from(common), Buffer.alloc(isZip64 ? 28 : 0)];
    if (isZip64) {
      for (const [at, long] of [size, packed.length, start].entries()) extra.writeBigUInt64LE(BigInt(long), 4 + 8 * at);
      extra.writeUInt32LE(0x18_0001);
      entry.fill(0xff, 14, 22).writeUInt16LE(extra.length, 24);
      rest.fill(0xff, 10);
    }
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), entry, rest, Buffer.from(name), extra);
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(Buffer.concat(parts).length, 16);
  if (!files.some(({ isZip64 }) => isZip64)) return Buffer.concat([...parts, ...directory, end]);
  const long = Buffer.alloc(76);
  long.write("PK\x06\x06", "latin1");
  long.writeBigUInt64LE(BigInt(files.length), 32);
  long.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
  long.write("PK\x06\x07", 56, "latin1");
  long.writeBigUInt64LE(BigInt(Buffer.concat([...parts, ...directory]).length), 64);
  return Buffer.concat([...parts, ...directory, long, end.fill(0xff, 8, 20)]);
}
