import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The name of standard input among files. */
export const STANDARD_INPUT = "-";

const CHUNK_BYTES = 65_536;
const GZIP_MAGIC = [0x1f, 0x8b];

/** The bytes of a file or of standard input, decompressed if they are gzip, whatever the name. */
export function openSource(name: string, standardInput: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return unpacked(name === STANDARD_INPUT ? standardInput : createReadStream(name, { highWaterMark: CHUNK_BYTES }));
}

/** The reason why a source could not be read to its end. */
export function sourceFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "it may not be read";
  const reason = error instanceof Error ? error.message : String(error);
  return typeof code === "string" && code.startsWith("Z_") ? `its gzip data is damaged: ${reason}` : `it cannot be read: ${reason}`;
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const whole = withHead(head, iterator);
    if (!GZIP_MAGIC.every((byte, at) => head[at] === byte)) {
      yield* whole;
      return;
    }
    const source = Readable.from(whole);
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // `pipe` does not forward failures; without this, the reader of `gunzip` would wait for ever.
    source.on("error", (error) => gunzip.destroy(error));
    yield* source.pipe(gunzip);
  } finally {
    // Closes the file, also when the reader stops early.
    await iterator.return?.();
  }
}

/** The first bytes, enough to recognize gzip; fewer only if the source has fewer. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < GZIP_MAGIC.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* withHead(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}
