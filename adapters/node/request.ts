import type { IncomingMessage } from "node:http";
import { err, ok, valueOf } from "../../core/internal.ts";
import type { ApiRequest, BodyFailure, RequestFields, Result } from "../../core/mod.ts";
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

  text(limit: number): Promise<Result<string, BodyFailure>> {
    return readText(this.#message, limit);
  }
}

/** Reads a body as UTF-8. Stops at the first byte above `limit`, or before the first one when `Content-Length` is above it. */
async function readText(req: IncomingMessage, limit: number): Promise<Result<string, BodyFailure>> {
  if (req.readableDidRead) return readParsed(req, limit);
  // The events that are awaited below would not come any more.
  if (req.destroyed) return err("INCOMPLETE");
  if (Number(req.headers["content-length"]) > limit) return err("TOO_LARGE");
  return new Promise<Result<string, BodyFailure>>((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limit) return;
      req.pause();
      resolve(err("TOO_LARGE"));
    });
    req.once("end", () => resolve(decode(Buffer.concat(chunks, bytes))));
    // Comes after `end`, or instead of it when the client goes away.
    req.once("close", () => resolve(err("INCOMPLETE")));
  });
}

/** What a body parser in front has made of the body: Express and its like leave it on the request. */
function readParsed(req: IncomingMessage & { readonly body?: unknown }, limit: number): Result<string, BodyFailure> {
  const { body } = req;
  if (body === undefined) throw new TypeError("Cannot read the request body as it was read before: is there a body parser in front?");
  if (body instanceof Uint8Array) return body.length > limit ? err("TOO_LARGE") : decode(body);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return Buffer.byteLength(text) > limit ? err("TOO_LARGE") : ok(text);
}

function decode(bytes: Uint8Array): Result<string, BodyFailure> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return err("NOT_UTF8");
  }
}
