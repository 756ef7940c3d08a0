import { Unavailable } from "../ports.ts";
import { failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** Makes the function that reports an error which no rule expects, and returns the failure that the client gets. */
export function createErrorReporter(onError: ((error: unknown, requestId: string) => void) | undefined): (exchange: Exchange, error: unknown) => Failure {
  return ({ requestId }, error) => {
    try {
      onError?.(error, requestId);
    } catch {
      // The report has failed as well: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  };
}
