import { IncomingMessage } from "node:http";
import { NodeRequest } from "./node_request.ts";

/**
 * A request that an app has had before. `rawHeaders` decides, where repeated credentials are visible. But a field that the app has
 * added, changed or removed in `req.headers` counts as it is there, and so do all fields of a request without `rawHeaders`.
 */
export class EmbeddedRequest extends NodeRequest {
  readonly #fields: Readonly<Record<string, unknown>> | undefined;

  constructor(message: IncomingMessage) {
    super(message);
    this.#fields = hasUntouchedFields(message) ? undefined : message.headers;
  }

  /** Express leaves what the client sent here, and removes the path of a mount from `url`. */
  get sentTarget(): string {
    const { message, target } = this;
    return "originalUrl" in message && typeof message.originalUrl === "string" ? message.originalUrl : target;
  }

  override get(name: string): string | undefined {
    const sent = super.get(name);
    const fields = this.#fields;
    if (fields === undefined) return sent;
    const text = Object.hasOwn(fields, name) ? textOf(fields[name]) : undefined;
    // Of some repeated fields Node takes only the first line.
    return text !== sent && text !== this.#firstLine(name) ? text : sent;
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

type Keyed = IncomingMessage & { readonly [key: symbol]: unknown };
/** Where Node keeps the fields of a request once `headers` was asked for, and `null` until then. */
let fieldsKey: symbol | undefined;

/** Whether nobody can have changed `req.headers`, as it was never asked for. To ask for it takes as long as all else that is done here. */
function hasUntouchedFields(message: IncomingMessage): boolean {
  if (Object.getPrototypeOf(message) !== IncomingMessage.prototype || Object.hasOwn(message, "headers")) return false;
  fieldsKey ??= Object.getOwnPropertySymbols(message).find(({ description }) => description === "kHeaders");
  return fieldsKey !== undefined && (message as Keyed)[fieldsKey] === null;
}
