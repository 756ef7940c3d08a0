import type { UtcMillis } from "../branded_types.ts";
import { Unavailable } from "../ports.ts";
import { type Failure, failure } from "./errors.ts";
import type { ReportDraft } from "./exchange_report.ts";
import type { RequestHead } from "./messages.ts";

/** A request that is being answered. If the server itself refuses the request, `request` is only the head. */
export interface Received<Request extends RequestHead = RequestHead> {
  readonly request: Request;
  /** The time at which the API received the request. Answers state this time. */
  readonly now: UtcMillis;
  readonly report: ReportDraft;
  /** Whether the client has received 503 because the answer took too long. The 503 is charged like any failure. */
  isLate?: boolean;
}

/** The request id in an error body if the port for ids has failed. */
export const NO_REQUEST_ID = "unknown";

/** The timestamp in an error body if the clock has failed. */
export const NO_TIME = 0 as UtcMillis;

/** Returns a request id. Throws `TypeError` if the id is empty or not a text. Adapters check its characters. */
export function checkedId(id: string): string {
  if (typeof id === "string" && id !== "") return id;
  throw new TypeError(`Cannot use a request id because it must be a text: received "${id}"`);
}

/** Makes the function that reports an unexpected error and returns the failure for the client. */
export function createErrorReporter(
  onError: ((error: unknown, requestId: string) => void) | undefined,
): (received: Received, error: unknown) => Failure {
  return ({ report: { requestId }, isLate }, error) => {
    try {
      if (!isLate) onError?.(error, requestId);
    } catch {
      // The client is answered even if the report fails.
    }
    if (!(error instanceof Unavailable)) return failure("INTERNAL_ERROR");
    return failure("UNAVAILABLE", undefined, ["Retry-After", String(error.retryAfterSeconds)]);
  };
}
