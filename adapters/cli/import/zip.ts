import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { err, ok } from "../../../core/internal.ts";
import type { Result } from "../../../core/mod.ts";
import { checkUnpacked, SourceFault } from "./read_source_head.ts";

/** The first bytes of a zip archive, with or without files. */
export const ZIP_MAGICS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
] as const;

/** The packed bytes of a file in an archive, and the expected size and checksum of the file. */
interface ZipEntry {
  readonly packed: Buffer;
  readonly isDeflated: boolean;
  readonly size: number;
  readonly checksum: number;
}

const MAX_ZIP_BYTES = 256 * 1_048_576;
const MOST_UNPACKED = 200; // Repetitive workbooks come close.
const MAX_ENTRIES = 65_535;
const MAX_FILE_BYTES = 0xffff_fffe;
const CHUNK_BYTES = 65_536;
const END_OF_DIRECTORY = Buffer.from("PK\x05\x06", "latin1");
const ZIP64_END = 0x0606_4b50;
const ZIP64_LOCATOR = 0x0706_4b50;
const ZIP64_EXTRA = 1;
const [IN_ZIP64, COUNT_IN_ZIP64] = [0xffff_ffff, 0xffff];
const DIRECTORY_ENTRY = 0x0201_4b50;
const LOCAL_HEADER = 0x0403_4b50;
const ENCRYPTED = 1;
const DEFLATE = 8;

/** A zip archive. Only the packed bytes are held in memory; this is necessary, because the directory is at the end. */
export type Zip = Awaited<ReturnType<typeof openZip>>;

/** Reads the directory of an archive; throws a fault if it cannot be read. */
export async function openZip(chunks: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if ((length += chunk.length) > MAX_ZIP_BYTES)
      throw new SourceFault(
        `it is a zip archive or a workbook of more than ${MAX_ZIP_BYTES / 1_048_576} MB: unpack it, or save the sheet as CSV`,
      );
    parts.push(chunk);
  }
  const entries = readDirectory(Buffer.concat(parts));
  if (!entries.ok) throw new SourceFault(entries.error);
  const size = [...entries.value.values()].reduce((sum, entry) => sum + (entry.ok ? entry.value.size : 0), 0);
  checkUnpacked(size, length, MOST_UNPACKED);
  const names = [...entries.value.keys()];
  const isDocument = names.some((name) => /^(?:\[content_types\]\.xml|mimetype)$/i.test(name));
  const advice = isDocument ? "open it in Excel, and save it again as .xlsx or CSV" : "unpack it first";
  return {
    /** The names of the files. Folders and files that macOS adds are left out. */
    names,
    /** Whether the archive is a document of an office program. */
    isDocument,
    /** The bytes of a file. Throws a fault if there is no such file. */
    read(name: string): AsyncGenerator<Uint8Array> {
      const entry = entries.value.get(name);
      if (!entry) throw new SourceFault(`its zip archive has no file "${name}"`);
      return unpacked(entry, advice);
    },
  };
}

async function* unpacked(entry: Result<ZipEntry, string>, advice: string): AsyncGenerator<Uint8Array> {
  if (!entry.ok) throw new SourceFault(`${entry.error}: ${advice}`);
  const { packed, isDeflated, size, checksum } = entry.value;
  const source = Readable.from(piecesOf(packed), { objectMode: false });
  let [read, sum] = [0, 0];
  for await (const chunk of isDeflated ? source.pipe(createInflateRaw({ chunkSize: CHUNK_BYTES })) : source) {
    const bytes = chunk as Uint8Array; // Chunks of a stream are not typed.
    read += bytes.length;
    if (read > size) break;
    sum = crc32(bytes, sum);
    yield bytes;
  }
  if (read !== size || sum !== checksum) throw new SourceFault("its zip data is damaged: the checksum is wrong");
}

/** The bytes in pieces, so that the process can handle signals between two pieces. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield nextTurn(bytes.subarray(at, at + CHUNK_BYTES));
}

/** The files in the directory of an archive. Source: PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
function readDirectory(zip: Buffer): Result<ReadonlyMap<string, Result<ZipEntry, string>>, string> {
  try {
    const end = zip.lastIndexOf(END_OF_DIRECTORY);
    if (end === -1) return err("its zip archive is incomplete: its end is missing");
    const entries = new Map<string, Result<ZipEntry, string>>();
    const { count, start } = directoryAt(zip, end);
    if (count > MAX_ENTRIES) return err("its zip archive has more than 65,535 files: unpack it first");
    let at = start;
    for (let number = 0; number < count; number++) {
      if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) return err("its zip archive is damaged");
      const nameLength = zip.readUInt16LE(at + 28);
      // Some programs of Windows write backslashes.
      const name = zip.toString("utf8", at + 46, at + 46 + nameLength).replaceAll("\\", "/");
      const isTwice = entries.has(name);
      if (isFile(name))
        entries.set(
          name,
          isTwice
            ? err(`its zip archive has two files named "${name}", and either may be the right one`)
            : readEntry(zip, at),
        );
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    return entries.size > 0 ? ok(entries) : err("its zip archive has no file");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return err("its zip archive is damaged"); // An offset points beyond the end of the archive.
  }
}

/** The number of entries in the directory, and the offset of its start. Both may be stored in 64 bits. */
function directoryAt(zip: Buffer, end: number): { readonly count: number; readonly start: number } {
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
  const locator = end - 20;
  if ((count !== COUNT_IN_ZIP64 && start !== IN_ZIP64) || locator < 0 || zip.readUInt32LE(locator) !== ZIP64_LOCATOR)
    return { count, start };
  const longEnd = readLong(zip, locator + 8);
  if (zip.readUInt32LE(longEnd) !== ZIP64_END) return { count, start };
  return { count: readLong(zip, longEnd + 32), start: readLong(zip, longEnd + 48) };
}

function readLong(zip: Buffer, at: number): number {
  return Number(zip.readBigUInt64LE(at));
}

function readEntry(zip: Buffer, at: number): Result<ZipEntry, string> {
  const method = zip.readUInt16LE(at + 10);
  const { packedSize, size, start } = placeOf(zip, at);
  if ((zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0) return err("its zip archive is encrypted");
  if (size > MAX_FILE_BYTES) return err("its zip archive has a file of more than 4 GB");
  if (method !== 0 && method !== DEFLATE) return err(`its zip archive is packed by method ${method}, not by deflate`);
  if (zip.readUInt32LE(start) !== LOCAL_HEADER) return err("its zip archive is damaged");
  const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const packed = zip.subarray(data, data + packedSize);
  return ok({ packed, isDeflated: method === DEFLATE, size, checksum: zip.readUInt32LE(at + 16) });
}

/** The sizes and the offset of an entry. Each 0xffffffff stands for the next 64-bit number in the extra field. */
function placeOf(zip: Buffer, at: number): Pick<ZipEntry, "size"> & { readonly packedSize: number; start: number } {
  let extra = at + 46 + zip.readUInt16LE(at + 28);
  const end = extra + zip.readUInt16LE(at + 30);
  while (extra < end && zip.readUInt16LE(extra) !== ZIP64_EXTRA) extra += 4 + zip.readUInt16LE(extra + 2);
  let next = extra + 4;
  const [size, packedSize, start] = [24, 20, 42].map((place) => {
    const short = zip.readUInt32LE(at + place);
    if (short !== IN_ZIP64 || next + 8 > end) return short;
    next += 8;
    return readLong(zip, next - 8);
  }) as [number, number, number];
  return { size, packedSize, start };
}

/** Whether an entry is neither a folder nor a file that macOS adds. */
function isFile(name: string): boolean {
  return !name.endsWith("/") && !name.startsWith("__MACOSX/") && !name.endsWith(".DS_Store");
}
