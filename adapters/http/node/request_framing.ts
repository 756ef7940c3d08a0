import { type IncomingMessage, STATUS_CODES } from "node:http";
import { type Failure, failure, valueOf } from "../../../core/internal.ts";
import type { ApiResponse } from "../../../core/mod.ts";

/** Node's own limit is 1,000, and version 20 drops further lines silently. */
const MAX_HEADER_LINES = 64;
/** The characters of a host name, an address in brackets and a port. Not those of the comma and blank that join two Host fields. */
const HOST = /^[\w.\-~%:[\]]{0,255}$/;

/** Finds in a request what Node's parser accepts, but two servers in a row could read differently. `undefined`: nothing. */
export function framingFailure(
  req: Pick<IncomingMessage, "httpVersionMajor" | "httpVersionMinor" | "rawHeaders">,
): Failure | undefined {
  const { httpVersionMajor: major, httpVersionMinor: minor, rawHeaders } = req;
  // HTTP/0.9 has no header fields.
  if (major < 1) return failure("INVALID_REQUEST", "The request must be HTTP/1.1 or HTTP/1.0");
  if (rawHeaders.length > MAX_HEADER_LINES * 2) return failure("HEADERS_TOO_LARGE");
  const host = valueOf(rawHeaders, "host");
  if (host === undefined ? minor > 0 : !HOST.test(host))
    return failure("INVALID_REQUEST", "The request must have one Host field");
  const codings = valueOf(rawHeaders, "transfer-encoding");
  // With HTTP/1.0 a coding means that someone on the way rewrote the request wrongly (RFC 9112, 6.1).
  if (codings !== undefined && (minor < 1 || codings.toLowerCase() !== "chunked"))
    return failure("INVALID_REQUEST", "Transfer-Encoding may only be chunked");
  return undefined;
}

/** Whether a part of the body may still arrive. Asks the fields, as Node marks no request as complete before its first handler has returned. */
export function isBodyComing({ complete, rawHeaders = [] }: Pick<IncomingMessage, "complete" | "rawHeaders">): boolean {
  if (complete) return false;
  const length = valueOf(rawHeaders, "content-length");
  return (length !== undefined && length !== "0") || valueOf(rawHeaders, "transfer-encoding") !== undefined;
}

/** Why no request could be read from a connection. `undefined`: its client has gone. */
export function connectionFailure(error: NodeJS.ErrnoException): Failure | undefined {
  if (error.code === "HPE_HEADER_OVERFLOW") return failure("HEADERS_TOO_LARGE");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return failure("REQUEST_TIMEOUT");
  if (error.code?.startsWith("HPE_")) return failure("INVALID_REQUEST");
  return undefined;
}

/** Renders an answer for a connection on which no request could be read, as Node makes no `ServerResponse` there. */
export function rawAnswer({ status, headers, body }: ApiResponse): string {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const fields = [
    ...headers,
    "Content-Length",
    Buffer.byteLength(text),
    "Date",
    new Date().toUTCString(),
    "Connection",
    "close",
  ];
  const lines = fields.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`;
}
