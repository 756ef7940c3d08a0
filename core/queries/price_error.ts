import type { ErrorCode } from "../http/errors.ts";

/** What a `PriceError` tells. */
export interface PriceFailure {
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Thrown by the calls of `createPrices`, and by those of `createClient` in `mazaneh/client`, in place of an answer. */
export class PriceError extends Error {
  override readonly name: string = "PriceError";
  /** The `code` of the error body; other servers may have others, and a client has some of its own. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Names the request in the logs of the server; of an answer only. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where an answer said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    { code, status, message, requestId, retryAfterSeconds }: PriceFailure,
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
