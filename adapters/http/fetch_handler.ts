import { after, attempt, err, isBodiless, ok, represent } from "../../core/internal.ts";
import type { ApiFunction, ApiRequest, ApiResponse, BodyFailure, RequestFields, Result } from "../../core/mod.ts";
import { type BasePathOption, underBasePath } from "./base_path.ts";
import { callSafely } from "./call_safely.ts";
import { bodyText, readStream } from "./request_body.ts";

const encoder = new TextEncoder();
/** The scheme and the host of a URL. */
const ORIGIN = /^[^:]+:\/\/[^/?#]*/;

/** Options of a fetch handler. */
export interface FetchHandlerOptions extends BasePathOption {
  /** Called with an error from the API, or with the reason why its answer could not be sent. The client gets 500. */
  readonly onError?: (error: unknown) => void;
}

/** Serves an API with the Fetch standard, on Bun, Deno, workerd and Node. Synchronous for a synchronous API. */
export function fetchHandler(
  api: ApiFunction,
  { onError, basePath }: FetchHandlerOptions = {},
): (request: Request) => Response | Promise<Response> {
  const served = underBasePath(api, basePath);
  const answer = (request: FetchRequest): Response | Promise<Response> =>
    after(served(request), (made) => toResponse(request, made));
  const fail = (_: FetchRequest, error: unknown): Response => {
    callSafely(onError, error);
    return new Response("Internal Server Error", { status: 500, headers: { "Cache-Control": "no-store" } });
  };
  return (request) => attempt(new FetchRequest(request), answer, fail);
}

/** Adapts a `Request` of the Fetch standard. A class, so a request costs one object, and fields are read on demand. */
class FetchRequest implements ApiRequest, RequestFields {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestFields = this;
  readonly #request: Request;
  readonly #url: string;
  readonly #hostEnd: number;

  constructor(request: Request) {
    this.#request = request;
    this.#url = request.url;
    this.#hostEnd = ORIGIN.exec(this.#url)![0].length;
    this.method = request.method;
    this.target = this.#url.slice(this.#hostEnd) || "/";
  }

  get scheme(): "http" | "https" {
    return this.#url.startsWith("https:") ? "https" : "http";
  }

  get(name: string): string | null {
    const value = this.#request.headers.get(name);
    return value === null && name === "host" ? this.#url.slice(this.#url.indexOf("://") + 3, this.#hostEnd) : value;
  }

  async text(limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
    const { headers, body } = this.#request;
    if (Number(headers.get("content-length")) > limit) return err("TOO_LARGE");
    return bodyText(body ? await readStream(body, limit, "INCOMPLETE") : ok(new Uint8Array()), limit, coding);
  }
}

function toResponse(request: FetchRequest, answer: ApiResponse): Response | Promise<Response> {
  const { status, body } = answer;
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const offered = typeof CompressionStream === "function" ? (["gzip"] as const) : [];
  const { headers, encoding } = represent(request, answer, { bytes: bytes.length, offered });
  if (isBodiless(status)) return new Response(null, { status, headers: fieldsOf(headers) });
  const isHead = request.method === "HEAD";
  if (!encoding) return new Response(isHead ? null : bytes, { status, headers: fieldsOf(headers, bytes.length) });
  return gzip(bytes).then((zipped) => {
    // Without `encodeBody`, workerd compresses the body again.
    const init = { status, headers: fieldsOf(headers, zipped.length), encodeBody: "manual" };
    return new Response(isHead ? null : zipped, init);
  });
}

/** Adds the body's length, because no runtime knows it for HEAD, and some would otherwise send GET bodies in chunks. */
function fieldsOf(headers: readonly string[], length?: number): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < headers.length; i += 2) fields[headers[i]!] = headers[i + 1]!;
  if (length !== undefined) fields["Content-Length"] = String(length);
  return fields;
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const plain = new Response(bytes).body!;
  return new Uint8Array(await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}
