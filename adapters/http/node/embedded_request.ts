import type { IncomingHttpHeaders } from "node:http";
import { NodeRequest } from "./node_request.ts";

/**
 * A request that an app has had before. `rawHeaders` decides, where repeated credentials are visible. But a field that the app has
 * added, changed or removed in `req.headers` counts as it is there, and so do all fields of a request without `rawHeaders`.
 */
export class EmbeddedRequest extends NodeRequest {
  /** Express leaves what the client sent here, and removes the path of a mount from `url`. */
  get sentTarget(): string {
    const { message, target } = this;
    return "originalUrl" in message && typeof message.originalUrl === "string" ? message.originalUrl : target;
  }

  override get(name: string): string | undefined {
    const sent = super.get(name);
    // Node has made it by now, as it looks for Host and Expect itself.
    const fields: IncomingHttpHeaders = this.message.headers ?? {};
    const text = Object.hasOwn(fields, name) ? textOf(fields[name]) : undefined;
    if (text === sent) return sent;
    // Of this repeated field Node takes only the first line.
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
