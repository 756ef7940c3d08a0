import { ERRORS } from "../http/errors.ts";
import type { ErrorCode, Failure } from "../http/errors.ts";
import type { Result } from "../result.ts";

/** Thrown by the calls of `createPrices` if the route would answer with an error body. */
export class PriceError extends Error {
  override readonly name = "PriceError";
  /** The `code` of the error body. */
  readonly code: ErrorCode;
  /** The HTTP status of the error body. */
  readonly status: number;

  constructor({ code, message }: Failure) {
    super(message ?? ERRORS[code].message);
    this.code = code;
    this.status = ERRORS[code].status;
  }
}

/** The value of a result. Throws a `PriceError` for a failure. */
export function valueOrThrow<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value;
  throw new PriceError(result.error);
}
