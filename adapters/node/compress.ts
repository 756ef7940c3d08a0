import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ContentEncoding } from "../../core/internal.ts";
import type { MaybePromise } from "../../core/mod.ts";
import { createJobQueue } from "./job_queue.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

// Fast settings with small windows: the longest candle answer takes 8 ms and 0.4 MB with brotli, where quality 4 with
// its usual window takes 20 ms and 7 MB to save a tenth. The full list becomes equally small.
const BROTLI_QUALITY = 3;
const BROTLI_WINDOW_BITS = 16;
const GZIP_LEVEL = 4;
/** Room for the result of one call into the thread pool: each further one waits for the event loop. */
const CHUNK_BYTES = 65_536;

/** Two encoders, as file syncs need some of the four threads of the pool. Bodies for which too many others wait are sent as they are. */
const encoders = createJobQueue(2, 8);
/** Texts are pages that do not change, of which there are few. */
const MAX_TEXTS = 8;

type Compressed = MaybePromise<Buffer>;

/** By the body that they were made of, also while they are made: the API never changes one that it has answered with. */
const ofBytes: Readonly<Record<ContentEncoding, WeakMap<Uint8Array, Compressed>>> = { br: new WeakMap(), gzip: new WeakMap() };
const ofTexts: Readonly<Record<ContentEncoding, Map<string, Compressed>>> = { br: new Map(), gzip: new Map() };

/**
 * Compresses a body; only once if the API answers with the same one again.
 *
 * @returns `undefined` if too many others wait: the body is then to be sent as it is.
 */
export function compress(body: string | Uint8Array, encoding: ContentEncoding): Compressed | undefined {
  if (typeof body !== "string") return compressOnce(ofBytes[encoding], body, encoding);
  const made = ofTexts[encoding];
  const [oldest] = made.keys();
  if (oldest !== undefined && made.size > MAX_TEXTS) made.delete(oldest);
  return compressOnce(made, body, encoding);
}

function compressOnce<T extends string | Uint8Array>(
  made: { get(body: T): Compressed | undefined; set(body: T, bytes: Compressed): unknown; delete(body: T): unknown },
  body: T,
  encoding: ContentEncoding,
): Compressed | undefined {
  const before = made.get(body);
  if (before) return before;
  if (encoders.isFull()) return undefined;
  const result = Promise.resolve(encoders.run(() => encode(body, encoding))).then(
    (bytes) => {
      made.set(body, bytes);
      return bytes;
    },
    (error: unknown) => {
      made.delete(body);
      throw error;
    },
  );
  made.set(body, result);
  return result;
}

function encode(body: string | Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
  if (encoding === "gzip") return compressGzip(body, { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  return compressBrotli(body, {
    chunkSize: CHUNK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
