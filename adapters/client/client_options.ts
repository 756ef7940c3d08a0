/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the server is: `https://prices.example`, with the path of its mount if it has one. `/api/v1` or a slash at the end does not matter. */
  readonly baseUrl: string | URL;
  /** The API key. Sent in the field `X-API-Key`, and to this server only. Default: none, which suffices for `status`. */
  readonly key?: string | undefined;
  /** Sends the requests. Default: `fetch` of the runtime. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Longest wait for an answer with its body, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is sent again after a failure of the network or a 502, 503 or 504. Default 2. A server may
   * count a unit for each of them.
   */
  readonly retries?: number | undefined;
  /** Longest answer, in bytes after it is unpacked. Default 8 MB: four times 10,000 candles. */
  readonly maxBytes?: number | undefined;
  /** Most candles of one request. Default 10,000; lowered where the server refuses so many. */
  readonly maxCandles?: number | undefined;
}

/** The options, checked. */
export interface ClientSettings {
  /** Without `/api/v1` and without a slash at the end. */
  readonly base: string;
  readonly key: string | undefined;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxBytes: number;
  readonly maxCandles: number;
}

/** The longest time that a timer takes; enough for all numbers. */
const MOST = 0x7fff_ffff;

/** Checks the options. Throws `TypeError` or `RangeError` for one that is not possible; no message repeats a key. */
export function parseSettings(options: ClientOptions): ClientSettings {
  const {
    baseUrl,
    key,
    fetch: given,
    timeoutMs = 30_000,
    retries = 2,
    maxBytes = 8 * 1_048_576,
    maxCandles = 10_000,
  } = options;
  // A field value that `fetch` refuses would stand in its error message, and a blank one would ask without a key.
  if (key !== undefined && !/^[!-~]+$/.test(key))
    throw new TypeError("Cannot create client as key must be printable ASCII without blanks");
  return {
    base: parseBase(String(baseUrl)),
    key,
    send: given ?? ((url, init) => fetch(url, init)),
    timeoutMs: whole("timeoutMs", timeoutMs, 1),
    retries: whole("retries", retries, 0),
    maxBytes: whole("maxBytes", maxBytes, 1),
    maxCandles: whole("maxCandles", maxCandles, 1),
  };
}

/** A base URL without `/api/v1` and without a slash at its end. Throws `TypeError` for another, without its text, which may hold a password. */
export function parseBase(text: string): string {
  const { origin, pathname, href } = new URL(URL.canParse(text) ? text : "no:");
  // Compared as a whole, so that user, query and fragment are refused, also when they are empty.
  if (!/^https?:/.test(origin) || origin + pathname !== href)
    throw new TypeError("Cannot use base URL as it must be http://… or https://…, without user and query");
  return href.replace(/\/*(\/api\/v1)?\/*$/, "");
}

function whole(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MOST) return value;
  throw new RangeError(
    `Cannot create client as ${name} must be a whole number from ${least} to ${MOST}: received "${value}"`,
  );
}
