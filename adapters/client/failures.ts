import { PriceError } from "../../core/mod.ts";
import type { PriceFailure } from "../../core/mod.ts";
import { resetOf, retryAfterOf } from "./quota.ts";

/** Thrown when the units of the day are used up: nothing is gained by asking again before `resetsAt`. */
export class QuotaExceeded extends PriceError {
  override readonly name: string = "QuotaExceeded";
  /** When the next quota day begins: as the server says, or else the next midnight in UTC. */
  readonly resetsAt: Date;

  constructor(failure: PriceFailure, resetsAt: Date) {
    super(failure);
    this.resetsAt = resetsAt;
  }
}

/** The failure of a request without an answer: `NETWORK_ERROR` or `TIMEOUT`, status 0. */
export function noAnswer(code: string, message: string, cause?: unknown): PriceError {
  return new PriceError({ code, status: 0, message }, { cause });
}

/** The failure that an answer is not one of the API: `UNEXPECTED_ANSWER` with its status. */
export function unexpected({ status, headers }: Response, message: string): PriceError {
  return new PriceError({ code: "UNEXPECTED_ANSWER", status, message, ...about(headers) });
}

/** The failure that an answer with an error status tells. `hide` takes the key out of a text. */
export function failureOf(response: Response, body: unknown, hide: (text: string) => string): PriceError {
  const { status, headers } = response;
  const { code, message, requestId, timestamp } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== "string") return unexpected(response, `The server answered ${status} without the error body of the API`);
  const known = about(headers);
  const failure = {
    code: hide(code),
    status,
    message: hide(typeof message === "string" ? message : code),
    requestId: typeof requestId === "string" ? requestId : known.requestId,
    retryAfterSeconds: known.retryAfterSeconds,
  };
  // The contract has one meaning for 429. Too many requests in a short time are told apart by the code.
  return status === 429 && code !== "RATE_LIMITED" ? new QuotaExceeded(failure, resetOf(headers, timestamp)) : new PriceError(failure);
}

function about(headers: Headers): Pick<PriceFailure, "requestId" | "retryAfterSeconds"> {
  return { requestId: headers.get("X-Request-Id") ?? undefined, retryAfterSeconds: retryAfterOf(headers) };
}
