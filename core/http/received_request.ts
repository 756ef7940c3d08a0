import type { UtcMillis } from "../branded_types.ts";
import { Unavailable } from "../ports.ts";
import { type Failure, failure } from "./errors.ts";
import type { ReportDraft } from "./exchange_report.ts";
import type { RequestHead } from "./messages.ts";

/** A request that is being answered, or its head alone, where the server refuses it by itself. */
export interface Received<Request extends RequestHead = RequestHead> {
  readonly request: Request;
  /** The moment at which it is answered. */
  readonly now: UtcMillis;
  readonly report: ReportDraft;
  /** Whether its client has got 503 already, as the answer took too long: a unit that was taken is given back. */
  isLate?: boolean;
}

/** Stands in an error body where the port that makes request ids has failed. */
export const NO_REQUEST_ID = "unknown";

/** Stands in an error body where the clock has failed. */
export const NO_TIME = 0 as UtcMillis;

/**
 * Returns a request id. Throws `TypeError` for what is no text; its characters are left to the adapter, which
 * checks all header values in any case: here it would take 60 ns a request.
 */
export function checkedId(id: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`Cannot use a request id as it must be a text: received "${id}"`);
}

/** Makes the function that reports an error which no rule expects, and returns the failure that the client gets. */
export function createErrorReporter(
  onError: ((error: unknown, requestId: string) => void) | undefined,
): (received: Received, error: unknown) => Failure {
  return ({ report: { requestId }, isLate }, error) => {
    try {
      if (!isLate) onError?.(error, requestId);
    } catch {
      // The report has failed as well: the client is answered all the same.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  };
}
