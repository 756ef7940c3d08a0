import { Unavailable } from "../ports.ts";
import { failure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import type { Received } from "./received.ts";

/** Makes the function that reports an error which no rule expects, and returns the failure that the client gets. */
export function createErrorReporter(onError: ((error: unknown, requestId: string) => void) | undefined): (received: Received, error: unknown) => Failure {
  return ({ report: { requestId } }, error) => {
    try {
      onError?.(error, requestId);
    } catch {
      // The report has failed as well: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  };
}
