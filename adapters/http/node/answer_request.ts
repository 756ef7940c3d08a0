import { isUtf8 } from "node:buffer";
import { ServerResponse } from "node:http";
import { after, afterWith, attempt, type ContentEncoding, isBodiless, represent } from "../../../core/internal.ts";
import type { ApiFunction, ApiResponse, MaybePromise } from "../../../core/mod.ts";
import { compress } from "./compress.ts";
import type { SentAnswer } from "./exchange_events.ts";
import type { NodeRequest } from "./node_request.ts";

const ENCODINGS: readonly ContentEncoding[] = ["br", "gzip"];

/** How `exchange` writes answers. */
export interface ExchangeOptions {
  /** Reports an error, and makes the answer to the request that met it. */
  readonly failed: (error: unknown, request: NodeRequest) => ApiResponse;
  /** Called when the answer is written, which happens once unless that fails. */
  readonly sent?: ((answer: SentAnswer) => void) | undefined;
}

/**
 * Asks the API and writes the answer, at once where the API answers at once. Never throws or rejects; returns
 * or settles when the answer has been handed to the runtime or its client has gone.
 */
export function exchange(
  api: ApiFunction,
  request: NodeRequest,
  res: ServerResponse,
  options: ExchangeOptions,
): MaybePromise<void> {
  return attempt({ api, request, res, options }, answerRequest, writeFailure);
}

/** What is handed on, so that a request needs no functions of its own. */
interface Exchange {
  readonly api: ApiFunction;
  readonly request: NodeRequest;
  readonly res: ServerResponse;
  readonly options: ExchangeOptions;
}

function answerRequest(exchange: Exchange): MaybePromise<void> {
  return afterWith(exchange, exchange.api(exchange.request), writeAnswer);
}

/** Makes the answer the last one of its connection, unless its fields are written already. */
export function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

/** Whether the connection ends after this answer. */
export function isLast(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || res.hasHeader("connection");
}

function writeAnswer({ request, res, options }: Exchange, answer: ApiResponse): MaybePromise<void> {
  // Node would read what is left of an unread body to its end, however long, before the next request.
  if (request.isBodyComing()) endAfter(res);
  const { body } = answer;
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const { headers, encoding } = represent(request, answer, { bytes, offered: ENCODINGS });
  if (!encoding) return send(res, { request, answer, headers, body, bytes }, options);
  const compressed = compress(body, encoding, answer.headers);
  if (!compressed)
    return send(
      res,
      { request, answer, headers: represent(request, answer, { bytes, offered: [] }).headers, body, bytes },
      options,
    );
  return after(compressed, (encoded) =>
    send(res, { request, answer, headers, body: encoded, bytes: encoded.length }, options),
  );
}

/** Answers a request whose own answer failed, if nothing of that was sent. */
function writeFailure({ request, res, options }: Exchange, error: unknown): void {
  try {
    if (request.isBodyComing()) endAfter(res);
    const answer = options.failed(error, request);
    const { headers, body } = answer;
    if (res.headersSent) throw error;
    // Fields that were set before one was found unfit.
    for (const name of res.getHeaderNames()) if (name !== "connection") res.removeHeader(name);
    send(res, { request, answer, headers, body, bytes: Buffer.byteLength(body) }, options);
  } catch {
    request.cut();
  }
}

/** An answer as it goes on the wire: fields and body are those of its representation, `bytes` is the length of the body. */
interface Outgoing extends Pick<ApiResponse, "headers" | "body"> {
  readonly request: NodeRequest;
  readonly answer: ApiResponse;
  readonly bytes: number;
}

function send(res: ServerResponse, outgoing: Outgoing, { sent }: ExchangeOptions): void {
  // An answer that an app has wrapped or imitated may not understand a flat list, and bytes that are sent as text.
  if (res.writeHead === ServerResponse.prototype.writeHead && !outgoing.request.isImitated) write(res, outgoing);
  else writeFields(res, outgoing);
  if (!sent) return;
  const {
    request: { method },
    answer: { status, report },
    bytes,
  } = outgoing;
  sent({ status, bytes: isBodiless(status) || method === "HEAD" ? 0 : bytes, report });
}

function writeFields(
  res: ServerResponse,
  { request: { method, isImitated }, answer: { status }, headers, body, bytes }: Outgoing,
): void {
  for (let i = 0; i + 1 < headers.length; i += 2) res.setHeader(headers[i]!, headers[i + 1]!);
  const hasBody = !isBodiless(status);
  if (hasBody) res.setHeader("Content-Length", String(bytes));
  res.writeHead(status);
  if (!hasBody || method === "HEAD") res.end();
  else if (typeof body === "string") res.end(body);
  else {
    const buffer = Buffer.from(body.buffer, body.byteOffset, body.length);
    // Imitated answers keep text only if it comes as such.
    const isText = isImitated && !res.hasHeader("Content-Encoding") && isUtf8(buffer);
    res.end(isText ? buffer.toString() : buffer);
  }
}

function write(res: ServerResponse, { request: { method }, answer: { status }, headers, body, bytes }: Outgoing): void {
  if (isBodiless(status)) {
    res.writeHead(status, [...headers]).end();
    return;
  }
  res.writeHead(status, [...headers, "Content-Length", String(bytes)]);
  if (method === "HEAD") res.end();
  else if (typeof body === "string") endWith(res, body, bytes === body.length ? "latin1" : "utf8");
  else if (bytes > MAX_JOINED_BYTES) res.end(body);
  else endWith(res, byteText(body), "latin1");
}

/** Up to so many bytes, Node writes fields and body in one piece where the body is text, which is the cheapest for the kernel. */
const MAX_JOINED_BYTES = 16_384;

/** As `res.end(text)`, which would add an empty second piece: 1 µs for the kernel's list of two. */
function endWith(res: ServerResponse, text: string, encoding: "latin1" | "utf8"): void {
  res.cork();
  res.write(text, encoding);
  res.uncork();
  res.end();
}

const texts = new WeakMap<Uint8Array, string>();

/** A text with a character for each byte, made once for a body that is sent again and again. */
function byteText(body: Uint8Array): string {
  let text = texts.get(body);
  if (text === undefined) {
    text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
    texts.set(body, text);
  }
  return text;
}
