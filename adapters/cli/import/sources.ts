import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Stopped } from "../../signals.ts";
import { readHead, startsWith } from "./source_head.ts";
import { asUtf8 } from "./utf16.ts";
import { ZIP_MAGICS, ZipFault, unzipped } from "./zip.ts";

/** The name of standard input among files. */
export const STANDARD_INPUT = "-";

const CHUNK_BYTES = 65_536;
const GZIP_MAGIC = [0x1f, 0x8b];
const LONGEST_MAGIC = 4;

/** The text of a file in UTF-8, decompressed if it is gzip or zip, whatever the name. */
export function openSource(path: string): AsyncIterable<Uint8Array> {
  return asUtf8(unpacked(createReadStream(path, { highWaterMark: CHUNK_BYTES })));
}

/** The reason why a source could not be read to its end. */
export function sourceFailure(error: unknown): string {
  if (error instanceof Stopped) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "it may not be read";
  if (error instanceof ZipFault) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return typeof code === "string" && code.startsWith("Z_") ? `its compressed data is damaged: ${reason}` : `it cannot be read: ${reason}`;
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const { head, whole } = await readHead(iterator, LONGEST_MAGIC);
    if (startsWith(head, GZIP_MAGIC)) yield* gunzipped(whole);
    else if (ZIP_MAGICS.some((magic) => startsWith(head, magic))) yield* unzipped(whole);
    else yield* whole;
  } finally {
    // Closes the file, also when the reader stops early.
    await iterator.return?.();
  }
}

function gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(chunks);
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // `pipe` does not forward failures; without this, the reader of `gunzip` would wait for ever.
  source.on("error", (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
}
