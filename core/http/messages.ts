import type { MaybePromise } from "../ports.ts";
import type { Result } from "../result.ts";
import type { Failure } from "./errors.ts";
import type { ExchangeReport } from "./exchange_report.ts";
import type { RouteRow } from "./route.ts";

/** A request as the core sees it, independent of the runtime. */
export interface ApiRequest {
  /** The method as sent, e.g. `GET`. */
  readonly method: string;
  /** The request target as sent: path and query, or the absolute form. Checked by the core. */
  readonly target: string;
  /** The target as the client sent it, where an app in front has changed it: error bodies name its path. Default: `target`. */
  readonly sentTarget?: string;
  /** The fields received. The Fetch standard's `Headers` will do, and so will a `Map` with names in lower case. */
  readonly headers: RequestFields;
  /** How the client reached this server; used for the documentation link of the status route. */
  readonly scheme: "http" | "https";
  /**
   * Reads the body as UTF-8, refusing more than `limit` bytes. Called at most once, after authentication.
   *
   * @param coding `gzip` for a body to unpack: neither the packed nor the unpacked bytes may be more than `limit`. Default: none.
   */
  text(limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>>;
}

/** The header fields of a request. */
export interface RequestFields {
  /**
   * The value of a field, `null` or `undefined` without it.
   *
   * @param name In lower case.
   * @returns All values of a repeated field, in the order received and with `, ` between them: credentials
   * that were sent twice must stay visible to the core.
   */
  get(name: string): string | null | undefined;
}

/**
 * Why a body could not be read: more bytes than allowed, bytes that are not UTF-8, or that cannot be unpacked, a connection that ended
 * early, or too many bodies of the same key that are still arriving.
 */
export type BodyFailure = "TOO_LARGE" | "NOT_UTF8" | "NOT_GZIP" | "INCOMPLETE" | "TOO_MANY";

/** A response for the adapter to send. */
export interface ApiResponse {
  readonly status: number;
  /** Name, value, name, value; each name once, in the spelling to send. The adapter adds `Content-Length` and `Content-Encoding`. */
  readonly headers: readonly string[];
  /**
   * Text, or its bytes in UTF-8. The bytes may be shared with other responses: they must not be changed.
   * Empty for 204 and 304. For HEAD it is the body of the GET, of which the adapter sends only the length.
   */
  readonly body: string | Uint8Array;
  /** How the request was answered; absent where something else than the API has made the response. */
  readonly report?: ExchangeReport;
}

/** What an error response needs of a request. */
export type RequestHead = Pick<ApiRequest, "method" | "target" | "sentTarget" | "headers">;

/** Answers a request. */
export type ApiFunction = (request: ApiRequest) => MaybePromise<ApiResponse>;

/** Answers every request. It never throws or rejects, and answers synchronously where the store does. */
export interface Api extends ApiFunction {
  /** Makes the response to a request that a server refuses by itself, e.g. when it is overloaded. */
  refuse(request: RequestHead, reason: Failure): ApiResponse;
  /** The row of the route that a request leads to; `undefined` where there is none. */
  routeOf(request: Pick<RequestHead, "method" | "target">): RouteRow | undefined;
  /** Reports an error that kept an answer from being made or sent, and makes the response with status 500. */
  fail(request: RequestHead, error: unknown): ApiResponse;
}
