import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ContentEncoding } from "../../../core/internal.ts";
import type { MaybePromise } from "../../../core/mod.ts";
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

type Compressed = MaybePromise<Buffer>;

/** By the body that they were made of, also while they are made: the API never changes one that it has answered with. */
const made: Readonly<Record<ContentEncoding, WeakMap<Uint8Array, Compressed>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

/**
 * Compresses a body; only once if the API answers with the same bytes again.
 *
 * @returns `undefined` if too many others wait: the body is then to be sent as it is.
 */
export function compress(text: string | Uint8Array, encoding: ContentEncoding): Compressed | undefined {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  const before = made[encoding].get(body);
  if (before) return before;
  if (encoders.isFull()) return undefined;
  const result = Promise.resolve(encoders.run(() => encode(body, encoding))).then(
    (bytes) => {
      made[encoding].set(body, bytes);
      return bytes;
    },
    (error: unknown) => {
      made[encoding].delete(body);
      throw error;
    },
  );
  made[encoding].set(body, result);
  return result;
}

function encode(body: Uint8Array, encoding: ContentEncoding): Promise<Buffer> {
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
