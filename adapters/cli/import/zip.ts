import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { SourceFault } from "./read_source_head.ts";

/** The first bytes of a zip archive: of its first file, or of the end of one without files. */
export const ZIP_MAGICS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
] as const;

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

/** A zip archive. It is held in memory, as its directory is at its end; its files are not, however large they are. */
export interface Zip {
  /** Its files: no folders, and none of those that macOS adds. */
  readonly names: readonly string[];
  /** The bytes of a file. Throws a fault for one that it does not have. */
  read(name: string): AsyncGenerator<Uint8Array>;
}

/** Reads the directory of an archive; throws a fault where that cannot be read. */
export async function openZip(chunks: AsyncIterable<Uint8Array>): Promise<Zip> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if ((length += chunk.length) > MAX_ZIP_BYTES)
      throw new SourceFault(`its zip archive is larger than ${MAX_ZIP_BYTES / 1_048_576} MB: unpack it first`);
    parts.push(chunk);
  }
  const entries = readDirectory(Buffer.concat(parts));
  if (!entries.ok) throw new SourceFault(entries.error);
  return {
    names: [...entries.value.keys()],
    read: (name) => unpacked(entries.value.get(name) ?? err(`its zip archive has no file "${name}"`)),
  };
}

async function* unpacked(entry: Result<ZipEntry, string>): AsyncGenerator<Uint8Array> {
  if (!entry.ok) throw new SourceFault(entry.error);
  const { packed, isDeflated, size, checksum } = entry.value;
  const source = Readable.from(piecesOf(packed), { objectMode: false });
  let [read, sum] = [0, 0];
  for await (const chunk of isDeflated ? source.pipe(createInflateRaw({ chunkSize: CHUNK_BYTES })) : source) {
    const bytes = chunk as Uint8Array; // Streams of bytes have no type of their own.
    read += bytes.length;
    if (read > size) break;
    sum = crc32(bytes, sum);
    yield bytes;
  }
  if (read !== size || sum !== checksum)
    throw new SourceFault("its zip data is damaged: it does not have its checksum");
}

/** Bytes in pieces, between which signals have their turn. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield nextTurn(bytes.subarray(at, at + CHUNK_BYTES));
}

/** The files of an archive, by the directory at its end. Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
function readDirectory(zip: Buffer): Result<ReadonlyMap<string, Result<ZipEntry, string>>, string> {
  try {
    const end = zip.lastIndexOf(END_OF_DIRECTORY);
    if (end === -1) return err("its zip archive has no end");
    const entries = new Map<string, Result<ZipEntry, string>>();
    const count = zip.readUInt16LE(end + 10);
    let at = zip.readUInt32LE(end + 16);
    if (count === 0xffff || at === 0xffff_ffff) return err(ZIP64);
    for (let number = 0; number < count; number++) {
      if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) return err("its zip archive is damaged");
      const nameLength = zip.readUInt16LE(at + 28);
      const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
      if (isFile(name)) entries.set(name, readEntry(zip, at));
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return entries.size > 0 ? ok(entries) : err("its zip archive has no file");
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
  if (method !== 0 && method !== DEFLATE)
    return err(`its zip archive is packed by method ${method}, not by deflate: unpack it first`);
  if (zip.readUInt32LE(start) !== LOCAL_HEADER) return err("its zip archive is damaged");
  const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const packed = zip.subarray(data, data + packedSize);
  return ok({ packed, isDeflated: method === DEFLATE, size, checksum: zip.readUInt32LE(at + 16) });
}

/** Whether an entry is a file of its owner: not a folder, and none of those that macOS adds. */
function isFile(name: string): boolean {
  return !name.endsWith("/") && !name.startsWith("__MACOSX/") && !name.endsWith(".DS_Store");
}
