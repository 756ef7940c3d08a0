import { after, err, isBodiless, ok, represent } from "../core/internal.ts";
import type { ContentEncoding } from "../core/internal.ts";
import type { Api, ApiRequest, ApiResponse, BodyFailure, RequestFields, Result } from "../core/mod.ts";

const encoder = new TextEncoder();
const [SLASH, QUESTION_MARK, HASH] = [47, 63, 35];

/**
 * Serves an API where requests and answers are those of the Fetch standard: Bun, Deno, workerd, Node. Answers at
 * once where the API does, with a promise elsewhere: every such runtime takes both.
 */
export function fetchHandler(api: Api): (request: Request) => Response | Promise<Response> {
  return (request) => {
    const asked = new FetchRequest(request);
    return after(api(asked), (answer) => toResponse(asked, answer));
  };
}

/** A request of the Fetch standard as the core sees it. A class, so that one object is made for a request, and fields are read only when asked for. */
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
    this.#hostEnd = endOfHost(this.#url);
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

  text(limit: number): Promise<Result<string, BodyFailure>> {
    return readText(this.#request, limit);
  }
}

function endOfHost(url: string): number {
  for (let at = url.indexOf("://") + 3; at < url.length; at++) {
    const unit = url.charCodeAt(at);
    if (unit === SLASH || unit === QUESTION_MARK || unit === HASH) return at;
  }
  return url.length;
}

async function readText(request: Request, limit: number): Promise<Result<string, BodyFailure>> {
  if (Number(request.headers.get("content-length")) > limit) return err("TOO_LARGE");
  if (!request.body) return ok("");
  const reader = request.body.getReader();
  const refuse = (why: BodyFailure) => {
    // Not awaited: a client that sends nothing more could keep the answer waiting.
    reader.cancel().catch(() => undefined);
    return err(why);
  };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let text = "";
  for (;;) {
    const chunk: { done: boolean; value?: Uint8Array } | undefined = await reader.read().catch(() => undefined);
    if (!chunk) return err("INCOMPLETE"); // The client has gone.
    const { done, value } = chunk;
    bytes += value?.byteLength ?? 0;
    if (bytes > limit) return refuse("TOO_LARGE");
    try {
      text += decoder.decode(value, { stream: !done });
    } catch {
      return refuse("NOT_UTF8");
    }
    if (done) return ok(text);
  }
}

function toResponse(request: FetchRequest, answer: ApiResponse): Response | Promise<Response> {
  const { status, body } = answer;
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const { headers, encoding } = represent(request, answer, bytes.length, encodings());
  if (isBodiless(status)) return new Response(null, { status, headers: fieldsOf(headers) });
  const isHead = request.method === "HEAD";
  if (!encoding) return new Response(isHead ? null : bytes, { status, headers: fieldsOf(headers, bytes.length) });
  return gzip(bytes).then((zipped) => {
    // workerd compresses by itself what is named gzip, unless told that this is done.
    const init = { status, headers: fieldsOf(headers, zipped.length), encodeBody: "manual" };
    return new Response(isHead ? null : zipped, init);
  });
}

/** With the length of the body, as of HEAD no runtime could tell the one that GET would have; of GET some send chunks without it. */
function fieldsOf(headers: readonly string[], length?: number): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < headers.length; i += 2) fields[headers[i]!] = headers[i + 1]!;
  if (length !== undefined) fields["Content-Length"] = String(length);
  return fields;
}

function encodings(): readonly ContentEncoding[] {
  return typeof CompressionStream === "function" ? ["gzip"] : [];
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const plain = new Response(bytes).body!;
  return new Uint8Array(await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}
