import type { IncomingHttpHeaders } from "node:http";
import { NodeRequest } from "./node_request.ts";

/**
 * A request from an app. Fields are read from `rawHeaders`, which shows repeated credentials. `req.headers` is used for
 * each field that the app has changed there, or for all fields if `rawHeaders` is missing.
 */
export class EmbeddedRequest extends NodeRequest {
  /** Express removes the mount path from `url`, and keeps the full target in `originalUrl`. */
  get sentTarget(): string {
    const { message, target } = this;
    return "originalUrl" in message && typeof message.originalUrl === "string" ? message.originalUrl : target;
  }

  override get(name: string): string | undefined {
    const sent = super.get(name);
    // Reading `headers` costs little: Node has already made it, to look for Host and Expect.
    const fields: IncomingHttpHeaders = this.message.headers ?? {};
    const text = Object.hasOwn(fields, name) ? textOf(fields[name]) : undefined;
    if (text === sent) return sent;
    // Of several `Authorization` lines, `headers` has only the first.
    return name === "authorization" && text === this.#firstLine(name) ? sent : text;
  }

  #firstLine(name: string): string | undefined {
    const { rawHeaders = [] } = this.message;
    const at = rawHeaders.findIndex((part, i) => i % 2 === 0 && part.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  }
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
