import type { IncomingMessage } from "node:http";
import { valueOf } from "../../core/internal.ts";
import type { ApiRequest, BodyFailure, RequestFields, Result } from "../../core/mod.ts";
import { readText } from "./text.ts";

/**
 * A request of `node:http` as the core sees it. Fields come from `rawHeaders`: `headers` drops a second
 * `Authorization`, and is made of all fields when the first is asked for. A class, so that one object is made
 * for a request, and nothing else.
 */
export class NodeRequest implements ApiRequest, RequestFields {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestFields = this;
  readonly #message: IncomingMessage;
  readonly #beforeReading: (() => void) | undefined;

  /** @param beforeReading Called before the body is read, if it ever is. */
  constructor(message: IncomingMessage, beforeReading?: () => void) {
    this.method = message.method ?? "GET";
    this.target = message.url ?? "/";
    this.#message = message;
    this.#beforeReading = beforeReading;
  }

  get scheme(): "http" | "https" {
    return "encrypted" in this.#message.socket ? "https" : "http";
  }

  get(name: string): string | undefined {
    return valueOf(this.#message.rawHeaders, name);
  }

  text(limit: number): Promise<Result<string, BodyFailure>> {
    return readText(this.#message, limit, this.#beforeReading);
  }
}
