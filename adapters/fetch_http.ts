import type { Api, ApiRequest, ApiResponse, BodyFailure } from "../core/http.ts";
import { isBodiless, represent } from "../core/negotiate.ts";
import type { ContentEncoding } from "../core/negotiate.ts";
import { err, ok } from "../core/result.ts";
import type { Result } from "../core/result.ts";

const encoder = new TextEncoder();

/** Serves an API where requests and answers are those of the Fetch standard: Bun, Deno, workerd, Node. */
export function fetchHandler(api: Api): (request: Request) => Promise<Response> {
  return async (request) => {
    const taken = takeApart(request);
    return toResponse(taken, await api(taken));
  };
}

function takeApart(request: Request): ApiRequest {
  const { url, method } = request;
  const host = url.indexOf("://") + 3;
  const length = url.slice(host).search(/[/?#]|$/);
  const headers = [...request.headers].flat();
  if (!request.headers.has("host")) headers.push("host", url.slice(host, host + length));
  return {
    method,
    target: url.slice(host + length) || "/",
    headers,
    scheme: url.startsWith("https:") ? "https" : "http",
    text: (limit) => readText(request, limit),
  };
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

async function toResponse(request: ApiRequest, answer: ApiResponse): Promise<Response> {
  const bytes = encoder.encode(answer.body);
  const { headers, encoding } = represent(request, answer, bytes.length, encodings());
  const body = encoding ? await gzip(bytes) : answer.body;
  const isEmpty = isBodiless(answer.status);
  const init = {
    status: answer.status,
    // Of HEAD no runtime could tell the length that GET would have; of GET some hosts send chunks without it.
    headers: isEmpty ? headers : { ...headers, "Content-Length": String(encoding ? body.length : bytes.length) },
    // workerd compresses by itself what is named gzip, unless told that this is done.
    encodeBody: "manual",
  };
  return new Response(isEmpty || request.method === "HEAD" ? null : body, init);
}

function encodings(): readonly ContentEncoding[] {
  return typeof CompressionStream === "function" ? ["gzip"] : [];
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const plain = new Response(bytes).body!;
  return new Uint8Array(await new Response(plain.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}
