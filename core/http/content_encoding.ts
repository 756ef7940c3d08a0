import { weightsOf } from "./headers.ts";
import type { ApiRequest, ApiResponse } from "./messages.ts";

/** A content coding that an adapter can apply. */
export type ContentEncoding = "br" | "gzip";

/** Bodies up to this size fit into one network packet, so they are not compressed. */
const MAX_UNCOMPRESSED_BYTES = 1_024;
/** A `Vary` field that already includes `Accept-Encoding`. */
const VARIES = /(?:^|[\s,])(?:\*|accept-encoding)(?:$|[\s,])/i;

/**
 * Chooses the header fields and the content coding of a response, in the same way for every adapter.
 *
 * @param body `bytes` is the length of the body in UTF-8; `offered` lists the adapter's codings, best first.
 */
export function represent(
  request: Pick<ApiRequest, "headers">,
  { status, headers }: Pick<ApiResponse, "status" | "headers">,
  body: { readonly bytes: number; readonly offered: readonly ContentEncoding[] },
): { readonly headers: readonly string[]; readonly encoding: ContentEncoding | undefined } {
  if (isBodiless(status)) {
    // A response without a body has no content type.
    const typeAt = headers.indexOf("Content-Type");
    return { headers: typeAt === -1 ? headers : headers.toSpliced(typeAt, 2), encoding: undefined };
  }
  if (body.bytes <= MAX_UNCOMPRESSED_BYTES) return { headers, encoding: undefined };
  const encoding = chooseEncoding(request.headers.get("accept-encoding"), body.offered);
  const changed = [...headers];
  const [vary, etag] = [headers.indexOf("Vary") + 1, headers.indexOf("ETag") + 1];
  if (vary === 0) changed.push("Vary", "Accept-Encoding");
  else if (!VARIES.test(headers[vary]!)) changed[vary] += ", Accept-Encoding";
  if (encoding && etag > 0) changed[etag] = encodedEtag(headers[etag]!, encoding);
  if (encoding) changed.push("Content-Encoding", encoding);
  return { headers: changed, encoding };
}

/** Whether responses with this status never have a body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** The coding that `Accept-Encoding` prefers; none for `identity` or without the field. Source: RFC 9110, 12.5.3. */
export function chooseEncoding(
  acceptEncoding: string | null | undefined,
  offered: readonly ContentEncoding[],
): ContentEncoding | undefined {
  if (typeof acceptEncoding !== "string") return undefined;
  const weights = weightsOf(acceptEncoding);
  let chosen: ContentEncoding | undefined;
  let highest = weights.get("identity") ?? 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    // If a coding and `identity` have the same weight, the coding wins, because encoded bodies are shorter.
    if (weight > 0 && (chosen ? weight > highest : weight >= highest)) {
      chosen = encoding;
      highest = weight;
    }
  }
  return chosen;
}

/** The entity tag of an encoded body. The core compares only the part before the first `-`, as in `"1a.2-fa-gzip"`. */
export function encodedEtag(etag: string, encoding: ContentEncoding): string {
  return /^".*"$/.test(etag) ? `${etag.slice(0, -1)}-${encoding}"` : etag;
}
