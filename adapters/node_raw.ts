import { STATUS_CODES } from "node:http";
import type { UtcMillis } from "../core/brand.ts";
import type { ApiResponse } from "../core/http.ts";

/** An answer as text for a connection on which no request could be read, so that Node makes no `ServerResponse`. */
export function rawAnswer(answer: ApiResponse, now: UtcMillis): string {
  const headers = {
    ...answer.headers,
    "Content-Length": String(Buffer.byteLength(answer.body)),
    Date: new Date(now).toUTCString(),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines.join("")}\r\n${answer.body}`;
}
