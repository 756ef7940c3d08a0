/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the server is: `https://prices.example`, with the path of its mount if it has one. A slash at the end does not matter. */
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
}

/** The options, checked. */
export interface ClientSettings {
  /** Without a slash at the end. */
  readonly base: string;
  readonly key: string | undefined;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** The longest time that a timer takes. */
const MAX_TIMEOUT_MS = 0x7fff_ffff;

/** Checks the options. Throws `TypeError` or `RangeError` for one that is not possible; no message repeats a key. */
export function parseSettings({ baseUrl, key, fetch: given, timeoutMs = 30_000, retries = 2 }: ClientOptions): ClientSettings {
  // A field value that `fetch` refuses would stand in its error message, and a blank one would ask without a key.
  if (key !== undefined && !/^[!-~]+$/.test(key)) throw new TypeError("Cannot create client as key must be printable ASCII without blanks");
  return {
    base: parseBase(String(baseUrl)),
    key,
    send: given ?? ((url, init) => fetch(url, init)),
    timeoutMs: whole("timeoutMs", timeoutMs, 1, MAX_TIMEOUT_MS),
    retries: whole("retries", retries, 0, 10),
  };
}

function parseBase(text: string): string {
  const wanted = "Cannot create client as baseUrl must be an absolute http or https URL without user, query and fragment";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(wanted);
  }
  const { origin, pathname } = url;
  // Compared as a whole, so that an empty query or fragment is refused like any other.
  if (!/^https?:/.test(origin) || origin + pathname !== url.href) throw new TypeError(wanted);
  return (origin + pathname).replace(/\/+$/, "");
}

function whole(name: string, value: number, from: number, to: number): number {
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new RangeError(`Cannot create client as ${name} must be a whole number from ${from} to ${to}: received "${value}"`);
}
