import type { AccountId, KeyId } from "../branded_types.ts";
import type { MaybePromise } from "../ports.ts";
import type { Result } from "../result.ts";
import type { ErrorCode, Failure } from "./errors.ts";
import type { RouteRow } from "./route.ts";

/** A request as the core sees it, independent of the runtime. */
export interface ApiRequest {
  /** The method as sent, such as `GET`. */
  readonly method: string;
  /** The request target as sent: path and query, or the absolute form. Checked by the core. */
  readonly target: string;
  /** The target as the client sent it, if an app has changed `target`. Used in error bodies. Default: `target`. */
  readonly sentTarget?: string;
  /** The fields received, such as `Headers` of the Fetch standard, or a `Map` with names in lower case. */
  readonly headers: RequestFields;
  /** How the client reached this server. Used in the documentation link of the status answer. */
  readonly scheme: "http" | "https";
  /**
   * Reads the body as UTF-8. Fails if the body has more than `limit` bytes. Called at most once, after authentication.
   *
   * @param coding `gzip` unpacks the body; `limit` applies before and after unpacking. Default: no coding.
   */
  text(limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>>;
}

/** The header fields of a request. */
export interface RequestFields {
  /**
   * The value of a field; `null` or `undefined` if there is no such field. If a field is repeated, its values are
   * joined with `, ` in the order received, so that the core sees repeated credentials.
   *
   * @param name In lower case.
   */
  get(name: string): string | null | undefined;
}

/** Why a body could not be read. `TOO_MANY`: too many bodies of the same key are still arriving. */
export type BodyFailure = "TOO_LARGE" | "NOT_UTF8" | "NOT_GZIP" | "INCOMPLETE" | "TOO_MANY";

/** A response for the adapter to send. */
export interface ApiResponse {
  readonly status: number;
  /** Name, value, name, value. No name occurs twice. The adapter adds `Content-Length` and `Content-Encoding`. */
  readonly headers: readonly string[];
  /**
   * Text, or its bytes in UTF-8. Other responses may share the bytes, so they must not be changed. Empty for 204 and
   * 304. For HEAD, the body that GET would return: the adapter sends only its length.
   */
  readonly body: string | Uint8Array;
  /** How the request was answered. Absent if something other than the API has answered. */
  readonly report?: ExchangeReport;
}

/** What became of a request's unit. `denied`: no unit was left. `free`: no unit was due, or the ledger failed. */
export type UnitOutcome = "taken" | "given back" | "denied" | "free";

/** How a request was answered, for logs and metrics. Contains no secrets and no text of the client. */
export interface ExchangeReport {
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  /** Path template, such as `/api/v1/assets/{assetName}`, or `undefined` if the path is unknown or was not parsed. */
  readonly route: string | undefined;
  /** The account of the key. Also set if the key is refused because it was revoked or has expired. */
  readonly accountId: AccountId | undefined;
  readonly keyId: KeyId | undefined;
  readonly plan: string | undefined;
  /** The code of the error body, or `undefined` for a success. */
  readonly code: ErrorCode | undefined;
  /** Whether the body came from the response cache. */
  readonly isCached: boolean;
  readonly units: UnitOutcome;
}

/** The parts of a request that an error response depends on. */
export type RequestHead = Pick<ApiRequest, "method" | "target" | "sentTarget" | "headers">;

/** Answers a request. */
export type ApiFunction = (request: ApiRequest) => MaybePromise<ApiResponse>;

/** Answers every request. Never throws or rejects. Cached answers are synchronous if the ports are. */
export interface Api extends ApiFunction {
  /** Makes the response to a request that the server itself refuses, e.g. when it is overloaded. */
  refuse(request: RequestHead, reason: Failure): ApiResponse;
  /** The route of a request, or `undefined` if there is none. */
  routeOf(request: Pick<RequestHead, "method" | "target">): RouteRow | undefined;
  /** Reports an error that prevented an answer, and makes the response: 500, or 503 for `Unavailable`. */
  fail(request: RequestHead, error: unknown): ApiResponse;
}
