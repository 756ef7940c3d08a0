import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { err, ok, valueOf } from "../../../core/internal.ts";
import type { ApiRequest, BodyFailure, RequestFields, Result } from "../../../core/mod.ts";
import { type BodyBytes, bodyText } from "../request_body.ts";
import { type CollectedBody, collectBody, type OnBodyChange } from "./collect_body.ts";
import type { Origin } from "./forwarded_headers.ts";
import { isBodyComing } from "./request_framing.ts";

/**
 * Adapts a request of `node:http`. Fields come from `rawHeaders`, because `headers` drops a second `Authorization`, and
 * because reading one field from it would parse all of them. A class, so that a request costs one object.
 */
export class NodeRequest implements ApiRequest, RequestFields {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestFields = this;
  protected readonly message: IncomingMessage;
  readonly #origin: Origin | undefined;
  readonly #body: CollectedBody | undefined;

  constructor(message: IncomingMessage, origin?: Origin, onBodyChange?: OnBodyChange) {
    this.method = message.method ?? "GET";
    this.target = message.url ?? "/";
    this.message = message;
    this.#origin = origin;
    this.#body = isBodyComing(message) && message instanceof Readable ? collectBody(message, onBodyChange) : undefined;
  }

  get scheme(): "http" | "https" {
    const { socket } = this.message;
    return this.#origin?.scheme ?? (socket && "encrypted" in socket ? "https" : "http");
  }

  get(name: string): string | undefined {
    if (name === "host" && this.#origin?.host !== undefined) return this.#origin.host;
    return valueOf(this.message.rawHeaders ?? [], name);
  }

  /** Whether an app has made the request, e.g. for a cloud function. `rawHeaders` and the socket may be missing. */
  get isImitated(): boolean {
    return !this.message.rawHeaders?.length;
  }

  /** The memory charged for the body; 0 if there is none. */
  heldBytes(): number {
    return this.#body?.heldBytes() ?? 0;
  }

  /** Whether the body is still arriving. */
  isBodyComing(): boolean {
    return this.#body !== undefined && !this.message.complete;
  }

  /** Destroys the connection, if there is one. */
  cut(): void {
    this.message.socket?.destroy?.();
  }

  async text(limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
    const { message } = this;
    const isRead = message instanceof Readable ? message.readableDidRead : "body" in message;
    // A body parser of the app has read the body, and has decompressed it.
    if (!this.#body && isRead) return bodyText(parsedBody(message, limit), limit);
    if (Number(this.get("content-length")) > limit) return err("TOO_LARGE");
    return bodyText(await (this.#body ?? collectBody(message)).read(limit), limit, coding);
  }
}

/** The body that an earlier body parser, e.g. of Express, has put on the request. */
function parsedBody(req: IncomingMessage & { readonly body?: unknown }, limit: number): BodyBytes {
  const { body } = req;
  if (body === undefined)
    throw new TypeError("Cannot read the request body because it was already read: is there a body parser in front?");
  const bytes = Buffer.from(body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body));
  return bytes.length > limit ? err("TOO_LARGE") : ok(bytes);
}
