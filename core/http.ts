import type { Result } from "./result.ts";

/** A request as the core sees it, whatever runtime received it. */
export interface ApiRequest {
  /** The method as sent, e.g. `GET`. */
  readonly method: string;
  /** The request target as sent: path and query, or the absolute form. Checked by the core. */
  readonly target: string;
  /**
   * Name, value, name, value, in the order received and in any case, a repeated field repeated:
   * what `node:http` calls `rawHeaders`. Repeated credentials must stay visible to the core.
   */
  readonly headers: readonly string[];
  /** How the client reached this server; used for the documentation link of the status route. */
  readonly scheme: "http" | "https";
  /** Reads the body as UTF-8, refusing more than `limit` bytes. Called at most once, after authentication. */
  text(limit: number): Promise<Result<string, BodyFailure>>;
}

/** Why a body could not be read: more bytes than allowed, bytes that are not UTF-8, or a client that left before the end. */
export type BodyFailure = "TOO_LARGE" | "NOT_UTF8" | "INCOMPLETE";

/** An answer for the adapter to write. */
export interface ApiResponse {
  readonly status: number;
  /** Field names in the spelling to send; `Content-Length` and `Content-Encoding` are the adapter's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for 204 and 304. For HEAD the body of the GET: the adapter sends its length only. */
  readonly body: string;
}

/** Answers every request; never rejects. */
export type Api = (request: ApiRequest) => Promise<ApiResponse>;
