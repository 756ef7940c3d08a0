import type { IncomingMessage } from "node:http";
import { err, ok, valueOf } from "../../core/internal.ts";
import type { ApiRequest, BodyFailure, RequestFields, Result } from "../../core/mod.ts";
import { bodyText } from "../body_text.ts";
import type { Parts } from "../body_text.ts";
import type { Origin } from "./forwarded.ts";

/**
 * A request of `node:http` as the core sees it. Fields come from `rawHeaders`, as `headers` drops a second
 * `Authorization`, and is made of all fields when the first is asked for. A class, so that a request costs one
 * object.
 */
export class NodeRequest implements ApiRequest, RequestFields {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestFields = this;
  readonly #message: IncomingMessage;
  readonly #origin: Origin | undefined;

  constructor(message: IncomingMessage, origin?: Origin) {
    this.method = message.method ?? "GET";
    this.target = message.url ?? "/";
    this.#message = message;
    this.#origin = origin;
  }

  get scheme(): "http" | "https" {
    return this.#origin?.scheme ?? ("encrypted" in this.#message.socket ? "https" : "http");
  }

  get(name: string): string | undefined {
    if (name === "host" && this.#origin?.host !== undefined) return this.#origin.host;
    return valueOf(this.#message.rawHeaders, name);
  }

  async text(limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
    const isParsed = this.#message.readableDidRead;
    // A parser in front has unpacked the body.
    return isParsed ? bodyText(parsedBody(this.#message, limit), limit) : bodyText(await readBody(this.#message, limit), limit, coding);
  }
}

/** Reads a body. Stops at the first byte above `limit`, or before the first one when `Content-Length` is above it. */
async function readBody(req: IncomingMessage, limit: number): Promise<Parts> {
  // The events that are awaited below would not come any more.
  if (req.destroyed) return err("INCOMPLETE");
  if (Number(req.headers["content-length"]) > limit) return err("TOO_LARGE");
  return new Promise<Parts>((resolve) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    let bytes = 0;
    req.on("data", (chunk: Buffer<ArrayBuffer>) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limit) return;
      req.pause();
      resolve(err("TOO_LARGE"));
    });
    req.once("end", () => resolve(ok(chunks)));
    // Comes after `end`, or instead of it when the client goes away.
    req.once("close", () => resolve(err("INCOMPLETE")));
  });
}

/** What a body parser in front has made of the body: Express and its like leave it on the request. */
function parsedBody(req: IncomingMessage & { readonly body?: unknown }, limit: number): Parts {
  const { body } = req;
  if (body === undefined) throw new TypeError("Cannot read the request body as it was read before: is there a body parser in front?");
  const bytes = Buffer.from(body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body));
  return bytes.length > limit ? err("TOO_LARGE") : ok([bytes]);
}
