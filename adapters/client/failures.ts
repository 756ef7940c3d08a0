import { PriceError, type PriceFailure } from "../../core/client_entry.ts";
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

/** An answer without its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
}

/** The failure of a request without an answer: `NETWORK_ERROR` or `TIMEOUT`, status 0. */
export function noAnswer(code: string, message: string, cause?: unknown): PriceError {
  return new PriceError({ code, status: 0, message }, { cause });
}

/** The failure that an answer is not one of the API: `UNEXPECTED_ANSWER` with its status. */
export function unexpected({ status, headers }: AnswerHead, message: string): PriceError {
  return new PriceError({ code: "UNEXPECTED_ANSWER", status, message, ...about(headers) });
}

/** The failure that an answer with an error status tells. A redirect to `target` is one, too; browsers show it as status 0. */
export function failureOf(response: AnswerHead, body: unknown, target?: unknown): PriceError {
  const { status, headers } = response;
  const { code, message, requestId, timestamp } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== "string")
    return unexpected(
      response,
      status && !target
        ? `Status ${status} without an error of the API`
        : `Redirects are not followed: ${target ?? "hidden"}`,
    );
  const failure = { code, status, message: typeof message === "string" ? message : code, ...about(headers, requestId) };
  // The contract has one meaning for 429. Too many requests in a short time have a code of their own.
  if (status !== 429 || code === "RATE_LIMITED") return new PriceError(failure);
  return new QuotaExceeded(failure, resetOf(headers, Date.parse(String(timestamp)) || Date.now()));
}

function about(
  headers: AnswerHead["headers"],
  requestId?: unknown,
): Pick<PriceFailure, "requestId" | "retryAfterSeconds"> {
  return {
    requestId: headers.get("X-Request-Id") ?? (typeof requestId === "string" ? requestId : undefined),
    retryAfterSeconds: retryAfterOf(headers),
  };
}
