/** Cases in which runners answer differently from the node:http server, and why that is accepted. */
export interface Difference {
  /** Rules of cases. */
  readonly rules: readonly string[];
  /** Runners by name. */
  readonly runners: RegExp;
  /** What they answer instead. */
  readonly status: number;
  readonly code?: string;
  readonly reason: string;
}

const FETCH = /fetch$|^bun$|^deno$|^workerd/;
/** Runtimes that normalise a request's URL by the URL standard. Deno and workerd pass it on as it was sent. */
const URL_STANDARD = /fetch$|^bun$/;

/** Every difference. One that no longer occurs is an error and has to be removed here. */
export const DIFFERENCES: readonly Difference[] = [
  {
    rules: ["brotli where there is brotli"],
    runners: FETCH,
    status: 200,
    reason: "The standard's CompressionStream has gzip but not brotli, so a client that accepts only brotli gets the body uncompressed.",
  },
  {
    rules: ["target: a dot segment", "target: two dots", "target: two encoded dots", "target: a backslash"],
    runners: URL_STANDARD,
    status: 200,
    reason: "The URL standard resolves dots and turns backslashes around before the handler sees the path, so the resolved path is served.",
  },
  {
    rules: ["target: quotes and angles"],
    runners: URL_STANDARD,
    status: 404,
    code: "ASSET_NOT_FOUND",
    reason: "The URL standard percent-encodes characters that a path may not contain, so the path in the error body is encoded.",
  },
  {
    rules: ["target: quotes and angles", "target: quotes in a query"],
    runners: /^workerd/,
    status: 400,
    reason: "workerd itself refuses characters that a URI may not contain, with its own body.",
  },
  {
    rules: ["target: a fragment"],
    runners: /^workerd/,
    status: 200,
    reason: "workerd drops a fragment, which no client may send, before the handler sees the target.",
  },
  {
    rules: ["target: bytes above ASCII", "target: bytes above ASCII in a query"],
    runners: /listener$|fetch$/,
    status: 400,
    reason: "Node's parser refuses such a request before any listener sees it; only our server can send an error body then.",
  },
  {
    rules: ["target: bytes above ASCII"],
    runners: /^bun$/,
    status: 404,
    code: "ASSET_NOT_FOUND",
    reason: "Bun percent-encodes the bytes, as the URL standard says.",
  },
  {
    rules: ["target: bytes above ASCII"],
    runners: /^deno$|^workerd/,
    status: 400,
    code: "INVALID_REQUEST",
    reason: "Their parsers take the bytes as UTF-8, and it is the core that refuses them: the message is another.",
  },
  {
    rules: ["target: bytes above ASCII in a query"],
    runners: /^bun$|^deno$|^workerd/,
    status: 400,
    code: "INVALID_CODES",
    reason: "Their parsers take the bytes as UTF-8, and it is the parameter's rule that refuses them.",
  },
  {
    rules: ["target: the absolute form", "target: the absolute form without a path"],
    runners: /fetch$/,
    status: 400,
    code: "INVALID_REQUEST",
    reason: "The bridge of these tests puts a host before every target; hosts that make a Request do that right.",
  },
];
