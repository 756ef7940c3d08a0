import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import type { AssetNames } from "../../intake/names/find_asset.ts";
import type { SourceNotes } from "../../intake/tables/plan_columns.ts";
import { Stopped } from "../../server/signals.ts";
import { asUtf8 } from "./decode_to_utf8.ts";
import { checkUnpacked, SourceFault, startsWith, withHead } from "./read_source_head.ts";
import { readWorkbook, tablesOf } from "./workbook.ts";
import { openZip, ZIP_MAGICS, type Zip } from "./zip.ts";

/** The name that stands for standard input in a list of files. */
export const STANDARD_INPUT = "-";
/** The name of standard input in reports. */
export const STANDARD_INPUT_NAME = "standard input";

const CHUNK_BYTES = 65_536;
const HEAD_BYTES = 512;
const MAX_FILES = 1_000;
const MOST_GUNZIPPED = 100; // Repetitive tables of text shrink about 40 times.
const GZIP_MAGIC = [0x1f, 0x8b];
const RESAVE = "open it in a spreadsheet program, and save it as .xlsx or CSV";
/** Advice on formats that cannot be read, by the first bytes of a file in Latin-1. */
const FOREIGN: readonly (readonly [begin: RegExp, reason: string])[] = [
  [
    /^%PDF-/,
    "it is a PDF, which has text on pages and no table: ask for the numbers as .xlsx or CSV, or copy them into a spreadsheet and save that",
  ],
  [
    /^\xd0\xcf\x11\xe0/,
    "it is an Excel file of the old kind (.xls), or one with a password: save it as .xlsx without a password, or as CSV",
  ],
  [/^(?:Rar!|7z\xbc\xaf)/, "it is a RAR or 7z archive: unpack it first"],
  [
    /^\s*<(?:!doctype html|html|head|meta|body|style|div|table)\b/i,
    `it is a web page (HTML), which some sites name .xls: ${RESAVE}`,
  ],
  [/^\s*<\?xml\b/i, `it is XML: ${RESAVE}`],
];

/** A file to read. Reports use its `name`. */
export interface InputFile {
  readonly name: string;
  /** The file as text in UTF-8, whatever its format. Adds notes on the original format while the text is read. */
  read(notes: SourceNotes): AsyncIterable<Uint8Array>;
}

/** Which sheets of a workbook are read. */
export interface SheetSelection {
  /** The values of `--sheet`. */
  readonly sheets: readonly string[];
  /** The code of the asset, if all files are about the same asset. */
  readonly code: string | undefined;
  readonly names: AssetNames;
}

/**
 * The files behind a name: the files in a zip archive, the sheets of a workbook if their tables share one header or are
 * named after assets, or else the file itself. An archive is read only once.
 *
 * @param input The bytes of standard input, which has the name `-`.
 */
export async function filesOf(
  name: string,
  wanted: SheetSelection,
  input?: AsyncIterable<Uint8Array>,
): Promise<readonly InputFile[]> {
  const { sheets } = wanted;
  const itself: InputFile = {
    name,
    read: (notes) =>
      asUtf8(
        name === STANDARD_INPUT && input ? unpacked(input, { sheets, notes }) : opened(name, { sheets, notes }),
        notes,
      ),
  };
  if (name === STANDARD_INPUT || (await archiveOf(name)) === undefined) return [itself];
  try {
    if (!isZip(await buffer(createReadStream(name, { end: HEAD_BYTES - 1 })))) return [itself];
    const zip = await openZip(createReadStream(name));
    let files: readonly string[] = zip.names.length > 1 ? zip.names : [];
    if (zip.isDocument) files = await sheetsOf(zip, wanted);
    if (files.length === 0 || files.length > MAX_FILES) return [itself];
    return files.map((file) => ({
      name: `${name}/${file}`,
      read: (notes) => asUtf8(readInside(zip, file, { sheets, notes }), notes),
    }));
  } catch {
    return [itself]; // The error is reported when the file is read.
  }
}

/** A file within a zip archive, or a sheet of a workbook. */
function readInside(zip: Zip, name: string, opening: Opening): AsyncGenerator<Uint8Array> {
  return zip.isDocument
    ? readWorkbook(zip, { ...opening, sheets: [name] })
    : unpacked(zip.read(name), { ...opening, isInZip: true });
}

/** The sheets to read, if there are several and it is clear which ones; otherwise an empty list. */
async function sheetsOf(zip: Zip, { sheets, code, names }: SheetSelection): Promise<readonly string[]> {
  if (sheets.length > 0) return sheets.length > 1 ? sheets : [];
  const tables = (await tablesOf(zip)).map((table) => ({ ...table, codes: names.find(table.name).codes }));
  const named = tables.filter(({ codes }) => codes.length > 0);
  const own = named.filter(({ codes }) => named.length > 1 && codes.some((one) => one === code));
  const isAlike = new Set(tables.map(({ header }) => header)).size === 1 || named.length === tables.length;
  const wanted = isAlike && own.length === 0 ? tables : own;
  return tables.length < 2 ? [] : wanted.map(({ name }) => name);
}

/** Why a source could not be read to its end. */
export function sourceFailure(error: unknown): string {
  if (error instanceof Stopped) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "you have no permission to read it";
  if (error instanceof SourceFault) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return typeof code === "string" && code.startsWith("Z_")
    ? `its compressed data is damaged: ${reason}`
    : `it cannot be read: ${reason}`;
}

interface Opening {
  readonly sheets: readonly string[];
  readonly notes: SourceNotes;
  /** Whether the bytes come from an archive. */
  readonly isInZip?: boolean;
}

async function* opened(name: string, opening: Opening): AsyncGenerator<Uint8Array> {
  const archive = await archiveOf(name);
  if (archive === undefined || archive === name)
    yield* unpacked(createReadStream(name, { highWaterMark: CHUNK_BYTES }), opening);
  else yield* readInside(await openZip(createReadStream(archive)), name.slice(archive.length + 1), opening);
}

/** The path of the file, or of the archive in a name such as `prices.zip/USD.csv`; `undefined` if there is none. */
async function archiveOf(name: string): Promise<string | undefined> {
  for (let path = name; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (found) return found.isFile() ? path : undefined;
    if (path === dirname(path)) return undefined;
  }
}

function unpacked(chunks: AsyncIterable<Uint8Array>, opening: Opening): AsyncGenerator<Uint8Array> {
  return withHead(chunks, HEAD_BYTES, (head, whole) => {
    // The patterns of `FOREIGN` expect neither byte order marks nor the zeros between the letters of UTF-16.
    const begin = Buffer.from(head)
      .toString("latin1")
      .replace(/\0|^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/g, "");
    const [, reason] = FOREIGN.find(([magic]) => magic.test(begin)) ?? [];
    if (reason !== undefined) throw new SourceFault(reason);
    if (startsWith(head, GZIP_MAGIC)) return gunzipped(whole);
    return isZip(head) ? unzipped(whole, opening) : whole;
  });
}

/** The table of a workbook, or the only file of an archive. */
async function* unzipped(chunks: AsyncIterable<Uint8Array>, opening: Opening): AsyncGenerator<Uint8Array> {
  const zip = await openZip(chunks);
  const [name, ...others] = zip.names;
  if (zip.isDocument) yield* readWorkbook(zip, opening);
  else if (opening.isInZip) throw new SourceFault("it is a zip archive within a zip archive: unpack it first");
  else if (name === undefined || others.length > 0)
    throw new SourceFault(`its zip archive has ${zip.names.length} files: unpack it first`);
  else {
    opening.notes.entry = name;
    yield* unpacked(zip.read(name), { ...opening, isInZip: true });
  }
}

function isZip(head: Uint8Array): boolean {
  return ZIP_MAGICS.some((magic) => startsWith(head, magic));
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  let length = 0;
  // `pipeline` forwards failures. With `pipe`, the reader of a damaged file would wait for ever.
  for await (const chunk of pipeline(Readable.from(chunks), gunzip, () => undefined)) {
    const bytes = chunk as Uint8Array; // Chunks of a stream are not typed.
    checkUnpacked((length += bytes.length), gunzip.bytesWritten, MOST_GUNZIPPED);
    yield bytes;
  }
}
