import { type IncomingMessage, STATUS_CODES } from "node:http";
import { type Failure, failure, valueOf } from "../../../core/internal.ts";
import type { ApiResponse } from "../../../core/mod.ts";

/** Lower than Node's own limit of 1,000, above which Node 20 silently drops lines. */
const MAX_HEADER_LINES = 64;
/** A host name, or an address in brackets, and a port. Does not match two Host fields joined with a comma. */
const HOST = /^[\w.\-~%:[\]]{0,255}$/;

/** The failure of a request that Node accepts, but another server may read differently; `undefined` if it is sound. */
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
  // A transfer coding in HTTP/1.0 means that a proxy has rewritten the request wrongly (RFC 9112, 6.1).
  if (codings !== undefined && (minor < 1 || codings.toLowerCase() !== "chunked"))
    return failure("INVALID_REQUEST", "Transfer-Encoding may only be chunked");
  return undefined;
}

/** Whether the body is still arriving. Reads the header fields, because `complete` is set only after the handler. */
export function isBodyComing({ complete, rawHeaders = [] }: Pick<IncomingMessage, "complete" | "rawHeaders">): boolean {
  if (complete) return false;
  const length = valueOf(rawHeaders, "content-length");
  return (length !== undefined && length !== "0") || valueOf(rawHeaders, "transfer-encoding") !== undefined;
}

/** Why no request could be read from a connection; `undefined` if its client has left. */
export function connectionFailure(error: NodeJS.ErrnoException): Failure | undefined {
  if (error.code === "HPE_HEADER_OVERFLOW") return failure("HEADERS_TOO_LARGE");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return failure("REQUEST_TIMEOUT");
  if (error.code?.startsWith("HPE_")) return failure("INVALID_REQUEST");
  return undefined;
}

/** Renders the answer for a connection from which no request could be read: Node has no `ServerResponse` for it. */
export function rawAnswer({ status, headers, body }: ApiResponse): string {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const added = ["Content-Length", Buffer.byteLength(text), "Date", new Date().toUTCString(), "Connection", "close"];
  const lines = [...headers, ...added].map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`;
}
