import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { after, attempt, isBodiless, represent } from "../../core/internal.ts";
import type { ContentEncoding } from "../../core/internal.ts";
import type { Api, ApiResponse, MaybePromise } from "../../core/mod.ts";
import { compress } from "./compress.ts";
import { isBodyComing } from "./framing.ts";
import { NodeRequest } from "./request.ts";

const ENCODINGS: readonly ContentEncoding[] = ["br", "gzip"];

/** How a server treats a request. */
export interface Manner {
  /** Fields of answers after which the connection goes on: name, value, name, value. */
  readonly keptFields: readonly string[];
  /** Called before the body is read, if it ever is. */
  readonly beforeReading?: () => void;
}

const PLAIN: Manner = { keptFields: [] };

/** Serves an API in a `node:http` server of your own; `createNodeServer` makes a hardened one. */
export function nodeListener(api: Api): RequestListener {
  return (req, res) => void exchange(api, req, res, PLAIN);
}

/**
 * Asks the API and writes the answer, at once where the API answers at once. Returns or settles, and never throws
 * or rejects, when the answer has been handed to the runtime or its client has gone.
 */
export function exchange(api: Api, req: IncomingMessage, res: ServerResponse, manner: Manner): MaybePromise<void> {
  const request = new NodeRequest(req, manner.beforeReading);
  return attempt(
    request,
    () => after(api(request), (answer) => writeAnswer(answer, request, res, manner)),
    // An API never rejects; should it, or should an answer be unfit to send, one connection ends, not the process.
    () => void req.socket.destroy(),
  );
}

/** Makes the answer the last one of its connection, unless it is on its way already. */
export function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

function writeAnswer(answer: ApiResponse, request: NodeRequest, res: ServerResponse, { keptFields }: Manner): MaybePromise<void> {
  const { status, body } = answer;
  // What is left of an unread body would be read to its end, however long, before the next request.
  if (isBodyComing(res.req)) endAfter(res);
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const { headers, encoding } = represent(request, answer, bytes, ENCODINGS);
  const goingOn = res.shouldKeepAlive ? keptFields : [];
  if (isBodiless(status)) {
    res.writeHead(status, [...headers, ...goingOn]).end();
    return;
  }
  if (!encoding) return send(body, bytes);
  return after(compress(body, encoding), (encoded) => send(encoded, encoded.length));

  function send(bytesOrText: string | Uint8Array, length: number): void {
    res.writeHead(status, [...headers, "Content-Length", String(length), ...goingOn]);
    end(res, request.method, bytesOrText, length);
  }
}

function end(res: ServerResponse, method: string, body: string | Uint8Array, bytes: number): void {
  if (method === "HEAD") res.end();
  else if (typeof body === "string") res.end(body, bytes === body.length ? "latin1" : "utf8");
  else if (bytes > MAX_JOINED_BYTES) res.end(body);
  else res.end(byteText(body), "latin1");
}

/** Up to so many bytes, Node writes fields and body in one piece where the body is text, which is the cheapest for the kernel. */
const MAX_JOINED_BYTES = 16_384;
const texts = new WeakMap<Uint8Array, string>();

/** A text with a character for each byte, made once for a body that comes again and again. */
function byteText(body: Uint8Array): string {
  let text = texts.get(body);
  if (text === undefined) {
    text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
    texts.set(body, text);
  }
  return text;
}
