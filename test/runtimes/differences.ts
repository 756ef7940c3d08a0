/** Cases in which runners answer otherwise than the node:http server, and why that stays so. */
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
/** Runtimes that read a request's URL by the URL standard. Deno and workerd hand it over as it was sent. */
const URL_STANDARD = /fetch$|^bun$/;

/** Every difference there is. One that no longer shows is an error: it is to be taken out then. */
export const DIFFERENCES: readonly Difference[] = [
  {
    rules: ["brotli where there is brotli"],
    runners: FETCH,
    status: 200,
    reason: "The standard's CompressionStream knows gzip and no brotli: who takes brotli only gets the body plain.",
  },
  {
    rules: ["target: a dot segment", "target: two dots", "target: two encoded dots", "target: two dots above the root", "target: a backslash"],
    runners: URL_STANDARD,
    status: 200,
    reason: "The URL standard resolves dots, and turns backslashes, before the handler sees the path: it is served as what it means.",
  },
  {
    rules: ["target: quotes and angles", "target: braces and bars"],
    runners: URL_STANDARD,
    status: 404,
    code: "ASSET_NOT_FOUND",
    reason: "The URL standard percent-encodes what no path may hold as it is, so the error body's path shows it encoded.",
  },
  {
    rules: ["target: quotes and angles", "target: braces and bars", "target: quotes in a query"],
    runners: /^workerd/,
    status: 400,
    reason: "workerd refuses what no URI may hold by itself, in its own words.",
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
    reason: "Node's parser refuses such a request before any listener sees it: only a server can put that into words.",
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
