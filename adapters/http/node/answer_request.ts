import { isUtf8 } from "node:buffer";
import { ServerResponse } from "node:http";
import { after, afterWith, attempt, type ContentEncoding, isBodiless, represent } from "../../../core/internal.ts";
import type { ApiFunction, ApiResponse, MaybePromise } from "../../../core/mod.ts";
import { compress } from "./compress.ts";
import type { SentAnswer } from "./exchange_events.ts";
import type { NodeRequest } from "./node_request.ts";

const ENCODINGS: readonly ContentEncoding[] = ["br", "gzip"];

/** A request, and how to answer it. Passing these as one argument avoids closures for each request. */
export interface Exchange {
  readonly api: ApiFunction;
  readonly request: NodeRequest;
  readonly res: ServerResponse;
  /** Reports an error, and returns the answer to its request. */
  readonly failed: (error: unknown, request: NodeRequest) => ApiResponse;
  /** Called when the answer is written. */
  readonly sent?: ((answer: SentAnswer) => void) | undefined;
}

/** Asks the API and writes the answer. Synchronous if the API answers synchronously. Never throws or rejects. */
export function exchange(parts: Exchange): MaybePromise<void> {
  return attempt(parts, answerRequest, writeFailure);
}

function answerRequest(exchange: Exchange): MaybePromise<void> {
  return afterWith(exchange, exchange.api(exchange.request), writeAnswer);
}

/** Makes the connection close after this answer, unless the header of the answer is already written. */
export function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

/** Whether the connection ends after this answer. */
export function isLast(res: ServerResponse): boolean {
  return !res.shouldKeepAlive || res.hasHeader("connection");
}

function writeAnswer(exchange: Exchange, answer: ApiResponse): MaybePromise<void> {
  const { request, res } = exchange;
  // End the connection, or else Node would read the rest of a long body before the next request.
  if (request.isBodyComing()) endAfter(res);
  const bytes = Buffer.byteLength(answer.body);
  const { headers, encoding } = represent(request, answer, { bytes, offered: ENCODINGS });
  if (!encoding) return send(exchange, { ...answer, headers }, bytes);
  const compressed = compress(answer.body, encoding, answer.headers);
  if (compressed) return after(compressed, (body) => send(exchange, { ...answer, headers, body }, body.length));
  const plain = represent(request, answer, { bytes, offered: [] });
  return send(exchange, { ...answer, headers: plain.headers }, bytes);
}

/** Sends an error if an answer failed, unless part of the failed answer was already sent. */
function writeFailure(exchange: Exchange, error: unknown): void {
  const { request, res, failed } = exchange;
  try {
    if (request.isBodyComing()) endAfter(res);
    const answer = failed(error, request);
    if (res.headersSent) throw error;
    // Removes the header fields of the failed answer: some may have been set before an invalid field threw an error.
    for (const name of res.getHeaderNames()) if (name !== "connection") res.removeHeader(name);
    send(exchange, answer, Buffer.byteLength(answer.body));
  } catch {
    request.cut();
  }
}

/** Sends an answer whose body has this many bytes. */
function send(exchange: Exchange, answer: ApiResponse, bytes: number): void {
  const { request, res, sent } = exchange;
  // If an app has wrapped or mocked the response, it may not support a flat list of fields, or text in place of bytes.
  if (res.writeHead === ServerResponse.prototype.writeHead && !request.isImitated) write(exchange, answer, bytes);
  else writeFields(exchange, answer, bytes);
  const { status, report } = answer;
  sent?.({ status, bytes: isBodiless(status) || request.method === "HEAD" ? 0 : bytes, report });
}

function writeFields({ request, res }: Exchange, { status, headers, body }: ApiResponse, bytes: number): void {
  for (let i = 0; i + 1 < headers.length; i += 2) res.setHeader(headers[i]!, headers[i + 1]!);
  const hasBody = !isBodiless(status);
  if (hasBody) res.setHeader("Content-Length", String(bytes));
  res.writeHead(status);
  if (!hasBody || request.method === "HEAD") res.end();
  else if (typeof body === "string") res.end(body);
  else {
    const buffer = Buffer.from(body.buffer, body.byteOffset, body.length);
    // A mocked response returns text only if it was written as text.
    const isText = request.isImitated && !res.hasHeader("Content-Encoding") && isUtf8(buffer);
    res.end(isText ? buffer.toString() : buffer);
  }
}

function write({ request, res }: Exchange, { status, headers, body }: ApiResponse, bytes: number): void {
  if (isBodiless(status)) return void res.writeHead(status, [...headers]).end();
  res.writeHead(status, [...headers, "Content-Length", String(bytes)]);
  if (request.method === "HEAD") res.end();
  else if (typeof body === "string") endWith(res, body, bytes === body.length ? "latin1" : "utf8");
  else if (bytes > MAX_JOINED_BYTES) res.end(body);
  else endWith(res, byteText(body), "latin1");
}

/** Up to this size, Node writes header and text body in one piece, which is cheapest for the kernel. */
const MAX_JOINED_BYTES = 16_384;

/** Like `res.end(text)`, but without writing an empty second piece, which would cost 1 µs. */
function endWith(res: ServerResponse, text: string, encoding: "latin1" | "utf8"): void {
  res.cork();
  res.write(text, encoding);
  res.uncork();
  res.end();
}

const texts = new WeakMap<Uint8Array, string>();

/** A text with one character per byte, made once for a body that is sent repeatedly. */
function byteText(body: Uint8Array): string {
  let text = texts.get(body);
  if (text === undefined) {
    text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
    texts.set(body, text);
  }
  return text;
}
