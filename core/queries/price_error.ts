import type { ErrorCode } from "../http/errors.ts";

/** The members of a `PriceError`. */
export type PriceFailure = Pick<PriceError, "code" | "status" | "message"> &
  Partial<Pick<PriceError, "requestId" | "retryAfterSeconds">>;

/** Thrown by the calls of `createPrices`, and of `createClient` in `mazaneh/client`. */
export class PriceError extends Error {
  override readonly name: string = "PriceError";
  /** The `code` of the error body. Clients add codes of their own, and other servers may use further codes. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The id of the request in the logs of the server, if there was an answer. */
  readonly requestId: string | undefined;
  /** The number of seconds after which to try again, if the answer states it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: PriceFailure, options?: { readonly cause: unknown }) {
    super(failure.message, options);
    this.code = failure.code;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}
