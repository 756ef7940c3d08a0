import { headerValues } from "./headers.ts";
import type { ApiRequest, ApiResponse } from "./http.ts";

/** A content coding that an adapter can make. */
export type ContentEncoding = "br" | "gzip";

/** How an answer goes on the wire: its fields, and the coding its body is to be put into. */
export interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: ContentEncoding | undefined;
}

/** Bodies up to this many bytes are sent as they are: one network packet holds them anyway. */
const MAX_PLAIN_BYTES = 1_024;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Decides on the representation of an answer, the same way in every adapter.
 *
 * @param bodyBytes Length of the answer's body in UTF-8.
 * @param offered The codings that the adapter can make, the preferred one first.
 */
export function represent(
  request: Pick<ApiRequest, "headers">,
  answer: ApiResponse,
  bodyBytes: number,
  offered: readonly ContentEncoding[],
): Representation {
  if (isBodiless(answer.status)) {
    const { "Content-Type": _, ...headers } = answer.headers;
    return { headers, encoding: undefined };
  }
  if (bodyBytes <= MAX_PLAIN_BYTES) return { headers: answer.headers, encoding: undefined };
  const vary = varyOnEncoding(answer.headers["Vary"]);
  const encoding = chooseEncoding(headerValues(request.headers, "accept-encoding"), offered);
  if (!encoding) return { headers: { ...answer.headers, Vary: vary }, encoding };
  const etag = answer.headers["ETag"];
  const tagged = etag === undefined ? {} : { ETag: encodedEtag(etag, encoding) };
  return { headers: { ...answer.headers, ...tagged, "Content-Encoding": encoding, Vary: vary }, encoding };
}

/** Whether answers with this status end after their fields, whatever the method. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/**
 * The coding with the highest weight in the `Accept-Encoding` values, the one offered first among
 * equals. None when the field is absent, or weighs `identity` higher. Source: RFC 9110, 12.5.3.
 */
export function chooseEncoding(
  acceptEncoding: readonly string[],
  offered: readonly ContentEncoding[],
): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const element of acceptEncoding.join(",").split(",")) {
    const [coding = "", parameter] = element.split(";", 2);
    const weight = parameter === undefined ? "1" : WEIGHT.exec(parameter.trim())?.[1];
    if (weight !== undefined) weights.set(coding.trim().toLowerCase(), Number(weight));
  }
  let chosen: ContentEncoding | undefined;
  let highest = weights.get("identity") ?? 0;
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    // An encoding weighed like `identity` is taken: it is the shorter one.
    if (weight > 0 && (chosen ? weight > highest : weight >= highest)) {
      chosen = encoding;
      highest = weight;
    }
  }
  return chosen;
}

/**
 * The tag of an encoded body: different bytes need a different strong tag. `"1a.2"` and `"1a.2-fa"`
 * become `"1a.2-gzip"` and `"1a.2-fa-gzip"`; the core compares only what stands before the first `-`.
 */
export function encodedEtag(etag: string, encoding: ContentEncoding): string {
  return /^".*"$/.test(etag) ? `${etag.slice(0, -1)}-${encoding}"` : etag;
}

function varyOnEncoding(vary: string | undefined): string {
  if (vary === undefined) return "Accept-Encoding";
  return /(?:^|[\s,])(?:\*|accept-encoding)(?:$|[\s,])/i.test(vary) ? vary : `${vary}, Accept-Encoding`;
}
