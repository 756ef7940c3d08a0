import type { UtcMillis } from "../branded_types.ts";
import { quoteJson } from "../bytes/json.ts";
import { formatTimestamp } from "../time/timestamps.ts";
import { maskKeys } from "./mask_keys.ts";
import type { Freshness } from "./route.ts";

/** The codes of error bodies, each with its HTTP status and its default message. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, message: "The request is not well-formed" },
  INVALID_CODES: { status: 400, message: "codes takes asset codes separated by commas, e.g. USD_RLS,BTC_USD" },
  INVALID_FILTER: { status: 400, message: "The filter has a value that is not in the catalog" },
  INVALID_DATE: { status: 400, message: "A date is a real Gregorian day written YYYY-MM-DD" },
  MISSING_PARAMETER: { status: 400, message: "A required parameter is missing" },
  DUPLICATE_PARAMETER: { status: 400, message: "A parameter may be given only once" },
  INVALID_INTERVAL: { status: 400, message: "interval is one of 15m, 1h, 4h, 1d" },
  INVALID_TIMESTAMP: { status: 400, message: "A timestamp is ISO 8601 in UTC, e.g. 2026-01-31T00:00:00Z" },
  INVALID_OHLC_RANGE: { status: 400, message: "from must be before to" },
  INVALID_BODY: { status: 400, message: "The body is a JSON object with the strings fromDate and toDate" },
  API_KEY_MISSING: {
    status: 401,
    message: "Send the API key in the header X-API-Key, or as Authorization: ApiKey; a key in the URL is never read",
  },
  API_KEY_INVALID: { status: 401, message: "The API key is not valid" },
  CONFLICTING_CREDENTIALS: { status: 401, message: "Send one API key in one header, and no Bearer token beside it" },
  ACCESS_RESTRICTED: { status: 403, message: "Access of this account is disabled or restricted" },
  ASSET_NOT_FOUND: { status: 404, message: "There is no record for this asset" },
  OHLC_NOT_FOUND: { status: 404, message: "There are no candles for this asset in this range" },
  ROUTE_NOT_FOUND: { status: 404, message: "There is no such route; GET /api/v1/status lists them" },
  METHOD_NOT_ALLOWED: { status: 405, message: "This route does not support this method" },
  REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time" },
  BODY_TOO_LARGE: { status: 413, message: "The body is larger than 8192 bytes" },
  URI_TOO_LONG: { status: 414, message: "The request target is too long" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "The body must be sent as Content-Type: application/json, in UTF-8" },
  INVALID_DATE_RANGE: {
    status: 417,
    message: "The range must not run backwards, and its two days may be at most 31 days apart",
  },
  QUOTA_EXCEEDED: { status: 429, message: "The daily quota is used up until the next quota day" },
  RATE_LIMITED: {
    status: 429,
    message: "Too many requests in a short time; Retry-After says when to try again, and no unit was taken",
  },
  HEADERS_TOO_LARGE: { status: 431, message: "The request has too many or too large header fields" },
  INTERNAL_ERROR: { status: 500, message: "Something went wrong on our side; the requestId helps to find it" },
  UNAVAILABLE: { status: 503, message: "The service cannot answer just now; try again later" },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

/** The `code` of an error body. */
export type ErrorCode = keyof typeof ERRORS;

/** A failure that clients receive as an error body. */
export interface Failure {
  readonly code: ErrorCode;
  /** Says what was wrong, and what would be valid. Never contains a secret. Default: the message in `ERRORS`. */
  readonly message?: string | undefined;
  /** Header fields of this failure, such as `Retry-After`: name, value, name, value. */
  readonly fields?: readonly string[] | undefined;
  /** Set if the cause is missing records: how long the cache may answer all callers with this failure. */
  readonly freshness?: Freshness;
}

/** Makes a failure. `message` replaces the default, and `fields` are header fields: name, value, name, value. */
export function failure(code: ErrorCode, message?: string, fields?: readonly string[]): Failure {
  return { code, message, fields };
}

/** Renders an error body; `path` is the request path without its query. Source: contract, Error body. */
export function errorBody(
  { code, message }: Failure,
  { now, path, requestId }: { readonly now: UtcMillis; readonly path: string; readonly requestId: string },
): string {
  const { status, message: usual } = ERRORS[code];
  const text = message === undefined ? `"${usual}"` : quoteJson(message);
  return (
    `{"status":${status},"code":"${code}","message":${text},"timestamp":"${formatTimestamp(now)}"` +
    `,"path":${quoteJson(maskKeys(path).slice(0, MAX_ECHOED_PATH))},"requestId":${quoteJson(requestId)}}`
  );
}

/** Quotes a client's text for a message: cuts a long text, and masks anything that looks like a key. */
export function quote(text: string): string {
  const masked = maskKeys(text);
  return masked.length <= MAX_ECHOED_TEXT ? `"${masked}"` : `"${masked.slice(0, MAX_ECHOED_TEXT)}…"`;
}

const MAX_ECHOED_PATH = 1_024;
const MAX_ECHOED_TEXT = 64;
