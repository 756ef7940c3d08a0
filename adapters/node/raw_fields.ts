import { STATUS_CODES } from "node:http";
import type { ApiResponse, UtcMillis } from "../../core/mod.ts";

/** An answer as text for a connection on which no request could be read, so that Node makes no `ServerResponse`. */
export function rawAnswer({ status, headers, body }: ApiResponse, now: UtcMillis): string {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const fields = [...headers, "Content-Length", Buffer.byteLength(text), "Date", new Date(now).toUTCString(), "Connection", "close"];
  const lines = fields.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`;
}
