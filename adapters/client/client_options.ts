/** Options of `createClient`. */
export interface ClientOptions {
  /** The URL of the server including its mount path, e.g. `https://prices.example`. May end in `/api/v1` or a slash. */
  readonly baseUrl: string | URL;
  /** The API key. Sent in the `X-API-Key` header, to this server only. Default: none; `status` needs no key. */
  readonly key?: string | undefined;
  /** Sends the requests. Default: `fetch` of the runtime. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The maximum time until an answer is complete, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Retries after a network failure, 502, 503 or 504. A server may charge a unit for each retry. Default 2. */
  readonly retries?: number | undefined;
  /** The maximum size of an answer, in bytes after decompression. Default 8 MB: the size of 40,000 candles. */
  readonly maxBytes?: number | undefined;
  /** The maximum number of candles in a request. Default 10,000; lowered if the server refuses so many. */
  readonly maxCandles?: number | undefined;
}

/** The completed options. */
export interface ClientSettings extends Readonly<Record<"timeoutMs" | "retries" | "maxBytes" | "maxCandles", number>> {
  /** Without `/api/v1` and without a slash at the end. */
  readonly base: string;
  readonly key: string | undefined;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

/** The longest delay that a timer accepts, in milliseconds. All numeric options have this maximum. */
const MOST = 0x7fff_ffff;

/** Completes the options. Throws `TypeError` or `RangeError` for an invalid option; no message contains a key. */
export function parseSettings(options: ClientOptions): ClientSettings {
  const { baseUrl, key, fetch: given, timeoutMs = 30_000, retries = 2 } = options;
  const { maxBytes = 8 * 1_048_576, maxCandles = 10_000 } = options;
  // `fetch` would repeat an invalid key in its error message, and would treat a blank key like no key.
  if (key !== undefined && !/^[!-~]+$/.test(key))
    throw new TypeError("Cannot create client because key must be printable ASCII without blanks");
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

/** A base URL without a trailing `/api/v1` or slash. The `TypeError` omits the URL, which may contain a password. */
export function parseBase(text: string): string {
  const { origin, pathname, href } = new URL(URL.canParse(text) ? text : "no:");
  // `href` is longer than origin and path if the URL has a user, query or fragment; a final `?` is an empty query.
  if (!/^https?:/.test(origin) || origin + pathname !== href)
    throw new TypeError("Cannot use base URL because it must be http://… or https://…, without user and query");
  return href.replace(/\/*(\/api\/v1)?\/*$/, "");
}

function whole(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= MOST) return value;
  throw new RangeError(
    `Cannot create client because ${name} must be a whole number from ${least} to ${MOST}: received "${value}"`,
  );
}
