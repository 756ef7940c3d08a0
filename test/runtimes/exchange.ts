import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { connectRaw, type RawRequest, type Reply, rawRequest } from "../support/raw_http.ts";

/** A request, and the answer that the node:http adapter must send. All other runners must send the same answer. */
export interface Case {
  readonly rule: string;
  readonly request: RawRequest;
  readonly status: number;
  /** The machine-readable code in the error body. */
  readonly code?: string;
  /** In header lines, `ETAG` is replaced by the entity tag of the answer to this request. */
  readonly tagOf?: RawRequest;
}

/** The parts of an answer that are compared: the status, a line for each field, and the body as Latin-1. */
export type Answer = readonly string[];

/** Fields that are specific to a connection, or change with time. */
const TRANSPORT = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);
const REQUEST_ID = /req_[0-9A-Za-z]{22}/g;
const REPLY_MS = 15_000;
const CLOSE_MS = 300;

/** Sends the request of a case; returns the answer, or a line that says that there was no answer. */
export async function answerOf({ request, tagOf }: Case, origin: string): Promise<Answer> {
  try {
    if (!tagOf) return comparable(await send(origin, request), request);
    const tag = (await send(origin, tagOf)).headers.get("etag") ?? "none";
    const conditional = { ...request, headers: request.headers?.map((line) => line.replace("ETAG", tag)) ?? [] };
    return comparable(await send(origin, conditional), conditional);
  } catch (error) {
    return [`no answer: ${String(error)}`, ""];
  }
}

/** Sends one request on a new connection. Rejects if anything follows the answer. */
export async function send(origin: string, request: RawRequest): Promise<Reply> {
  const connection = connectRaw(origin);
  try {
    connection.send(rawRequest({ ...request, headers: [...(request.headers ?? []), "Connection: close"] }));
    const reply = await within(REPLY_MS, connection.reply(request.method));
    if (reply === undefined) throw new Error("nothing came in time");
    // Deno answers without reading the body, but then waits for the rest of the body.
    const rest = await within(CLOSE_MS, connection.rest());
    if (rest) throw new Error(`bytes after the answer: ${JSON.stringify(rest.slice(0, 300))}`);
    return reply;
  } finally {
    connection.destroy();
  }
}

/** Bodies are decompressed, because implementations of gzip make different bytes. */
function comparable(reply: Reply, request: RawRequest): Answer {
  const coding = reply.headers.get("content-encoding");
  const isCoded = request.method !== "HEAD" && coding !== undefined;
  const body = isCoded ? (coding === "br" ? brotliDecompressSync : gunzipSync)(reply.body) : reply.body;
  const fields = [...reply.headers].filter(([name]) => !TRANSPORT.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = fields.map(([name, value]) => {
    return `${name}: ${name === "content-length" ? comparableLength(value, reply, request) : value}`;
  });
  return [String(reply.status), ...lines, body.toString("latin1")].map((line) => line.replace(REQUEST_ID, "req_"));
}

/** The length of a compressed body depends on the implementation, so it is only checked against the received bytes. */
function comparableLength(value: string, { headers, body }: Reply, { method }: RawRequest): string {
  if (method !== "HEAD" && Number(value) !== body.length) return `${value}, which is wrong`;
  return headers.has("content-encoding") ? "given" : value;
}

/** The value of a promise, or `undefined` if it takes too long. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
