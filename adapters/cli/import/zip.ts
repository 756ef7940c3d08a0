import { Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";

/** Why a zip archive cannot be read; the message is the end of a sentence that begins with the file. */
export class ZipFault extends Error {
  override readonly name = "ZipFault";
}

/** The first bytes of a zip archive: of its first file, or of the end of one without files. */
export const ZIP_MAGICS = [[0x50, 0x4b, 0x03, 0x04], [0x50, 0x4b, 0x05, 0x06]] as const;

/** The bytes of a file in an archive, and what they must come to. */
interface ZipEntry {
  readonly packed: Buffer;
  readonly isDeflated: boolean;
  readonly size: number;
  readonly checksum: number;
}

const MAX_ZIP_BYTES = 256 * 1_048_576;
const CHUNK_BYTES = 65_536;
const END_OF_DIRECTORY = Buffer.from("PK\x05\x06", "latin1");
const DIRECTORY_ENTRY = 0x0201_4b50;
const LOCAL_HEADER = 0x0403_4b50;
const ENCRYPTED = 1;
const DEFLATE = 8;
const LISTED_FILES = 3;

/**
 * The bytes of the only file in a zip archive. The archive is held in memory, as its directory is at its end; the file is
 * not, however large it is.
 */
export async function* unzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_ZIP_BYTES) throw new ZipFault(`its zip archive is larger than ${MAX_ZIP_BYTES / 1_048_576} MB: unpack it first`);
    parts.push(chunk);
  }
  const entry = onlyEntry(Buffer.concat(parts));
  if (!entry.ok) throw new ZipFault(entry.error);
  const { packed, isDeflated, size, checksum } = entry.value;
  const source = Readable.from([packed], { objectMode: false });
  let [read, sum] = [0, 0];
  for await (const chunk of isDeflated ? source.pipe(createInflateRaw({ chunkSize: CHUNK_BYTES })) : source) {
    const bytes = chunk as Uint8Array; // Streams of bytes have no type of their own.
    read += bytes.length;
    if (read > size) break;
    sum = crc32(bytes, sum);
    yield bytes;
  }
  if (read !== size || sum !== checksum) throw new ZipFault("its zip data is damaged: it does not have its checksum");
}

/** The only file of an archive, by the directory at its end. Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
function onlyEntry(zip: Buffer): Result<ZipEntry, string> {
  try {
    const end = zip.lastIndexOf(END_OF_DIRECTORY);
    if (end === -1) return err("its zip archive has no end");
    const names: string[] = [];
    let found: Result<ZipEntry, string> | undefined;
    const count = zip.readUInt16LE(end + 10);
    let at = zip.readUInt32LE(end + 16);
    if (count === 0xffff || at === 0xffff_ffff) return err(ZIP64);
    for (let number = 0; number < count; number++) {
      if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) return err("its zip archive is damaged");
      const nameLength = zip.readUInt16LE(at + 28);
      const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
      if (isFile(name)) {
        names.push(name);
        found ??= readEntry(zip, at);
      }
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    if (names.includes("[Content_Types].xml")) return err("it is a document of Excel or another office program: save it as CSV, in UTF-8");
    if (names.length > 1) return err(`its zip archive has ${names.length} files (${names.slice(0, LISTED_FILES).join(", ")}${names.length > LISTED_FILES ? ", …" : ""}): unpack it and name the files`);
    return found ?? err("its zip archive has no file");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return err("its zip archive is damaged"); // It says that something is where it has no bytes.
  }
}

const ZIP64 = "its zip archive is of the kind for more than 4 GB (zip64): unpack it first";

function readEntry(zip: Buffer, at: number): Result<ZipEntry, string> {
  const method = zip.readUInt16LE(at + 10);
  const [packedSize, size, start] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)];
  if ((zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0) return err("its zip archive is encrypted: unpack it first");
  if ([packedSize, size, start].includes(0xffff_ffff)) return err(ZIP64);
  if (method !== 0 && method !== DEFLATE) return err(`its zip archive is packed by method ${method}, not by deflate: unpack it first`);
  if (zip.readUInt32LE(start) !== LOCAL_HEADER) return err("its zip archive is damaged");
  const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const packed = zip.subarray(data, data + packedSize);
  return ok({ packed, isDeflated: method === DEFLATE, size, checksum: zip.readUInt32LE(at + 16) });
}

/** Whether an entry is a file of its owner: not a folder, and none of those that macOS adds. */
function isFile(name: string): boolean {
  return !name.endsWith("/") && !name.startsWith("__MACOSX/") && !name.endsWith(".DS_Store");
}
