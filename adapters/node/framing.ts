import type { IncomingMessage } from "node:http";
import { failure, valueOf } from "../../core/internal.ts";
import type { Failure } from "../../core/internal.ts";

/** Node counts to 1,000, and version 20 then drops the rest without a word. */
const MAX_HEADER_LINES = 64;
/** Characters of a host name, an address in brackets, a port; none of the comma and blank between two that were sent. */
const HOST = /^[\w.\-~%:[\]]{0,255}$/;

/** What Node's parser lets through, but two servers in a row could read in two ways. `undefined`: nothing. */
export function framingFailure(
  req: Pick<IncomingMessage, "httpVersionMajor" | "httpVersionMinor" | "rawHeaders">,
): Failure | undefined {
  const { httpVersionMajor: major, httpVersionMinor: minor, rawHeaders } = req;
  // HTTP/0.9, which has no header fields.
  if (major < 1) return failure("INVALID_REQUEST", "The request must be HTTP/1.1 or HTTP/1.0");
  if (rawHeaders.length > MAX_HEADER_LINES * 2) return failure("HEADERS_TOO_LARGE");
  const host = valueOf(rawHeaders, "host");
  if (host === undefined ? minor > 0 : !HOST.test(host)) return failure("INVALID_REQUEST", "The request must have one Host field");
  const codings = valueOf(rawHeaders, "transfer-encoding");
  // With HTTP/1.0 a coding means that someone on the way rewrote the request wrongly (RFC 9112, 6.1).
  if (codings !== undefined && (minor < 1 || codings.toLowerCase() !== "chunked")) {
    return failure("INVALID_REQUEST", "Transfer-Encoding may only be chunked");
  }
  return undefined;
}

/** Whether a body is still to come, as far as the fields tell: while a handler runs for the first time, no end has been seen yet. */
export function isBodyComing({ complete, rawHeaders }: Pick<IncomingMessage, "complete" | "rawHeaders">): boolean {
  if (complete) return false;
  const length = valueOf(rawHeaders, "content-length");
  return (length !== undefined && length !== "0") || valueOf(rawHeaders, "transfer-encoding") !== undefined;
}

/** What became of a connection on which no request could be read. `undefined`: nobody is there to be told. */
export function connectionFailure(error: NodeJS.ErrnoException): Failure | undefined {
  if (error.code === "HPE_HEADER_OVERFLOW") return failure("HEADERS_TOO_LARGE");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return failure("REQUEST_TIMEOUT");
  if (error.code?.startsWith("HPE_")) return failure("INVALID_REQUEST");
  return undefined;
}
