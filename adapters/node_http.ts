import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Api, ApiRequest, ApiResponse } from "../core/http.ts";
import { isBodiless, represent } from "../core/negotiate.ts";
import type { ContentEncoding } from "../core/negotiate.ts";
import { readText } from "./node_text.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** For the full list 0.2 ms; brotli's default, 11, takes 34 ms to save another fifth. */
const BROTLI_QUALITY = 4;
const ENCODINGS: readonly ContentEncoding[] = ["br", "gzip"];

/** Serves an API in a `node:http` server of your own; `createNodeServer` makes a hardened one. */
export function nodeListener(api: Api): RequestListener {
  return (req, res) => void exchange(api, req, res);
}

/**
 * Takes a request apart, asks the API and writes the answer. Settles, never rejects, when the answer
 * has been handed to the runtime or its client has gone.
 *
 * @param beforeReading Called before the body is read, if it ever is.
 */
export async function exchange(api: Api, req: IncomingMessage, res: ServerResponse, beforeReading?: () => void): Promise<void> {
  try {
    const request: ApiRequest = {
      method: req.method ?? "GET",
      target: req.url ?? "/",
      headers: req.rawHeaders,
      scheme: "encrypted" in req.socket ? "https" : "http",
      text: (limit) => readText(req, limit, beforeReading),
    };
    await writeAnswer(await api(request), request, req, res);
  } catch {
    // An API never rejects; should it, or should an answer be unfit to send, one connection ends, not the process.
    req.socket.destroy();
  }
}

/** Makes the answer the last one of its connection, unless it is on its way already. */
export function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

async function writeAnswer(answer: ApiResponse, request: ApiRequest, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const plainBytes = Buffer.byteLength(answer.body);
  const { headers, encoding } = represent(request, answer, plainBytes, ENCODINGS);
  const body = encoding ? await compress(answer.body, plainBytes, encoding) : answer.body;
  // What is left of an unread body would be read to its end, however long, before the next request.
  if (!req.complete) endAfter(res);
  if (isBodiless(answer.status)) {
    res.writeHead(answer.status, headers).end();
    return;
  }
  res.writeHead(answer.status, { ...headers, "Content-Length": encoding ? body.length : plainBytes });
  res.end(request.method === "HEAD" ? undefined : body);
}

function compress(body: string, bytes: number, encoding: ContentEncoding): Promise<Buffer> {
  if (encoding === "gzip") return compressGzip(body);
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    },
  });
}
